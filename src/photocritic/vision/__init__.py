"""Vision: CNNs trained on what a corpus says about its photographs, and the features they give; loads torch."""

from photocritic.vision.extraction import Extraction, FeatureExtractor
from photocritic.vision.pretraining import check, pretrain

__all__ = ["Extraction", "FeatureExtractor", "check", "pretrain"]

"""Vision: CNNs trained on the topics or labels of photographs, and their features; loads torch."""

from photocritic.vision.extraction import Extraction, FeatureExtractor
from photocritic.vision.pretraining import check, pretrain

__all__ = ["Extraction", "FeatureExtractor", "check", "pretrain"]

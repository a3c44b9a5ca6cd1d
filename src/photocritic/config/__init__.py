"""Typed parameters: one model per section of params.yaml; what is unknown or impossible is refused."""

from photocritic.config.associate import AssociateParams
from photocritic.config.augment import AugmentParams
from photocritic.config.cnn_pretrain import CnnPretrainParams
from photocritic.config.evaluate import EvaluateParams
from photocritic.config.filter import FilterFileParams, FilterParams
from photocritic.config.ingest import IngestParams
from photocritic.config.language import LanguageParams
from photocritic.config.lda import LdaParams
from photocritic.config.loader import check, load, read_yaml
from photocritic.config.lstm_train import LstmTrainParams, PretrainedOptions
from photocritic.config.params import Params
from photocritic.config.predict import HOME, Decoding, PredictParams
from photocritic.config.presets import decoding
from photocritic.config.promote import Limit, PromoteParams
from photocritic.config.report import ReportParams
from photocritic.config.retrieve import RetrieveParams, Retriever
from photocritic.config.style_judges import StyleJudgesParams
from photocritic.config.values import AUTO, Block, Features, Name, Positive, Rate, Share
from photocritic.config.variants import FusedFeatures, Variant

__all__ = [
    "AUTO",
    "HOME",
    "AssociateParams",
    "AugmentParams",
    "Block",
    "CnnPretrainParams",
    "Decoding",
    "EvaluateParams",
    "Features",
    "FilterFileParams",
    "FilterParams",
    "FusedFeatures",
    "IngestParams",
    "LanguageParams",
    "LdaParams",
    "Limit",
    "LstmTrainParams",
    "Name",
    "Params",
    "Positive",
    "PredictParams",
    "PretrainedOptions",
    "PromoteParams",
    "Rate",
    "ReportParams",
    "RetrieveParams",
    "Retriever",
    "Share",
    "StyleJudgesParams",
    "Variant",
    "check",
    "decoding",
    "load",
    "read_yaml",
]

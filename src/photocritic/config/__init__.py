"""Typed parameters: one model per section of params.yaml; what is unknown or impossible is refused."""

from photocritic.config.champion import ChampionParams, HeadlineName, Limit
from photocritic.config.learning import CnnPretrainParams, LstmTrainParams, PretrainedOptions, Variant
from photocritic.config.measuring import HOME, Decoding, EvaluateParams, MetricName
from photocritic.config.plain import read_yaml
from photocritic.config.reading import check, decoding, load
from photocritic.config.texts import AugmentParams, FilterParams, IngestParams, LanguageParams, LdaParams
from photocritic.config.values import AUTO, Features, Name, Positive, Rate, Section, Share
from photocritic.config.whole import Params

__all__ = [
    "AUTO",
    "HOME",
    "AugmentParams",
    "ChampionParams",
    "CnnPretrainParams",
    "Decoding",
    "EvaluateParams",
    "Features",
    "FilterParams",
    "HeadlineName",
    "IngestParams",
    "LanguageParams",
    "LdaParams",
    "Limit",
    "LstmTrainParams",
    "MetricName",
    "Name",
    "Params",
    "Positive",
    "PretrainedOptions",
    "Rate",
    "Section",
    "Share",
    "Variant",
    "check",
    "decoding",
    "load",
    "read_yaml",
]

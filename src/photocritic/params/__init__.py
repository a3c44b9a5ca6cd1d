"""Typed parameters: one model per section of params.yaml; what is unknown or impossible is refused."""

from photocritic.params.champion import ChampionParams, HeadlineName, Limit
from photocritic.params.learning import CnnPretrainParams, LstmTrainParams, PretrainedOptions, Variant
from photocritic.params.measuring import HOME, Decoding, EvaluateParams, MetricName
from photocritic.params.plain import read_yaml
from photocritic.params.reading import check, decoding, load
from photocritic.params.texts import AugmentParams, FilterParams, IngestParams, LanguageParams, LdaParams
from photocritic.params.values import AUTO, Features, Name, Positive, Rate, Section, Share
from photocritic.params.whole import Params

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

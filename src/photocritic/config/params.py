"""All sections together, and what must hold between them."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import StrictBool, ValidationError, model_validator

from photocritic.config.associate import AssociateParams
from photocritic.config.augment import AugmentParams
from photocritic.config.cnn_pretrain import CnnPretrainParams
from photocritic.config.evaluate import EvaluateParams
from photocritic.config.explanations import explain
from photocritic.config.filter import FilterParams
from photocritic.config.ingest import IngestParams
from photocritic.config.language import LanguageParams
from photocritic.config.lda import LdaParams
from photocritic.config.lstm_train import NOT_OF_PRETRAINED, LstmTrainParams
from photocritic.config.predict import PredictParams
from photocritic.config.promote import PromoteParams
from photocritic.config.report import ReportParams
from photocritic.config.retrieve import RetrieveParams, Retriever
from photocritic.config.style_judges import StyleJudgesParams
from photocritic.config.values import Block, Features, Name, Seed, defaults
from photocritic.config.variants import FusedFeatures, Variant


class Params(Block):
    """Everything in params.yaml.

    Attributes
    ----------
    preset : str
        The presets that params.yaml was written from; values changed since then are used as they are.
    reproducible : bool
        Whether stages compute the same numbers on every processor.
    fused_features : dict of str to FusedFeatures
        Further features, by name.
    variants : dict of str to Variant
        The captioners that are trained and compared, by name.
    retrievers : dict of str to Retriever
        The captioners by retrieval that are compared with them, by name.
    """

    preset: str = ""
    seed: Seed
    reproducible: StrictBool
    ingest: IngestParams
    language: LanguageParams
    filter: FilterParams
    associate: AssociateParams
    lda: LdaParams
    cnn_pretrain: CnnPretrainParams
    lstm_train: LstmTrainParams
    fused_features: dict[Name, FusedFeatures]
    variants: dict[Name, Variant]
    retrieve: RetrieveParams
    retrievers: dict[Name, Retriever]
    predict: PredictParams
    style_judges: StyleJudgesParams
    evaluate: EvaluateParams
    report: ReportParams
    promote: PromoteParams
    augment: AugmentParams

    @model_validator(mode="before")
    @classmethod
    def _with_defaults(cls, raw: Any) -> Any:
        """Add what is absent as in presets/sample.yaml, save what it says of itself; each section adds its own keys."""
        if not isinstance(raw, Mapping):
            return raw
        return {**defaults(), "preset": "", "reproducible": False, "retrievers": {}, **raw}

    @model_validator(mode="after")
    def _what_the_report_and_the_champion_need_is_measured(self) -> "Params":
        for name in ("cider_d", *self.promote.families()):
            if self.evaluate.metrics != "auto" and name not in self.evaluate.metrics:
                raise ValueError(f"evaluate.metrics must have {name}, which the report or the champion needs")
        return self

    @model_validator(mode="after")
    def _the_words_that_are_learned_alone_are_counted(self) -> "Params":
        if self.cnn_pretrain.topics_weight == 0.0 and self.lda.words == 0:
            raise ValueError(
                "cnn_pretrain.topics_weight 0 leaves the content words alone, but lda.words is 0; raise one"
            )
        return self

    @model_validator(mode="after")
    def _variants_have_their_features(self) -> "Params":
        if not self.variants:
            raise ValueError("variants: name at least one, such as cws: {captions: filtered, features: weak}")
        made: list[str] = [*self.cnn_pretrain.features]
        for name, fused in self.fused_features.items():
            if name in get_args(Features):
                raise ValueError(f"fused_features.{name}: features of cnn_pretrain have this name; choose another")
            if fused.first == fused.second:
                raise ValueError(f"fused_features.{name}: first and second are both '{fused.first}'")
            _require_made(f"fused_features.{name}.first", fused.first, made)
            _require_made(f"fused_features.{name}.second", fused.second, made)
        made += self.fused_features
        for name, variant in self.variants.items():
            _require_made(f"variants.{name}.features", variant.features, made)
        for name, retriever in self.retrievers.items():
            _require_made(f"retrievers.{name}.features", retriever.features, made)
        _require_made("augment.features", self.augment.features, made)
        return self

    @model_validator(mode="after")
    def _captioners_can_be_trained(self) -> "Params":
        for name, variant in self.variants.items():
            try:
                captioner = self.captioner(name)
            except ValidationError as error:
                problems = (problem | {"loc": ("lstm_train", *problem["loc"])} for problem in error.errors())
                raise ValueError(
                    "; ".join(f"variants.{name}.{explain(problem, Params)}" for problem in problems)
                ) from None
            idle = sorted({*NOT_OF_PRETRAINED} & variant.lstm_train.keys())
            if captioner.model == "pretrained" and idle:
                raise ValueError(f"variants.{name}.lstm_train: {', '.join(idle)} cannot be set for a pretrained model")
            without_grid = {"fisher", "gist", "tinyimage", *self.fused_features}
            if captioner.finetune_epochs and variant.features in without_grid | {"regions"}:
                raise ValueError(f"variants.{name}: only a CNN is fine-tuned; set finetune_epochs: 0 or features: weak")
            if captioner.view == "grid" and variant.features in without_grid:
                raise ValueError(f"variants.{name}: the features '{variant.features}' have no grid; set view: pooled")
            if captioner.view == "grid" and self.cnn_pretrain.grid == 1 and variant.features != "regions":
                raise ValueError(f"variants.{name}: view 'grid' needs cnn_pretrain.grid of 2 or more")
        return self

    @model_validator(mode="after")
    def _retrievers_can_be_built(self) -> "Params":
        for name, retriever in self.retrievers.items():
            if name in self.variants:
                raise ValueError(f"retrievers.{name}: a variant has this name; choose another")
            fused = self.fused_features.get(retriever.features)
            parts = (fused.first, fused.second) if fused else ()
            if retriever.rerank and retriever.rerank not in parts:
                raise ValueError(
                    f"retrievers.{name}.rerank: '{retriever.rerank}' is no part of the features "
                    f"'{retriever.features}'; name one of two fused kinds, or leave it out"
                )
            try:
                self.retrieval(name)
            except ValidationError as error:
                problems = (problem | {"loc": ("retrieve", *problem["loc"])} for problem in error.errors())
                raise ValueError(
                    "; ".join(f"retrievers.{name}.{explain(problem, Params)}" for problem in problems)
                ) from None
        return self

    @property
    def compared(self) -> "dict[str, Variant | Retriever]":
        """All captioners that are compared, by name: the variants, then the retrievers."""
        return {**self.variants, **self.retrievers}

    def retrieval(self, retriever: str) -> RetrieveParams:
        """Return the section retrieve with a retriever's changes."""
        return RetrieveParams.model_validate(self.retrieve.model_dump() | self.retrievers[retriever].retrieve)

    def captioner(self, variant: str) -> LstmTrainParams:
        """Return the section lstm_train with a variant's changes."""
        changes = self.variants[variant].lstm_train
        return LstmTrainParams.model_validate(self.lstm_train.model_dump() | changes)


def _require_made(key: str, features: str, made: Sequence[str]) -> None:
    if features not in made:
        raise ValueError(
            f"{key}: '{features}' is not computed; add it to cnn_pretrain.features (now: {', '.join(made)})"
        )

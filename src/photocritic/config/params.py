"""All sections together, and what must hold between them."""

from collections.abc import Mapping
from typing import Any

from pydantic import StrictBool, ValidationError, model_validator

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
from photocritic.config.style_judges import StyleJudgesParams
from photocritic.config.values import Block, Name, Seed, defaults
from photocritic.config.variants import Variant


class Params(Block):
    """Everything in params.yaml.

    Attributes
    ----------
    preset : str
        The presets that params.yaml was written from; values changed since then are used as they are.
    reproducible : bool
        Whether stages compute the same numbers on every processor.
    variants : dict of str to Variant
        The captioners that are trained and compared, by name.
    """

    preset: str = ""
    seed: Seed
    reproducible: StrictBool
    ingest: IngestParams
    language: LanguageParams
    filter: FilterParams
    lda: LdaParams
    cnn_pretrain: CnnPretrainParams
    lstm_train: LstmTrainParams
    variants: dict[Name, Variant]
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
        return {**defaults(), "preset": "", "reproducible": False, **raw} if isinstance(raw, Mapping) else raw

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
        wanted = {f"variants.{name}.features": variant.features for name, variant in self.variants.items()}
        wanted["augment.features"] = self.augment.features
        for key, features in wanted.items():
            if features not in self.cnn_pretrain.features:
                raise ValueError(
                    f"{key}: '{features}' is not computed; "
                    f"add it to cnn_pretrain.features (now: {', '.join(self.cnn_pretrain.features)})"
                )
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
            if captioner.finetune_epochs and variant.features in ("regions", "fisher"):
                raise ValueError(f"variants.{name}: only a CNN is fine-tuned; set finetune_epochs: 0 or features: weak")
            if captioner.view == "grid" and variant.features == "fisher":
                raise ValueError(f"variants.{name}: the features 'fisher' have no grid; set view: pooled")
            if captioner.view == "grid" and self.cnn_pretrain.grid == 1 and variant.features != "regions":
                raise ValueError(f"variants.{name}: view 'grid' needs cnn_pretrain.grid of 2 or more")
        return self

    def captioner(self, variant: str) -> LstmTrainParams:
        """Return the section lstm_train with a variant's changes."""
        changes = self.variants[variant].lstm_train
        return LstmTrainParams.model_validate(self.lstm_train.model_dump() | changes)

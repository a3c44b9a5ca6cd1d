"""All sections together, and what must hold between them."""

from typing import Annotated

from pydantic import Field, ValidationError, model_validator

from photocritic.config.learning import NOT_OF_PRETRAINED, CnnPretrainParams, LstmTrainParams, Variant
from photocritic.config.measuring import EvaluateParams
from photocritic.config.problems import explain
from photocritic.config.texts import AugmentParams, FilterParams, IngestParams, LanguageParams, LdaParams
from photocritic.config.values import Name, Section


class Params(Section):
    """Everything in params.yaml.

    Attributes
    ----------
    preset : str
        What params.yaml was written from; values that were changed since count as they stand.
    variants : dict of str to Variant
        The captioners that are trained and compared, by name.
    """

    preset: str = ""
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 7
    ingest: IngestParams = IngestParams()
    language: LanguageParams = LanguageParams()
    filter: FilterParams = FilterParams()
    lda: LdaParams = LdaParams()
    cnn_pretrain: CnnPretrainParams = CnnPretrainParams()
    lstm_train: LstmTrainParams = LstmTrainParams()
    variants: dict[Name, Variant] = {"cws": Variant(captions="filtered", features="weak")}
    evaluate: EvaluateParams = EvaluateParams()
    augment: AugmentParams = AugmentParams()

    @model_validator(mode="after")
    def _variants_have_their_features(self) -> "Params":
        if not self.variants:
            raise ValueError("variants: name at least one, such as cws: {captions: filtered, features: weak}")
        wanted = {f"variants.{name}.features": variant.features for name, variant in self.variants.items()}
        wanted["augment.features"] = self.augment.features
        for key, features in wanted.items():
            if features not in self.cnn_pretrain.features:
                raise ValueError(
                    f"{key}: '{features}' is not made; "
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
                raise ValueError(
                    f"variants.{name}.lstm_train: {', '.join(idle)} of a pretrained model cannot be chosen"
                )
            if captioner.finetune_epochs and variant.features == "regions":
                raise ValueError(f"variants.{name}: a detector is not fine-tuned; leave finetune_epochs 0 or take weak")
            if captioner.view == "grid" and self.cnn_pretrain.grid == 1 and variant.features != "regions":
                raise ValueError(f"variants.{name}: view 'grid' needs cnn_pretrain.grid of 2 or more")
        return self

    def captioner(self, variant: str) -> LstmTrainParams:
        """Give the section lstm_train as a variant wants it."""
        changes = self.variants[variant].lstm_train
        return LstmTrainParams.model_validate(self.lstm_train.model_dump() | changes)

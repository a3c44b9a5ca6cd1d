"""The section lstm_train: the captioners."""

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from photocritic.config.values import Block, Name, Positive, Pretrained, Rate, Section, known


class PretrainedOptions(Block):
    """lstm_train.options where its model is pretrained.

    Attributes
    ----------
    weights : str
        Name (NAME@REVISION) or folder of an image-to-text model of transformers.
    lora : int
        Rank of the changes that are trained in the place of all weights; 0: all weights.
    """

    weights: Annotated[Pretrained, Field(min_length=1)]
    lora: Annotated[int, Field(ge=0)] = 0


# What a variant must not set for itself where its model is pretrained: such a model has sizes and words of its own.
NOT_OF_PRETRAINED = ("view", "tied", "hidden", "embedding", "dropout", "vocabulary", "min_count")


class LstmTrainParams(Section):
    """AIC 5, CC 4, ERG 4.2: the captioner that is trained on each variant's captions and features."""

    model: Annotated[Name, known("captioner", "pretrained")]
    options: dict[str, Any]
    members: Annotated[int, Field(gt=0, le=64)]
    view: Literal["pooled", "grid"]
    tied: bool
    hidden: Positive
    embedding: Positive
    dropout: Annotated[float, Field(ge=0.0, lt=1.0)]
    vocabulary: Positive
    min_count: Positive
    max_length: Annotated[int, Field(ge=2)]
    punctuation: bool
    epochs: Positive
    batch_size: Positive
    optimizer: Literal["adamw", "adam", "adagrad"]
    learning_rate: Rate
    schedule: Literal["one_cycle", "cosine", "constant"]
    weight_decay: Annotated[float, Field(ge=0.0)]
    accumulate: Positive
    average: Positive
    label_smoothing: Annotated[float, Field(ge=0.0, lt=1.0)]
    grad_clip: Rate
    grad_clip_by: Literal["norm", "value"]
    precision: Literal["32-true", "bf16-mixed", "16-mixed"]
    scheduled_sampling: Annotated[float, Field(ge=0.0, le=0.25)]
    select: Literal["val_loss", "cider_d"]
    finetune_epochs: Annotated[int, Field(ge=0)]
    finetune_learning_rate: Rate
    self_critical_epochs: Annotated[int, Field(ge=0)]
    self_critical_samples: Positive
    self_critical_baseline: Literal["samples", "greedy"]
    self_critical_learning_rate: Rate

    @model_validator(mode="after")
    def _samples_have_others_to_surpass(self) -> "LstmTrainParams":
        if self.self_critical_baseline == "samples" and self.self_critical_samples < 2:
            raise ValueError("self_critical_samples must be 2 or more where self_critical_baseline is samples")
        return self

    @model_validator(mode="after")
    def _the_cnn_is_trained_on_what_images_show(self) -> "LstmTrainParams":
        if self.finetune_epochs and self.options.get("styles"):
            raise ValueError("finetune_epochs must be 0 with options.styles: styles are learned from text alone")
        if self.finetune_epochs and self.options.get("aspects"):
            raise ValueError("finetune_epochs must be 0 with options.aspects: the captioners of aspects stay fixed")
        return self

    @model_validator(mode="after")
    def _aspects_are_names(self) -> "LstmTrainParams":
        aspects = self.options.get("aspects", [])
        if not isinstance(aspects, list | tuple) or not all(isinstance(one, str) and one for one in aspects):
            raise ValueError("options.aspects must be a list of names, such as [composition, focus]")
        return self

    @model_validator(mode="after")
    def _members_see_the_same_features(self) -> "LstmTrainParams":
        if self.members > 1 and (self.finetune_epochs or self.options.get("styles") or self.model == "pretrained"):
            raise ValueError(
                "members must be 1 with finetune_epochs, with options.styles, and where model is pretrained"
            )
        return self

    @model_validator(mode="after")
    def _pretrained_captioners_learn_captions_alone(self) -> "LstmTrainParams":
        if self.model != "pretrained":
            return self
        try:
            PretrainedOptions.model_validate(self.options)
        except ValidationError as error:
            problems = (f"options.{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
            raise ValueError("; ".join(problems)) from None
        for key in ("self_critical_epochs", "finetune_epochs", "scheduled_sampling"):
            if getattr(self, key):
                raise ValueError(f"{key} must be 0 where model is pretrained, which is trained on captions alone")
        if self.select != "val_loss":
            raise ValueError("select must be val_loss where model is pretrained")
        return self

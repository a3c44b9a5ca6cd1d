"""The sections of what is trained: cnn_pretrain, lstm_train, and the variants."""

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from photocritic.config.values import Features, Name, Positive, Pretrained, Rate, Section, Share
from photocritic.core import pretrained_name


class CnnPretrainParams(Section):
    """AIC 4.4: a CNN trained against the topic distribution, and the features of every image."""

    features: list[Features] = ["weak", "labels"]
    backbone: str = "resnet18"
    weights: str = ""
    image_size: Annotated[int, Field(ge=32)] = 96
    epochs: Positive = 12
    batch_size: Positive = 64
    learning_rate: Rate = 1e-3
    schedule: Literal["one_cycle", "cosine", "constant"] = "one_cycle"
    weight_decay: Annotated[float, Field(ge=0.0)] = 0.05
    accumulate: Positive = 1
    ema: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.0
    patience: Annotated[int, Field(ge=0)] = 0
    label_smoothing: Share = 0.0
    words_weight: Annotated[float, Field(ge=0.0)] = 1.0
    crop_share: Annotated[float, Field(gt=0.0, le=1.0)] = 0.5
    jitter: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.3
    cut_mix: Share = 0.0
    first_size: Annotated[int, Field(ge=0)] = 0
    compile: bool = False
    precision: Literal["32-true", "bf16-mixed", "16-mixed"] = "bf16-mixed"
    grid: Annotated[int, Field(ge=1)] = 1
    detector: str = "fasterrcnn_resnet50_fpn_v2"
    detector_weights: str = ""
    detector_size: Annotated[int, Field(ge=64, multiple_of=32)] = 512
    regions: Positive = 36

    @model_validator(mode="after")
    def _revisions_are_of_weights_that_the_hub_has(self) -> "CnnPretrainParams":
        if not self.backbone.startswith("timm/"):
            if "@" in self.backbone:
                raise ValueError(
                    "backbone: torchvision's weights come with its version; only timm/NAME takes a revision"
                )
            return self
        try:
            revision = pretrained_name.split_hub_name(self.backbone).revision
        except ValueError as error:
            raise ValueError(f"backbone: {error}") from None
        if revision and self.weights:
            raise ValueError("backbone: a revision is of the hub's weights, but weights names a file; drop one of them")
        return self


class PretrainedOptions(Section):
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
    """AIC 5: the NeuralTalk2-style captioner trained on each variant's captions and features."""

    model: Name = "show_tell"
    options: dict[str, Any] = {}
    view: Literal["pooled", "grid"] = "pooled"
    tied: bool = False
    hidden: Positive = 512
    embedding: Positive = 512
    dropout: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.5
    vocabulary: Positive = 10_000
    min_count: Positive = 4
    max_length: Annotated[int, Field(ge=2)] = 20
    epochs: Positive = 8
    batch_size: Positive = 128
    optimizer: Literal["adamw", "adam", "adagrad"] = "adamw"
    learning_rate: Rate = 3e-3
    schedule: Literal["one_cycle", "cosine", "constant"] = "one_cycle"
    weight_decay: Annotated[float, Field(ge=0.0)] = 0.05
    accumulate: Positive = 1
    average: Positive = 1
    label_smoothing: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.1
    grad_clip: Rate = 5.0
    precision: Literal["32-true", "bf16-mixed", "16-mixed"] = "bf16-mixed"
    scheduled_sampling: Annotated[float, Field(ge=0.0, le=0.25)] = 0.0
    select: Literal["val_loss", "cider_d"] = "val_loss"
    finetune_epochs: Annotated[int, Field(ge=0)] = 0
    finetune_learning_rate: Rate = 1e-5
    self_critical_epochs: Annotated[int, Field(ge=0)] = 0
    self_critical_samples: Positive = 5
    self_critical_baseline: Literal["samples", "greedy"] = "samples"
    self_critical_learning_rate: Rate = 5e-5

    @model_validator(mode="after")
    def _samples_have_others_to_surpass(self) -> "LstmTrainParams":
        if self.self_critical_baseline == "samples" and self.self_critical_samples < 2:
            raise ValueError("self_critical_samples must be 2 or more where self_critical_baseline is samples")
        return self

    @model_validator(mode="after")
    def _the_cnn_is_trained_on_what_images_show(self) -> "LstmTrainParams":
        if self.finetune_epochs and self.options.get("styles"):
            raise ValueError("finetune_epochs must be 0 where options.styles are learned: styles come from text alone")
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
                raise ValueError(
                    f"{key} must be 0 where model is pretrained: it learns the captions alone, from pixels"
                )
        if self.select != "val_loss":
            raise ValueError("select must be val_loss where model is pretrained")
        return self


class Variant(Section):
    """A captioner to compare: what it learns from, what it sees, and how it departs from the section lstm_train."""

    captions: Literal["raw", "filtered"]
    features: Features
    lstm_train: dict[str, Any] = {}

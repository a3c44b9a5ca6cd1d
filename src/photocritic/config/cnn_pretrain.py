"""The section cnn_pretrain: the CNN and its features."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from photocritic.config.values import Features, Positive, Rate, Section, Share
from photocritic.core import pretrained_name


class CnnPretrainParams(Section):
    """AIC 4.4: a CNN trained against the topic distribution, and the features of every image."""

    features: list[Features]
    backbone: str
    weights: str
    image_size: Annotated[int, Field(ge=32)]
    epochs: Positive
    batch_size: Positive
    learning_rate: Rate
    schedule: Literal["one_cycle", "cosine", "constant"]
    weight_decay: Annotated[float, Field(ge=0.0)]
    accumulate: Positive
    ema: Annotated[float, Field(ge=0.0, lt=1.0)]
    patience: Annotated[int, Field(ge=0)]
    label_smoothing: Share
    topics_weight: Annotated[float, Field(ge=0.0)]
    words_weight: Annotated[float, Field(ge=0.0)]
    crop_share: Annotated[float, Field(gt=0.0, le=1.0)]
    jitter: Annotated[float, Field(ge=0.0, lt=1.0)]
    cut_mix: Share
    first_size: Annotated[int, Field(ge=0)]
    compile: bool
    precision: Literal["32-true", "bf16-mixed", "16-mixed"]
    grid: Annotated[int, Field(ge=1)]
    views: Annotated[int, Field(ge=0, le=64)]
    detector: str
    detector_weights: str
    detector_size: Annotated[int, Field(ge=64, multiple_of=32)]
    regions: Positive
    fisher_size: Annotated[int, Field(ge=64)]
    fisher_components: Positive
    gist_size: Annotated[int, Field(ge=32, multiple_of=4)]

    @model_validator(mode="after")
    def _learns_something(self) -> "CnnPretrainParams":
        if self.topics_weight == self.words_weight == 0.0:
            raise ValueError("topics_weight and words_weight are both 0, which leaves nothing to learn; raise one")
        return self

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
            raise ValueError("backbone: a revision belongs to weights of the hub, but weights names a file; remove one")
        return self

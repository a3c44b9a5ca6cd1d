"""The section ingest: which corpus is read, and how it is split."""

from typing import Annotated

from pydantic import Field, model_validator

from photocritic.config.values import Local, Name, Positive, Section, Seed, Share, known


class IngestParams(Section):
    """Which corpus is read, and how it is split.

    Attributes
    ----------
    split_seed : int
        Of the draw of the splits, which the global seed does not change: another seed trains anew on the same images.
    sample_seed : int
        Of what the reader `sample` renders.
    """

    reader: Annotated[str, known("reader")]
    source: Local[str]
    comments: str
    references: str
    styles: dict[Name, str]
    val_share: Share
    test_share: Share
    split_seed: Seed
    max_quarantined: Annotated[float, Field(ge=0.0, le=1.0)]
    limit: Annotated[int, Field(ge=0)]
    sample_images: Positive
    sample_seed: Seed

    @model_validator(mode="after")
    def _some_are_left_to_train_on(self) -> "IngestParams":
        if self.val_share + self.test_share >= 1.0:
            raise ValueError("val_share and test_share together must be below 1")
        return self

"""The sections of what happens to comments: ingest, language, filter, lda, augment."""

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from photocritic.config.values import AUTO, Features, Local, Name, Positive, Pretrained, Rate, Section, Share


class IngestParams(Section):
    """Which corpus is read, and how it is split."""

    reader: Literal["sample", "folder", "dpc", "pccd", "coco", "ava", "conceptual"] = "sample"
    source: Local[str] = "src/photocritic/sample"
    comments: str = ""
    references: str = ""
    styles: dict[Name, str] = {}
    val_share: Share = 0.1
    test_share: Share = 0.1
    max_quarantined: Annotated[float, Field(ge=0.0, le=1.0)] = 0.1
    limit: Annotated[int, Field(ge=0)] = 0
    sample_images: Positive = 600

    @model_validator(mode="after")
    def _some_are_left_to_train_on(self) -> "IngestParams":
        if self.val_share + self.test_share >= 1.0:
            raise ValueError("val_share and test_share together must stay below 1")
        return self


class LanguageParams(Section):
    """Which spaCy pipeline tags and lemmatises."""

    model: str = "bundled"


class FilterParams(Section):
    """Which filters judge, in what order, and the score that decides (AIC 3)."""

    chain: list[str | dict[str, dict[str, Any]]] = [
        "clean", "spelling", "empty", "english", "length", "contest", "score",
    ]  # fmt: skip
    score: Literal["informativeness", "agreement", "both"] = "informativeness"
    threshold: float | Literal["auto"] | Annotated[str, Field(pattern=r"^keep (0?\.\d+|1(\.0*)?)$")] = 20.0
    upper: Annotated[float, Field(gt=0)] | None = None
    min_count: Positive = 2

    @field_validator("chain")
    @classmethod
    def _entries_are_one_filter_each(cls, chain: list[str | dict[str, Any]]) -> list[str | dict[str, Any]]:
        for place, entry in enumerate(chain):
            if isinstance(entry, dict) and len(entry) != 1:
                raise ValueError(f"entry {place} names {len(entry)} filters; write each in a line of its own")
        return chain


class LdaParams(Section):
    """AIC 4.2-4.3: latent Dirichlet allocation over one document per image."""

    engine: Name = "gensim"
    topics: Annotated[int, Field(ge=2)] = 24
    vocabulary: Positive = 25_000
    max_document_share: Annotated[float, Field(gt=0.0, le=1.0)] = 0.1
    min_documents: Positive = 3
    passes: Positive | Literal["auto"] = AUTO
    iterations: Positive | Literal["auto"] = AUTO
    chunksize: Positive | Literal["auto"] = AUTO
    label: Literal["distribution", "top_topic"] = "distribution"
    words: Annotated[int, Field(ge=0)] = 300


class AugmentParams(Section):
    """ERG: extract style phrases, retrieve similar scenes, generate, accept."""

    classifier: Pretrained = "small"
    generator: Pretrained = "small"
    features: Features = "weak"
    extract_share: Annotated[float, Field(gt=0.0, lt=1.0)] = 0.4
    neighbours: Positive = 1
    min_similarity: Annotated[float, Field(ge=-1.0, le=1.0)] = 0.6
    max_perplexity: Annotated[float, Field(gt=1.0)] = 80.0
    images: Positive = 200
    epochs: Positive = 10
    batch_size: Positive = 32
    learning_rate: Rate = 3e-3
    classifier_epochs: Positive = 6
    classifier_learning_rate: Rate = 1e-3

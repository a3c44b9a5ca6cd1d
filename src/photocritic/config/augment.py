"""The section augment: stylised captions by extraction, retrieval and generation."""

from typing import Annotated

from pydantic import Field

from photocritic.config.values import Name, Positive, Pretrained, Rate, Section, known


class AugmentParams(Section):
    """ERG: extract style phrases, retrieve similar scenes, generate, accept."""

    generator: Pretrained
    features: Name
    retriever: Annotated[str, known("retriever")]
    extract_share: Annotated[float, Field(gt=0.0, lt=1.0)]
    neighbours: Positive
    min_similarity: Annotated[float, Field(ge=-1.0, le=1.0)]
    max_perplexity: Annotated[float, Field(gt=1.0)]
    images: Positive
    epochs: Positive
    batch_size: Positive
    learning_rate: Rate

"""The section lda: the topics of comments."""

from typing import Annotated, Literal

from pydantic import Field

from photocritic.config.values import Name, Positive, Section


class LdaParams(Section):
    """AIC 4.2-4.3: latent Dirichlet allocation over one document per image."""

    engine: Name
    topics: Annotated[int, Field(ge=2)]
    vocabulary: Positive
    max_share: Annotated[float, Field(gt=0.0, le=1.0)]
    share_of: Literal["comments", "documents"]
    min_documents: Positive
    passes: Positive | Literal["auto"]
    iterations: Positive | Literal["auto"]
    chunksize: Positive | Literal["auto"]
    label: Literal["distribution", "top_topic"]
    words: Annotated[int, Field(ge=0)]

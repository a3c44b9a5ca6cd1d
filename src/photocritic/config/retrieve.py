"""The sections retrieve and retrievers: captioners that find captions of similar photographs (Déjà 3)."""

from typing import Any, ClassVar, Literal

from photocritic.config.values import Block, Features, Name, Positive, Section


class RetrieveParams(Section):
    """How captions of similar photographs are ranked.

    Attributes
    ----------
    candidates : int
        Nearest photographs whose captions are ranked, K.
    sigma : int, "all" or "auto"
        Nearest photographs of a caption that its affinity is the mean over; auto: what is best on validation
        photographs.
    development : int
        Validation photographs that auto looks at, at most.
    """

    candidates: Positive
    sigma: Positive | Literal["all", "auto"]
    development: Positive


class Retriever(Block):
    """A captioner by retrieval to compare, beside the variants.

    Attributes
    ----------
    method : "instance" or "assoc"
        The caption of the nearest photograph, or the one whose photographs are nearest.
    captions : "raw", "filtered" or "repeated"
        What can be found: the training photographs' captions as they were written, those that the filter kept, or the
        repeated captions of the stage associate.
    features : str
        Of `cnn_pretrain.features` or `fused_features`: what photographs are compared by.
    rerank : str, optional
        The one kind of fused features by which affinities are computed; candidates are found by both.
    retrieve : dict of str to value
        Changes to the section retrieve.
    """

    aspect: ClassVar[None] = None  # variants may learn from the captions of one aspect

    method: Literal["instance", "assoc"]
    captions: Literal["raw", "filtered", "repeated"]
    features: Name
    rerank: Features | None = None
    retrieve: dict[str, Any] = {}

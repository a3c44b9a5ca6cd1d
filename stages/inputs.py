"""The tables that a stage reads, let in before any work: each through its gate, and what must hold between them."""

from photocritic import tables
from photocritic.config import Params
from photocritic.core.paths import CAPTIONS, CNN, COMMENTS, FEATURES, IMAGES, NGRAMS, REFERENCES, TOPICS, WORDS

_TABLES = {
    "images": IMAGES,
    "comments": COMMENTS,
    "references": REFERENCES,
    "captions": CAPTIONS,
    "ngrams": NGRAMS,
    "topics": TOPICS,
    "words": WORDS,
}
_OF_NO_IMAGE = {"images", "ngrams"}


def let_in(params: Params, *names: str, features: tuple[str, ...] = ()) -> None:
    """Let tables through their gates.

    Parameters
    ----------
    params : Params
        They say how many topics there are.
    *names : str
        The tables; `images` first.
    features : tuple of str
        Which features tables besides.

    Raises
    ------
    TableError, GateFailed
        One is missing or damaged, fails its checks, tells of images that are not at hand, or has another number of
        topics or features than it should.
    TrainingError
        The network that has made the features cannot be read.
    """
    for name in names:
        tables.check(name, _TABLES[name])
        if name not in _OF_NO_IMAGE:
            tables.refuse_strangers(name, _TABLES[name], IMAGES)
    if "ngrams" in names:
        tables.refuse_empty("ngrams", NGRAMS, "of which topics are made; lower filter.min_count or add comments")
    if "topics" in names:
        tables.refuse_width("topics", TOPICS, params.lda.topics, "lda.topics")
    if "words" in names and params.lda.words:
        tables.refuse_empty("words", WORDS, "which the second head learns; or set lda.words to 0")
        tables.refuse_width("words", WORDS, params.lda.words, "lda.words", at_most=True)
    for name in features:
        _let_in_features(name)


def _let_in_features(name: str) -> None:
    from photocritic.training.weights import shape_of

    path, network = FEATURES / f"{name}.parquet", CNN / name
    tables.refuse_strangers("features", path, IMAGES, every=True)
    tables.refuse_width("features", path, shape_of(network, "mean")[0], f"the network in {network}")

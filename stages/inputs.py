"""The tables that a stage reads, let in before any work: each through its gate, and what must hold between them."""

from photocritic import tables
from photocritic.params import Params
from stages.common import CAPTIONS, CNN, COMMENTS, FEATURES, IMAGES, NGRAMS, REFERENCES, TOPICS, WORDS

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
    if "topics" in names:
        tables.refuse_width("topics", TOPICS, params.lda.topics, "lda.topics")
    for name in features:
        _let_in_features(name)


def _let_in_features(name: str) -> None:
    from photocritic.training.weights import shape_of

    path, network = FEATURES / f"{name}.parquet", CNN / name
    tables.refuse_strangers("features", path, IMAGES, every=True)
    tables.refuse_width("features", path, shape_of(network, "mean")[0], f"the network in {network}")

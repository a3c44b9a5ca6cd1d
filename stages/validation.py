"""The tables that a stage declares, each through its gate, and what must hold between them."""

from pathlib import Path

from photocritic import tables
from photocritic.config import Params
from photocritic.core.declaration import Declaration
from photocritic.core.paths import CNN, FEATURES, IMAGES

_OF_NO_IMAGE = {"images", "ngrams"}


def validate_inputs(declared: Declaration, params: Params) -> None:
    """Check every table that a stage declares among its dependencies.

    Parameters
    ----------
    declared : Declaration
        What dvc.yaml says of the stage.
    params : Params
        They say how many topics there are.

    Raises
    ------
    TableError, GateFailed
        A table, or the network that has made features, is missing or damaged, fails its checks, has rows of images that
        are not at hand, or has another number of topics or features than it should.
    """
    for path in declared.tables:
        name = tables.name_of(path)
        tables.check(name, path)
        if name not in _OF_NO_IMAGE:
            tables.refuse_strangers(name, path, IMAGES, every=name == "features")
        _validate_contents(name, path, params)


def _validate_contents(name: str, path: Path, params: Params) -> None:
    if name == "ngrams":
        tables.refuse_empty("ngrams", path, "of which topics are made; lower filter.min_count or add comments")
    elif name == "topics":
        tables.refuse_width("topics", path, params.lda.topics, "lda.topics")
    elif name == "words" and params.lda.words and params.cnn_pretrain.words_weight > 0:
        tables.refuse_empty("words", path, "which the second head learns; or set lda.words to 0")
        tables.refuse_width("words", path, params.lda.words, "lda.words", at_most=True)
    elif name == "features":
        network = CNN / path.relative_to(FEATURES).stem
        tables.refuse_width("features", path, tables.network_width(network), f"the network in {network}")

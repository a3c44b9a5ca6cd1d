"""What the pipeline's network sees of a word; importing this module makes it known to spaCy."""

from functools import lru_cache
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from spacy.tokens import Doc
from spacy.util import registry
from thinc.api import HashEmbed, Maxout, Model, chain, concatenate, list2ragged, ragged2list, with_array

NAME = "word_features"
_FEATURES = 7
Vectors = list[NDArray[np.float32]]
Rows = list[NDArray[np.uint64]]


@registry.architectures("photocritic.AffixEmbed.v1")  # type: ignore[untyped-decorator]
def affix_embed(width: int, rows: list[int]) -> Model[list[Doc], Vectors]:
    """Embed words by form, affixes and shape; a form that the treebank has but once counts as unknown.

    So the network learns from the rare words of the treebank what to make of a word that it never saw; spaCy's
    MultiHashEmbed gives such a word the vector of the others that its hash falls upon.

    Parameters
    ----------
    width : int
        Length of the vectors.
    rows : list of int
        Sizes of the tables for the form, prefixes of one and three letters, suffixes of two, three and four, and shape.
    """
    tables: list[Model[Any, Any]] = [
        HashEmbed(width // 2, size, column=column, seed=column + 1) for column, size in enumerate(rows)
    ]
    embed: Model[list[Doc], Vectors] = chain(
        Model(NAME, _forward, attrs={"known": np.zeros(1, np.uint64)}),
        list2ragged(),
        with_array(concatenate(*tables)),
        with_array(Maxout(width, nP=3, normalize=True)),
        ragged2list(),
    )
    return embed


@registry.architectures("photocritic.SharedAndOwn.v1")  # type: ignore[untyped-decorator]
def shared_and_own(shared: Model[list[Doc], Vectors], own: Model[list[Doc], Vectors]) -> Model[list[Doc], Vectors]:
    """Put a component's own word vectors beside the ones it listens to."""
    both: Model[list[Doc], Vectors] = concatenate(shared, own)
    return both


def know(model: Model[list[Doc], Vectors], words: list[str]) -> None:
    """Tell a network which forms, in lower case, are known."""
    _features(model).attrs["known"] = np.array(sorted({crc32(word.lower().encode()) for word in words}), np.uint64)


def know_alike(model: Model[list[Doc], Vectors], other: Model[list[Doc], Vectors]) -> None:
    """Let a network know the forms that another one knows."""
    _features(model).attrs["known"] = _features(other).attrs["known"]


def _features(model: Model[list[Doc], Vectors]) -> Model[list[Doc], Rows]:
    (layer,) = [layer for layer in model.walk() if layer.name == NAME]
    return layer


def _forward(model: Model[list[Doc], Rows], docs: list[Doc], is_train: bool) -> tuple[Rows, object]:  # noqa: ARG001 - thinc hands it over
    lengths = [len(doc) for doc in docs]
    keys = np.array([_keys(token.text) for doc in docs for token in doc], np.uint64).reshape(-1, _FEATURES)
    known = model.attrs["known"]
    nearest = known[np.searchsorted(known[:-1], keys[:, 0])]  # every key where it stands if it is known
    keys[nearest != keys[:, 0], 0] = 0
    return np.split(keys, np.cumsum(lengths)[:-1]), _no_gradients


def _no_gradients(_: object) -> Rows:
    return []


@lru_cache(maxsize=1 << 16)
def _keys(text: str) -> tuple[int, ...]:
    """Give a word's features as numbers."""
    low = text.lower()
    parts = (low, text[:1], low[:3], low[-2:], low[-3:], low[-4:], _shape(text))
    return tuple(crc32(part.encode("utf-8", "surrogatepass")) for part in parts)


def _shape(text: str) -> str:
    """Give the kinds of a word's letters; of a run of one kind, no more than three."""
    shape = ""
    for letter in text:
        kind = "X" if letter.isupper() else "x" if letter.isalpha() else "d" if letter.isdigit() else letter
        if not shape.endswith(kind * 3):
            shape += kind
    return shape

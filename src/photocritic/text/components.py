"""The parts of the bundled pipeline that spaCy itself lacks; importing this module registers them with spaCy."""

import json
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry
from thinc.api import HashEmbed, Maxout, Model, chain, concatenate, list2ragged, ragged2list, with_array

from photocritic.text.lemmas import FILE, Lemmatizer

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
    """Concatenate a component's own word vectors with those that it shares."""
    both: Model[list[Doc], Vectors] = concatenate(shared, own)
    return both


def set_known_forms(model: Model[list[Doc], Vectors], words: list[str]) -> None:
    """Set which forms, in lower case, a network knows."""
    _features(model).attrs["known"] = np.array(sorted({crc32(word.lower().encode()) for word in words}), np.uint64)


def copy_known_forms(model: Model[list[Doc], Vectors], other: Model[list[Doc], Vectors]) -> None:
    """Set the forms that a network knows to those of another one."""
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
    """Return a word's features as numbers."""
    low = text.lower()
    parts = (low, text[:1], low[:3], low[-2:], low[-3:], low[-4:], _shape(text))
    return tuple(crc32(part.encode("utf-8", "surrogatepass")) for part in parts)


def _shape(text: str) -> str:
    """Return the kinds of a word's letters; of a run of one kind, no more than three."""
    shape = ""
    for letter in text:
        kind = "X" if letter.isupper() else "x" if letter.isalpha() else "d" if letter.isdigit() else letter
        if not shape.endswith(kind * 3):
            shape += kind
    return shape


@Language.factory("photocritic_lemmatizer", assigns=["token.lemma"], requires=["token.tag"])
class LemmaComponent:
    """Sets each token's lemma from its form and its Penn Treebank tag; keeps its table as JSON.

    Parameters
    ----------
    nlp : spacy.language.Language
        The pipeline, which spaCy hands to every component.
    name : str
        The component's name in the pipeline.
    """

    def __init__(self, nlp: Language, name: str) -> None:  # noqa: ARG002 - spaCy hands it over
        self.name = name
        self.lemmatizer = Lemmatizer({}, {})

    def __call__(self, doc: Doc) -> Doc:
        """Set the lemmas of a tagged document."""
        lemma = self.lemmatizer.lemma
        for token in doc:
            token.lemma_ = lemma(token.text, token.tag_)
        return doc

    def initialize(self, get_examples: Callable[[], Iterable[Example]], **_: Any) -> None:
        """Learn lexicon and exceptions from the gold annotations."""
        self.lemmatizer = Lemmatizer.learn(
            (token.text, token.tag_, token.lemma_) for example in get_examples() for token in example.reference
        )

    def score(self, examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        """Return the share of right lemmas."""
        return Scorer.score_token_attr(examples, "lemma")

    def to_bytes(self, **_: Any) -> bytes:
        """Return the table as JSON."""
        return json.dumps(self.lemmatizer.table(), ensure_ascii=False, sort_keys=True).encode()

    def from_bytes(self, data: bytes, **_: Any) -> "LemmaComponent":
        """Load what `to_bytes` returned."""
        self.lemmatizer = Lemmatizer(**json.loads(data))
        return self

    def to_disk(self, path: Path, **_: Any) -> None:
        """Write the table to the file lemmas.json in a folder."""
        Path(path).mkdir(parents=True, exist_ok=True)
        (Path(path) / FILE).write_bytes(self.to_bytes())

    def from_disk(self, path: Path, **_: Any) -> "LemmaComponent":
        """Load what `to_disk` wrote."""
        return self.from_bytes((Path(path) / FILE).read_bytes())

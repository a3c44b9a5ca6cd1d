"""The pipeline components that spaCy itself does not have; importing this module makes them known to spaCy."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc
from spacy.training import Example

from photocritic.text import embed as _embed  # noqa: F401 - makes the network's first layer known, too
from photocritic.text.lemmas import FILE, Lemmatizer


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
        """Give the share of right lemmas."""
        return Scorer.score_token_attr(examples, "lemma")

    def to_bytes(self, **_: Any) -> bytes:
        """Serialise the table as JSON."""
        return json.dumps(self.lemmatizer.table(), ensure_ascii=False, sort_keys=True).encode()

    def from_bytes(self, data: bytes, **_: Any) -> "LemmaComponent":
        """Read what `to_bytes` gave."""
        self.lemmatizer = Lemmatizer(**json.loads(data))
        return self

    def to_disk(self, path: Path, **_: Any) -> None:
        """Write the table to the file lemmas.json in a folder."""
        Path(path).mkdir(parents=True, exist_ok=True)
        (Path(path) / FILE).write_bytes(self.to_bytes())

    def from_disk(self, path: Path, **_: Any) -> "LemmaComponent":
        """Read what `to_disk` wrote."""
        return self.from_bytes((Path(path) / FILE).read_bytes())

"""Captions word by word with their syntax and entities, for filters that transform or judge sentences."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from photocritic.text import spacy_pipeline

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# One set of entity labels, whichever treebank a pipeline was trained on.
_ENTITIES = {
    "PER": "PERSON", "PERSON": "PERSON", "ORG": "ORG", "GPE": "LOC", "LOC": "LOC", "FAC": "LOC", "DATE": "DATE",
    "TIME": "TIME",
}  # fmt: skip


class Word(NamedTuple):
    """A word of a parsed text.

    Attributes
    ----------
    text : str
        As written.
    lemma : str
        Base form in lower case.
    tag : str
        Penn Treebank tag.
    upos : str
        Universal part-of-speech tag: NOUN, PROPN, ADJ, ...
    dep : str
        Universal dependency to the head, in lower case: nsubj, amod, nmod, case, root, ...; a pipeline that was trained
        on another scheme gives that scheme's.
    head : int
        Index of the head in the text's list of words; the word's own where it is a root.
    entity : str
        PERSON, ORG or LOC, and DATE or TIME where the pipeline knows them; empty outside entities.
    space : bool
        Whether white space follows.
    """

    text: str
    lemma: str
    tag: str
    upos: str
    dep: str
    head: int
    entity: str
    space: bool


class Parser:
    """Tags, lemmas, dependencies and entities of English texts by a spaCy pipeline.

    Parameters
    ----------
    model : str
        `bundled`, or a spaCy pipeline with a parser and an entity recogniser: the name of an installed one, such as
        en_core_web_sm, or a folder.

    Raises
    ------
    ParamsError
        There is no such pipeline, or it has no parser or no entity recogniser.
    """

    def __init__(self, model: str = "bundled") -> None:
        self._nlp = spacy_pipeline.load(model, needs=["parser", "ner"])

    def parse(self, texts: Iterable[str]) -> Iterator[list[Word]]:
        """Yield the words of texts in order, streaming; a repeated text is parsed once.

        Parameters
        ----------
        texts : iterable of str
            English texts, cleaned.

        Yields
        ------
        list of Word
            The words of each text; one of several sentences has several roots.
        """
        return spacy_pipeline.once(texts, self._parse_batch)

    def _parse_batch(self, texts: list[str]) -> Iterator[list[Word]]:
        for parts in spacy_pipeline.docs(self._nlp, texts):
            words: list[Word] = []
            for doc in parts:
                words += _words(doc, len(words))
            yield words


def _words(doc: "Doc", offset: int) -> list[Word]:
    """Return a document's words, whose heads count from an offset; tokens of white space are left out."""
    kept = [token for token in doc if not token.is_space]
    place = {token.i: index for index, token in enumerate(kept, offset)}
    return [_word(token, place) for token in kept]


def _word(token: "Token", place: dict[int, int]) -> Word:
    return Word(
        text=token.text,
        lemma=(token.lemma_ or token.text).lower(),
        tag=token.tag_,
        upos=token.pos_,
        dep=token.dep_.lower(),
        head=place.get(token.head.i, place[token.i]),
        entity=_ENTITIES.get(token.ent_type_, ""),
        space=bool(token.whitespace_) or (token.i + 1 < len(token.doc) and token.nbor().is_space),
    )

"""Tagging texts with a spaCy pipeline; nothing outside this room knows spaCy."""

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from photocritic.errors import ParamsError
from photocritic.language.stopwords import STOPWORDS
from photocritic.language.tags import Coarse, coarse

if TYPE_CHECKING:
    from spacy.language import Language

BUNDLED = Path(__file__).parent / "data" / "en_photocritic"
_BATCH = 1_000  # texts that are tagged together
_REMEMBERED = 20_000  # repeated texts are looked up among the last so many
_REPEATABLE = 100  # characters; what many people write under many photographs is short
_LONGEST = 10_000  # characters; longer texts are cut at white space, so that one text cannot fill the memory
_NOT_NEEDED = ["parser", "ner", "entity_linker", "textcat", "senter", "sentencizer"]
_WORD = re.compile(r"['’]?[^\W_]")


class Token(NamedTuple):
    """A token of a tagged text.

    Attributes
    ----------
    text : str
        As written.
    lemma : str
        Base form in lower case, as WordNet would give it: colors -> color, leaves -> leaf.
    tag : str
        Penn Treebank tag.
    coarse : {"NOUN", "ADJ", "ADV", "OTHER"}
        Class of the tag; proper names are OTHER.
    is_stop : bool
        Whether it is on the stop word list (`STOPWORDS`).
    is_word : bool
        Whether it is a word, clitic or number rather than punctuation or a symbol.
    """

    text: str
    lemma: str
    tag: str
    coarse: Coarse
    is_stop: bool
    is_word: bool


class Tagger:
    """Part-of-speech tags and lemmas of English texts.

    Parameters
    ----------
    model : str
        `bundled`, or a spaCy pipeline with a tagger: the name of an installed one, such as en_core_web_sm, or a folder.

    Raises
    ------
    ParamsError
        There is no such pipeline, or it gives no tags.
    """

    def __init__(self, model: str = "bundled") -> None:
        self._nlp = _load(model)

    def tag(self, texts: Iterable[str]) -> Iterator[list[Token]]:
        """Tag texts in order, streaming; a repeated text is tagged once.

        Parameters
        ----------
        texts : iterable of str
            English texts, cleaned.

        Yields
        ------
        list of Token
            The tokens of each text; white space is none.
        """
        known: OrderedDict[str, list[Token]] = OrderedDict()
        stream = iter(texts)
        while batch := list(islice(stream, _BATCH)):
            new = [text for text in dict.fromkeys(batch) if text not in known]
            found = dict(zip(new, self._tag_batch(new), strict=True))
            for text in batch:
                if (tokens := found.get(text)) is None:
                    tokens = known[text]
                yield tokens
            known.update((text, tokens) for text, tokens in found.items() if len(text) <= _REPEATABLE)
            while len(known) > _REMEMBERED:
                known.popitem(last=False)

    def _tag_batch(self, texts: list[str]) -> Iterator[list[Token]]:
        """Tag distinct texts; spaCy's string store forgets their words afterwards, so that memory does not grow."""
        pieces = [list(_pieces(text)) for text in texts]
        with self._nlp.memory_zone():
            docs = self._nlp.pipe(piece for parts in pieces for piece in parts)
            for parts in pieces:
                yield [
                    _token(token.text, token.lemma_, token.tag_)
                    for doc in islice(docs, len(parts))
                    for token in doc
                    if not token.is_space
                ]


def _token(text: str, lemma: str, tag: str) -> Token:
    lowered = text.lower()
    is_word = _WORD.match(text) is not None
    return Token(text, lemma.lower() or lowered, tag, coarse(tag), lowered in STOPWORDS, is_word)


def _pieces(text: str) -> Iterator[str]:
    """Cut an overlong text at white space, or anywhere where it has none."""
    while len(text) > _LONGEST:
        cut = text.rfind(" ", 1, _LONGEST)
        cut = cut if cut > 0 else _LONGEST
        yield text[:cut]
        text = text[cut:]
    yield text


def _load(model: str) -> "Language":
    import spacy

    from photocritic.language import components  # noqa: F401 - makes the bundled lemmatizer known to spaCy

    try:
        nlp = spacy.load(BUNDLED if model == "bundled" else model, exclude=_NOT_NEEDED)
    except (OSError, ValueError) as error:
        reason = str(error).split(". ")[0].replace("\n", " ")
        raise ParamsError(
            f"language.model: '{model}' cannot be loaded ({reason}); "
            "use bundled, an installed spaCy pipeline such as en_core_web_sm, or a pipeline's folder"
        ) from None
    if not nlp.has_pipe("tagger") and not nlp.has_pipe("transformer"):
        raise ParamsError(f"language.model: '{model}' has no tagger; use bundled or a pipeline with one")
    return nlp

"""A caption on its way through the transformation: its words, and what becomes of each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from photocritic.filtering.hypernyms.entity_words import EVENTS, ORGANIZATIONS, PLACES, ROLES
from photocritic.text import STOPWORDS, Word

NOUNS = frozenset({"NN", "NNS"})
_SURE_NOUNS = EVENTS | ORGANIZATIONS | PLACES
VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})
_CLOSED = frozenset({"DT", "PDT", "WDT", "IN", "TO", "CC", "MD", "PRP", "PRP$", "WP", "WP$", "WRB", "EX", "UH", "RP"})
DETERMINERS = frozenset({"a", "an", "the", "this", "that", "these", "those", "some", "its", "his", "her", "their"})


@dataclass
class Piece:
    """A word and what the transformation writes for it.

    Attributes
    ----------
    word : Word
        As parsed.
    text : str
        What is written; empty where the word is dropped.
    hypernym : bool
        Whether the text stands for an entity.
    """

    word: Word
    text: str
    hypernym: bool = False

    @property
    def lower(self) -> str:
        """Return the word as parsed, in lower case."""
        return self.word.text.lower()

    @property
    def is_word(self) -> bool:
        """Whether it is a word or a number rather than punctuation."""
        return any(map(str.isalnum, self.word.text))

    @property
    def capital(self) -> bool:
        """Return whether the word begins with a capital letter."""
        return self.word.text[:1].isupper()

    @property
    def number(self) -> bool:
        """Return whether the word begins with a digit."""
        return self.word.text[:1].isdigit()

    @property
    def closed(self) -> bool:
        """Return whether the word is a function word, by its tag or by the list of stop words."""
        return self.word.tag in _CLOSED or self.lower in STOPWORDS

    @property
    def common_noun(self) -> bool:
        """Return whether the word is a common noun; taggers call some of those that follow names names, too."""
        noun = self.word.tag in NOUNS | {"NNPS"} or self.word.upos == "NOUN" or self.lower in _SURE_NOUNS
        return noun and not self.capital and not self.closed

    @property
    def role(self) -> bool:
        """Return whether the word is an occupation that may stand before a name: artist, actress."""
        return self.lower in ROLES

    def drop(self) -> None:
        """Write nothing for the word."""
        self.text = ""

    def replace(self, text: str) -> None:
        """Write a hypernym for the word."""
        self.text, self.hypernym = text, True


def pieces_of(words: Iterable[Word]) -> list[Piece]:
    """Return the pieces of a parsed caption."""
    return [Piece(word, word.text) for word in words]


def drop(pieces: Sequence[Piece], start: int, end: int) -> None:
    """Drop the pieces from `start` up to `end`."""
    for piece in pieces[start:end]:
        piece.drop()


def before(pieces: Sequence[Piece], place: int) -> int:
    """Return the place of the nearest piece before `place` that is still written; -1 where there is none."""
    place -= 1
    while place >= 0 and not pieces[place].text:
        place -= 1
    return place


def after(pieces: Sequence[Piece], place: int) -> int:
    """Return the place of the nearest piece from `place` on that is still written; the length where there is none."""
    while place < len(pieces) and not pieces[place].text:
        place += 1
    return place

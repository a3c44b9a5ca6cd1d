"""A tagged text, and what every tagger can do."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Tagged(NamedTuple):
    """A text in words.

    Attributes
    ----------
    words : list of str
        As written.
    tags : list of str
        Penn Treebank tags.
    lemmas : list of str
        Base forms in lower case, as WordNet would give them: colors -> color, leaves -> leaf.
    """

    words: list[str]
    tags: list[str]
    lemmas: list[str]


class Tags(Protocol):
    """Anything that tags texts in batches."""

    def tag(self, texts: Sequence[str]) -> list[Tagged]:
        """Give each text's words with their tags and lemmas; a text that comes repeatedly is tagged once."""
        ...

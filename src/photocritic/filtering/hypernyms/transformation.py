"""The transformation of one caption, step by step."""

from typing import NamedTuple

from photocritic.filtering.hypernyms import coordination, modifiers, names, rendering, substitution
from photocritic.filtering.hypernyms.dates import without_dates
from photocritic.filtering.hypernyms.knowledge import Knowledge
from photocritic.filtering.hypernyms.pieces import pieces_of
from photocritic.filtering.hypernyms.titles import without_titles
from photocritic.text import Word

UNRESOLVED = "unresolved_name"


class Transformed(NamedTuple):
    """A caption after its transformation.

    Attributes
    ----------
    text : str
        In lower case.
    hypernyms : list of str
        What its names became, in the singular.
    reason : str
        Why it could not be transformed; empty where it could.
    """

    text: str
    hypernyms: list[str]
    reason: str


def prepared(text: str) -> str:
    """Take out what needs no parse: dates, durations and quoted titles; the rest is to be parsed."""
    return without_titles(without_dates(text))


def transform(words: list[Word], knowledge: Knowledge, fallbacks: substitution.Fallbacks) -> Transformed:
    """Transform a parsed caption (CC section 3): names to hypernyms, modifiers and locations dropped, equals merged.

    Parameters
    ----------
    words : list of Word
        The parse of what `prepared` gave.
    knowledge : Knowledge
        Names and their hypernyms.
    fallbacks : Fallbacks
        What names become that it lacks.
    """
    pieces = pieces_of(words)
    resolved = substitution.substitute(pieces, names.find(pieces, knowledge), fallbacks)
    modifiers.drop_numbers(pieces)
    hypernyms = [piece.text.removeprefix("a ") for piece in pieces if piece.hypernym and piece.text]
    coordination.merge(pieces)
    return Transformed(rendering.render(pieces), hypernyms, "" if resolved else UNRESOLVED)

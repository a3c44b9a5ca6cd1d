"""Numbers and units that modify a noun: "two sculptures", "a 300 mm lens", "a tower 50 metres high"."""

import re

from photocritic.filtering.hypernyms.entity_words import APPROXIMATE, MEASURED, NUMBER_WORDS, TIMES, UNITS
from photocritic.filtering.hypernyms.pieces import NOUNS, Piece, after, before, drop

_NUMBER = re.compile(r"[$€£#]?\d[\d,.:/x]*(?:st|nd|rd|th|s|%)?", re.IGNORECASE)
_UNITS = "|".join(sorted(UNITS, key=len, reverse=True))
_SPELLED = "|".join(sorted(NUMBER_WORDS | {"one"}, key=len, reverse=True))
_COMPOUND = re.compile(
    rf"(?:\d[\d,.]*|{_SPELLED})-?(?:{_UNITS}|years?|months?|weeks?|days?|hours?|minutes?|seconds?|century)"
    rf"(?:-?(?:old|long|high|tall|wide))?|(?:\d[\d,.]*|{_SPELLED})-(?:\w+-)?old",
    re.IGNORECASE,
)


def drop_numbers(pieces: list[Piece]) -> None:
    """Drop numbers and measures before, within and after noun phrases; "one dog" becomes "a dog"."""
    place = 0
    while place < len(pieces):
        end = _measure(pieces, place)
        if end > place and _modifies(pieces, place, end):
            _drop(pieces, place, end)
        place = max(end, place + 1)


def _measure(pieces: list[Piece], place: int) -> int:
    """Return the end of the measure that begins at a place; the place itself where none begins."""
    end = place
    while end < len(pieces) and _is_number(pieces, end):
        end += 1
    if end == place:
        return place + 1 if pieces[place].text and _COMPOUND.fullmatch(pieces[place].lower) else place
    while end < len(pieces) and pieces[end].lower in {"-", *UNITS, *TIMES, *MEASURED}:
        end += 1
    return end


def _is_number(pieces: list[Piece], place: int) -> bool:
    piece = pieces[place]
    if not piece.text or piece.hypernym:
        return False
    return piece.lower in NUMBER_WORDS | {"one", "$", "€", "£"} or _NUMBER.fullmatch(piece.lower) is not None


def _modifies(pieces: list[Piece], start: int, end: int) -> bool:
    """Return whether a noun follows (past adjectives), or stands before: "platform 3", "a tower 50 metres high"."""
    previous, following = before(pieces, start), after(pieces, end)
    if following < len(pieces) and pieces[following].lower == "of":
        return False  # "thousands of fans"
    if pieces[start].lower == "one" and end == start + 1:
        begins = previous < 0 or pieces[previous].word.tag not in {"DT", "PRP$", "JJ"}  # not "in a blue one piece"
        return begins and _noun_at(pieces, end) is not None
    if previous >= 0 and pieces[previous].word.text == ",":
        previous = before(pieces, previous)  # "the tower, 50 metres high, ..."
    stands = previous >= 0 and pieces[previous].word.tag in {*NOUNS, "NNP", "NNPS"}
    return _noun_at(pieces, following) is not None or stands


def _noun_at(pieces: list[Piece], place: int) -> int | None:
    while place < len(pieces) and pieces[place].text:
        if pieces[place].common_noun or pieces[place].hypernym:
            return place
        if pieces[place].word.tag not in {"JJ", "JJR", "JJS", "VBG", "VBN", "HYPH", "CD"}:
            return None
        place += 1
    return None


def _drop(pieces: list[Piece], start: int, end: int) -> None:
    previous = before(pieces, start)
    if (
        previous >= 0
        and pieces[previous].lower in APPROXIMATE
        and pieces[previous].word.tag in {"RB", "IN", "JJ", "DT"}
    ):
        pieces[previous].drop()
        previous = before(pieces, start)
    noun = _noun_at(pieces, end)
    single = pieces[start].lower == "one" and noun is not None and pieces[noun].word.tag == "NN"
    drop(pieces, start, end)
    if single:
        pieces[start].text = "a"

"""What stands around a name and decides what becomes of it."""

from photocritic.filtering.hypernyms import kinds
from photocritic.filtering.hypernyms.lexicon import LOCATIVE
from photocritic.filtering.hypernyms.names import Name
from photocritic.filtering.hypernyms.pieces import NOUNS, Piece
from photocritic.text import known_words

_MODIFIER = frozenset({"JJ", "JJR", "JJS", "VBG", "VBN", "NN", "NNP"})
_INDEFINITE = frozenset({"a", "an"})


def owns(name: Name, pieces: list[Piece]) -> bool:
    """Tell whether a name owns what follows: "Madonna's concert"."""
    if name.end >= len(pieces):
        return False
    clitic, attached = pieces[name.end].lower, not pieces[name.end - 1].word.space
    return clitic in {"'s", "’s"} or (clitic in {"'", "’"} and attached)


def modifies(name: Name, pieces: list[Piece]) -> bool:
    """Tell whether a common noun follows that the name modifies: "British Airways Airbus A319 aircraft"."""
    end = name.end
    while end + 1 < len(pieces) and pieces[end].word.tag in _MODIFIER and not pieces[end].capital:
        if pieces[end].common_noun or pieces[end + 1].word.tag not in _MODIFIER | NOUNS:
            break
        end += 1
    if end >= len(pieces) or not pieces[end].common_noun or not pieces[name.end - 1].word.space:
        return False
    if name.kind == kinds.PERSON:
        return False  # taggers take the verbs after people for nouns more often than people modify nouns
    return not _acts(name, pieces, end)


def _acts(name: Name, pieces: list[Piece], end: int) -> bool:
    """Tell whether what looks like a noun after a name is a verb that the tagger took for one."""
    leading = kinds.preposition(name, pieces)
    if leading:
        return name.kind == kinds.PLACE and leading in LOCATIVE and headed(name, pieces) and not kinds.has_verb(pieces)
    return pieces[end].word.upos == "VERB" or (headed(name, pieces) and kinds.verb_follows(name, pieces))


def headed(name: Name, pieces: list[Piece]) -> bool:
    """Tell whether a name's head is a common noun for what it names."""
    last = pieces[kinds.head_place(name, pieces)].lower
    several = name.end - name.start > 1 or name.kind in {kinds.PLACE, kinds.EVENT}
    return several and any(last in words for words, _ in kinds.HEADS)


def has_noun(name: Name, pieces: list[Piece]) -> bool:
    """Tell whether a name's head may stand for it: "the 2017 Pilgrimage Festival", "a Jack Russell Terrier"."""
    if name.kind in {kinds.EVENT, kinds.ORGANIZATION, kinds.PLACE}:
        return headed(name, pieces)
    last = pieces[name.end - 1].lower
    worded = name.end - name.start > 1 and last in known_words()
    return not name.kind and worded and kinds.determined(name, pieces, _INDEFINITE)


def is_location(name: Name, pieces: list[Piece]) -> bool:
    """Tell whether a place is the object of a preposition and goes with it: "in Los Angeles", "of Paris".

    After a preposition that leads to things as well, a place with a noun keeps that: "across the Golden Gate Bridge".
    """
    leading = kinds.preposition(name, pieces)
    return leading in LOCATIVE or (bool(leading) and not headed(name, pieces))


def continues(name: Name, previous: Name, pieces: list[Piece]) -> bool:
    """Tell whether a place stands in a row of places whose one before is dropped: "in Paris and London"."""
    between = {piece.lower for piece in pieces[previous.end : name.start]}
    return previous.dropped and bool(between) and between <= {"and", "or", "&", ",", "the"}

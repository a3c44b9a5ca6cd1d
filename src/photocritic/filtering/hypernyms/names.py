"""Where a caption names something: chains of capitalised words, and the longest matches in the knowledge base."""

from dataclasses import dataclass

from photocritic.filtering.hypernyms.entity_words import (
    ARTICLE_TAKING,
    COMMON_CAPITALS,
    CONNECTORS,
    OPENERS,
    PLACES,
    TITLES,
)
from photocritic.filtering.hypernyms.knowledge import LONGEST, Knowledge
from photocritic.filtering.hypernyms.pieces import Piece
from photocritic.text import known_words

_ENDS = frozenset(".!?:;\"'“‘(-–—|")
_PROPER = frozenset({"NNP", "NNPS"})
_MANY_CAPITALS = 0.8  # of the words: a title, whose capitals mean nothing


@dataclass
class Name:
    """A name in a caption.

    Attributes
    ----------
    start, end : int
        Its pieces, from `start` up to `end`.
    hypernym : str
        From the knowledge base; empty where that does not know it.
    kind : str
        person, place, event or organization; empty where it is unknown.
    sure : bool
        Whether the kind is known by more than the entity recogniser or the form of the name.
    dropped : bool
        Whether nothing is written for the name.
    """

    start: int
    end: int
    hypernym: str = ""
    kind: str = ""
    sure: bool = False
    dropped: bool = False


def find(pieces: list[Piece], knowledge: Knowledge) -> list[Name]:
    """Find the names in a caption, in order; none overlaps another.

    A chain of capitalised words is one name ("British Airways Airbus A319"), with numbers and connecting words within
    it. A match in the knowledge base may reach further than a chain ("Franklin, Tennessee") and joins it.
    """
    title = _mostly_capital(pieces)
    named = [_named(pieces, place, title) for place in range(len(pieces))]
    matches = _matches(pieces, named, knowledge)
    spans = sorted([*_chains(pieces, named), *((start, end) for start, end, _ in matches)])
    joined: list[Name] = []
    for start, end in spans:
        if joined and start < joined[-1].end:
            joined[-1].end = max(joined[-1].end, end)
        else:
            joined.append(Name(start, end))
    for name in joined:
        name.hypernym = _best(name, matches, pieces)
    return joined


def _best(name: Name, matches: list[tuple[int, int, str]], pieces: list[Piece]) -> str:
    """Return the hypernym of a name's last known part, if the name ends in it: the rest are its modifiers.

    A place has words for modifiers ("Northern Ireland"); other names before it make the whole another name.
    """
    for start, end, hypernym in matches:
        if end == name.end:
            place = hypernym.rsplit(maxsplit=1)[-1] in ARTICLE_TAKING | PLACES
            own = place and not all(_is_word(piece) for piece in pieces[name.start : start])  # "Whitney Houston"
            return "" if own else hypernym
    return ""


def _matches(pieces: list[Piece], named: list[bool], knowledge: Knowledge) -> list[tuple[int, int, str]]:
    """Return the longest known names from left to right: start, end, hypernym."""
    found = []
    start = 0
    while start < len(pieces):
        match = _match(pieces, named, start, knowledge) if pieces[start].capital or pieces[start].number else None
        if match is not None:
            found.append(match)
        start = match[1] if match is not None else start + 1
    return found


def _match(pieces: list[Piece], named: list[bool], start: int, knowledge: Knowledge) -> tuple[int, int, str] | None:
    """Return the longest known name that begins at `start`; one of its words at least must look like a name's."""
    for end in range(min(start + LONGEST + 2, len(pieces)), start, -1):
        span = pieces[start:end]
        if span[-1].is_word and any(named[start:end]):
            hypernym = knowledge.hypernym(" ".join(piece.word.text for piece in span))
            if hypernym:
                return start, end, hypernym
    return None


def _chains(pieces: list[Piece], named: list[bool]) -> list[tuple[int, int]]:
    """Return the runs of name words."""
    chains = []
    place = 0
    while place < len(pieces):
        if not named[place]:
            place += 1
            continue
        start = place
        while start and pieces[start - 1].number and pieces[start - 1].word.space:
            start -= 1  # "the 2017 Pilgrimage Festival", "29th American Film Festival"
        place = _end(pieces, named, place)
        chains.append((start, place))
    return chains


def _end(pieces: list[Piece], named: list[bool], place: int) -> int:
    """Return the end of the chain that begins at `place`: connecting words and numbers belong to it."""
    while place < len(pieces):
        coded = pieces[place].number and pieces[place - 1].word.space  # "Airbus 319"
        linked = place + 1 < len(pieces) and named[place + 1] and _connects(pieces, place)
        if named[place] or coded or linked:
            place += 1
        elif _opens_compound(pieces, place, named):
            place += 2
        else:
            break
    return place


def _connects(pieces: list[Piece], place: int) -> bool:
    lower = pieces[place].lower
    if lower == "of":  # "Museum of Modern Art", but not "Harrison Ford of America"
        return pieces[place - 1].lower in known_words() or pieces[place - 1].lower in TITLES
    return lower in CONNECTORS - {"the"} or (lower in {"-", "–"} and not pieces[place - 1].word.space)


def _opens_compound(pieces: list[Piece], place: int, named: list[bool]) -> bool:
    """Return whether "of the" follows, within a name: "Queen of the Netherlands"."""
    ahead = [piece.lower for piece in pieces[place : place + 2]]
    return ahead == ["of", "the"] and place + 2 < len(pieces) and named[place + 2] and _connects(pieces, place)


def _named(pieces: list[Piece], place: int, title: bool) -> bool:
    """Return whether a word belongs to a name: it is capitalised, and no function word.

    The first word of a sentence is capitalised anyway: it needs to be unknown as a word, or to be tagged as a name with
    another name word after it.
    """
    piece = pieces[place]
    if not piece.capital or piece.lower in COMMON_CAPITALS or (piece.closed and piece.word.tag not in _PROPER):
        return False
    if place > 1 and pieces[place - 1].word.text == "-" and not pieces[place - 2].capital:
        return False  # "tri-Coloured"
    proper = piece.word.tag in _PROPER or bool(piece.word.entity)
    if title:
        return proper and not _is_word(piece)
    if _begins(pieces, place):
        return proper and not piece.role and (not _is_word(piece) or _followed(pieces, place))
    return True


def _is_word(piece: Piece) -> bool:
    return piece.lower in known_words() or piece.lower in OPENERS


def _followed(pieces: list[Piece], place: int) -> bool:
    """Return whether a capitalised word follows that is no function word."""
    following = pieces[place + 1] if place + 1 < len(pieces) else None
    return following is not None and following.capital and not following.closed


def _begins(pieces: list[Piece], place: int) -> bool:
    return not any(piece.is_word for piece in pieces[:place]) or pieces[place - 1].word.text in _ENDS


def _mostly_capital(pieces: list[Piece]) -> bool:
    words = [piece for piece in pieces if piece.is_word and not piece.number]
    return sum(piece.capital for piece in words) > _MANY_CAPITALS * len(words)

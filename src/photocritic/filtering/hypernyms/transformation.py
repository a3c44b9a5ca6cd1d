"""The transformation of one caption: its names become hypernyms, or are dropped as modifiers or as places."""

from dataclasses import dataclass
from typing import NamedTuple

from photocritic.filtering.hypernyms import entity_kinds, modifiers, names, rendering
from photocritic.filtering.hypernyms.entity_words import ARTICLE_TAKING, ORGANIZATION_MARKS, REGIONS
from photocritic.filtering.hypernyms.knowledge import Knowledge
from photocritic.filtering.hypernyms.names import Name
from photocritic.filtering.hypernyms.pieces import DETERMINERS, Piece, before, drop, pieces_of
from photocritic.text import Word

UNRESOLVED = "unresolved_name"


@dataclass(frozen=True)
class Fallbacks:
    """What names become that the knowledge base lacks, by their kind; a kind without word leaves the name unresolved.

    Attributes
    ----------
    person, organization, place : str
        The hypernyms.
    """

    person: str = "person"
    organization: str = "organization"
    place: str = ""

    def of(self, kind: str) -> str:
        """Return the word for a kind."""
        return {
            entity_kinds.PERSON: self.person,
            entity_kinds.ORGANIZATION: self.organization,
            entity_kinds.PLACE: self.place,
        }.get(kind, "")


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


def transform(words: list[Word], knowledge: Knowledge, fallbacks: Fallbacks) -> Transformed:
    """Transform a parsed caption (CC section 3): names to hypernyms, modifiers and locations dropped, equals merged.

    Parameters
    ----------
    words : list of Word
        The parse of what `without_dates_and_titles` returned.
    knowledge : Knowledge
        Names and their hypernyms.
    fallbacks : Fallbacks
        What names become that it lacks.
    """
    pieces = pieces_of(words)
    resolved = _substitute(pieces, names.find(pieces, knowledge), fallbacks)
    modifiers.drop_numbers(pieces)
    hypernyms = [piece.text.removeprefix("a ") for piece in pieces if piece.hypernym and piece.text]
    rendering.merge_equal(pieces)
    return Transformed(rendering.render(pieces), hypernyms, "" if resolved else UNRESOLVED)


def _substitute(pieces: list[Piece], names: list[Name], fallbacks: Fallbacks) -> bool:
    """Replace or drop each name of a caption.

    Returns
    -------
    bool
        False where a name could neither be replaced nor be dropped.
    """
    for name in names:
        entity_kinds.classify(name, pieces)
    _cluster(names, pieces)
    _agree(names, pieces)
    joined = _with_regions(names, pieces)
    rows = zip(joined, [None, *joined][: len(joined)], strict=True)
    resolved = [_resolve(name, previous, pieces, fallbacks) for name, previous in rows]
    return all(resolved)


def _cluster(names: list[Name], pieces: list[Piece]) -> None:
    """Set one hypernym for all mentions of a person in a caption: "Barack Obama" and then "Obama" or "Barack"."""
    for long in names:
        words = [piece.lower for piece in pieces[long.start : long.end]]
        for short in names:
            part = [piece.lower for piece in pieces[short.start : short.end]]
            begins_or_ends = len(part) < len(words) and part in (words[: len(part)], words[-len(part) :])
            if long.kind == entity_kinds.PERSON and begins_or_ends and not short.hypernym:
                short.hypernym, short.kind = long.hypernym, long.kind


def _agree(names: list[Name], pieces: list[Piece]) -> None:
    """Set one kind for people in a list, where some of them were taken for places, organizations or nothing."""
    row: list[Name] = []
    for name in names:
        linked = row and {piece.word.text for piece in pieces[row[-1].end : name.start]} <= {",", "and", "&"}
        if not linked:
            row = []
        row.append(name)
        others = [one for one in row if one.kind != entity_kinds.PERSON]
        if len(others) < len(row) and not any(one.sure for one in others):
            for one in others:
                one.kind = entity_kinds.PERSON


def _with_regions(names: list[Name], pieces: list[Piece]) -> list[Name]:
    """Join a place and the region after a comma ("Bristol, UK"), a company and its form ("Smith, Inc.")."""
    joined: list[Name] = []
    for name in names:
        last = joined[-1] if joined else None
        if (
            last is not None
            and _after_comma(last, name, pieces)
            and (_is_region(last, name, pieces) or pieces[name.start].lower in ORGANIZATION_MARKS)
        ):
            last.end = name.end
        else:
            joined.append(name)
    return joined


def _after_comma(last: Name, name: Name, pieces: list[Piece]) -> bool:
    return [piece.word.text for piece in pieces[last.end : name.start]] == [","]


def _is_region(place: Name, name: Name, pieces: list[Piece]) -> bool:
    ends = name.end == len(pieces) or not (pieces[name.end].is_word and entity_kinds.verb_follows(name, pieces))
    if name.hypernym:
        return place.kind == entity_kinds.PLACE and name.hypernym.rsplit(maxsplit=1)[-1] in REGIONS
    regional = name.kind != entity_kinds.EVENT and not _listed(name, pieces)
    return place.kind == entity_kinds.PLACE and regional and ends


def _listed(name: Name, pieces: list[Piece]) -> bool:
    """Return whether a person's name follows as a member of a list: "in Paris, Anna and Jim ..."."""
    return name.kind == entity_kinds.PERSON and name.end < len(pieces) and pieces[name.end].lower in {"and", "&", ","}


def _resolve(name: Name, previous: Name | None, pieces: list[Piece], fallbacks: Fallbacks) -> bool:
    if entity_kinds.owns(name, pieces):
        _drop_owner(name, pieces)
    elif entity_kinds.modifies(name, pieces):
        drop(pieces, name.start, name.end)
    elif name.hypernym:
        _put(name, pieces, name.hypernym)
    elif name.kind == entity_kinds.PLACE and entity_kinds.is_location(name, pieces):
        _drop_location(name, entity_kinds.preposition_place(name, pieces), pieces)
    elif name.kind == entity_kinds.PLACE and previous is not None and entity_kinds.continues(name, previous, pieces):
        _drop_location(name, previous.end, pieces)
    elif entity_kinds.has_noun(name, pieces):
        _keep_head(name, pieces)
    elif fallbacks.of(name.kind):
        _put(name, pieces, fallbacks.of(name.kind))
    else:
        return entity_kinds.has_common_words(name, pieces)  # which stay as they are, in lower case
    return True


def _drop_location(name: Name, start: int, pieces: list[Piece]) -> None:
    drop(pieces, start, name.end)
    name.dropped = True


def _drop_owner(name: Name, pieces: list[Piece]) -> None:
    """Write an article for an owner: "Madonna's concert" becomes "the concert"."""
    previous = before(pieces, name.start)
    while previous >= 0 and pieces[previous].role:
        pieces[previous].drop()
        previous = before(pieces, previous)
    drop(pieces, name.start, name.end + 1)
    if previous < 0 or pieces[previous].lower not in DETERMINERS:
        pieces[name.start].text = "the"


def _keep_head(name: Name, pieces: list[Piece]) -> None:
    head = entity_kinds.head_place(name, pieces)
    drop(pieces, name.start, name.end)
    pieces[head].replace(pieces[head].lower)


def _put(name: Name, pieces: list[Piece], hypernym: str) -> None:
    """Write a hypernym for a name, its definite article and the occupations before it."""
    drop(pieces, name.start, name.end)
    previous = before(pieces, name.start)
    while name.kind == entity_kinds.PERSON and previous >= 0 and pieces[previous].role:
        pieces[previous].drop()
        previous = before(pieces, previous)
    bare = previous < 0 or pieces[previous].lower not in DETERMINERS
    if not bare and pieces[previous].lower == "the":
        pieces[previous].drop()
        bare = True
    settled = hypernym.rsplit(maxsplit=1)[-1] in ARTICLE_TAKING
    pieces[name.start].replace(f"a {hypernym}" if settled and bare else hypernym)

"""Names become hypernyms, or go: as modifiers of a noun, or as places that a preposition leads to."""

from dataclasses import dataclass

from photocritic.filtering.hypernyms import kinds, surroundings
from photocritic.filtering.hypernyms.lexicon import ARTICLE_TAKING, ORGANIZATION_MARKS
from photocritic.filtering.hypernyms.names import Name
from photocritic.filtering.hypernyms.pieces import DETERMINERS, Piece, before, drop


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
        """Give the word for a kind."""
        return {kinds.PERSON: self.person, kinds.ORGANIZATION: self.organization, kinds.PLACE: self.place}.get(kind, "")


def substitute(pieces: list[Piece], names: list[Name], fallbacks: Fallbacks) -> bool:
    """Replace or drop each name of a caption.

    Returns
    -------
    bool
        False where a name could neither be replaced nor be dropped.
    """
    for name in names:
        kinds.classify(name, pieces)
    _agree(names, pieces)
    joined = _with_regions(names, pieces)
    rows = zip(joined, [None, *joined][: len(joined)], strict=True)
    resolved = [_resolve(name, previous, pieces, fallbacks) for name, previous in rows]
    return all(resolved)


def _agree(names: list[Name], pieces: list[Piece]) -> None:
    """Give people in a list one kind, where some of them were taken for places, organizations or nothing."""
    row: list[Name] = []
    for name in names:
        linked = row and {piece.word.text for piece in pieces[row[-1].end : name.start]} <= {",", "and", "&"}
        if not linked:
            row = []
        row.append(name)
        others = [one for one in row if one.kind != kinds.PERSON]
        if len(others) < len(row) and not any(one.sure for one in others):
            for one in others:
                one.kind = kinds.PERSON


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
    ends = name.end == len(pieces) or not (pieces[name.end].is_word and kinds.verb_follows(name, pieces))
    regional = name.kind != kinds.EVENT and not name.hypernym and not _listed(name, pieces)
    return place.kind == kinds.PLACE and regional and ends


def _listed(name: Name, pieces: list[Piece]) -> bool:
    """Tell whether a person's name follows as a member of a list: "in Paris, Anna and Jim ..."."""
    return name.kind == kinds.PERSON and name.end < len(pieces) and pieces[name.end].lower in {"and", "&", ","}


def _resolve(name: Name, previous: Name | None, pieces: list[Piece], fallbacks: Fallbacks) -> bool:
    if surroundings.owns(name, pieces):
        _drop_owner(name, pieces)
    elif surroundings.modifies(name, pieces):
        drop(pieces, name.start, name.end)
    elif name.hypernym:
        _put(name, pieces, name.hypernym)
    elif name.kind == kinds.PLACE and surroundings.is_location(name, pieces):
        _drop_location(name, kinds.preposition_place(name, pieces), pieces)
    elif name.kind == kinds.PLACE and previous is not None and surroundings.continues(name, previous, pieces):
        _drop_location(name, previous.end, pieces)
    elif surroundings.has_noun(name, pieces):
        _keep_head(name, pieces)
    elif fallbacks.of(name.kind):
        _put(name, pieces, fallbacks.of(name.kind))
    else:
        return False
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
    head = kinds.head_place(name, pieces)
    drop(pieces, name.start, name.end)
    pieces[head].replace(pieces[head].lower)


def _put(name: Name, pieces: list[Piece], hypernym: str) -> None:
    """Write a hypernym for a name, its definite article and the occupations before it."""
    drop(pieces, name.start, name.end)
    previous = before(pieces, name.start)
    while name.kind == kinds.PERSON and previous >= 0 and pieces[previous].role:
        pieces[previous].drop()
        previous = before(pieces, previous)
    bare = previous < 0 or pieces[previous].lower not in DETERMINERS
    if not bare and pieces[previous].lower == "the":
        pieces[previous].drop()
        bare = True
    settled = hypernym.rsplit(maxsplit=1)[-1] in ARTICLE_TAKING
    pieces[name.start].replace(f"a {hypernym}" if settled and bare else hypernym)

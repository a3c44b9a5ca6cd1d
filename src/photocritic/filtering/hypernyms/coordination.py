"""Several entities of one kind become one plural: "actor and actor" is "actors"."""

from photocritic.filtering.hypernyms.pieces import Piece, after
from photocritic.filtering.hypernyms.plural import plural

_LINKS = frozenset({",", "and", "&", "or"})
_ARTICLES = frozenset({"a", "an", "the"})


def merge(pieces: list[Piece]) -> None:
    """Merge rows of equal hypernyms that commas and "and" link into the plural of the first."""
    place = 0
    while place < len(pieces):
        end = _last_equal(pieces, place) if pieces[place].hypernym and pieces[place].text else place
        if end > place:
            first = pieces[place]
            first.text = plural(_bare(first.text))
            for piece in pieces[place + 1 : end + 1]:
                piece.drop()
            _drop_article(pieces, place)
        place = end + 1


def _last_equal(pieces: list[Piece], place: int) -> int:
    """Give the place of the last hypernym that equals the one at `place` and is linked to it."""
    head, last = _bare(pieces[place].text), place
    while True:
        at = after(pieces, last + 1)
        linked = False
        while at < len(pieces) and (pieces[at].text in _LINKS or (linked and pieces[at].text in _ARTICLES)):
            linked = True
            at = after(pieces, at + 1)
        if not linked or at >= len(pieces) or not pieces[at].hypernym or _bare(pieces[at].text) != head:
            return last
        last = at


def _bare(text: str) -> str:
    return text.removeprefix("a ").removeprefix("an ")


def _drop_article(pieces: list[Piece], place: int) -> None:
    """Drop "a" before what is now a plural."""
    place -= 1
    while place >= 0 and not pieces[place].text:
        place -= 1
    if place >= 0 and pieces[place].text.lower() in {"a", "an"}:
        pieces[place].drop()

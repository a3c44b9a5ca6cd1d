"""The transformed caption as text: equal hypernyms merged, articles and punctuation repaired, flaws found."""

import re

from photocritic.filtering.hypernyms.pieces import Piece, after
from photocritic.text import Tagged

TOO_SHORT, INCONSISTENT = "transformed_too_short", "transformed_inconsistent"

_VOWEL = re.compile(r"(?:[aeio]|u(?!ni(?!m|n)|s\b|s[ae]|k|ti|ro)|hour|honest|honou?r|heir)", re.IGNORECASE)
_GAP = "\x00"  # stands for a word that was dropped, until the punctuation around it is put right
_REPAIRS = [
    (rf"\(\s*{_GAP}[\s{_GAP}]*\)|\[\s*{_GAP}[\s{_GAP}]*\]", _GAP),  # emptied brackets
    (rf"[,;]\s*{_GAP}[\s{_GAP}]*[,;]|[,;]\s*{_GAP}[\s{_GAP}]*(?=(?:in|on|at|with|and|during|from)\b)", " "),
    (rf"{_GAP}[\s{_GAP}]*([,;])\s*(?=(?:and|or)\b)", " "),
    (rf"\s*{_GAP}", " "),
    (r"\s+([,.;:!?)])", r"\1"),
    (r"([(\[])\s+", r"\1"),
    (r"(?:,\s*){2,}", ", "),
    (r"[,:]\s*(?=[.;:!?)])", ""),
    (r"(?:^|(?<=[.!?] ))[\s,;:&-]+", ""),
    (r"^(?:and|or|but)\s", ""),
    (r"(?:[\s,;:&–—-]|\s(?:and|or))+(?=\.?$)", ""),
    (r"\b(?:the|an?)\s(?=(?:the|an?)\b)", ""),
    (r"\b(?:and|or),?\s(?=(?:and|or)\b)", ""),
    (r"\s{2,}", " "),
]
_DANGLING = re.compile(
    r"\b(?:a|an|the|of|in|at|from|by|with|for|to|and|or|near|into|his|their|its|'s)[\s,]*(?:[.;:!?)]|$)"
    r"|\b(?:of|at|from|with|into|by)\s+(?:of|at|from|with|into|by|in|during)\b|\b(?:a|an|the)\s+(?:of|in|at|from|and|with|to)\b"
)
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_LINKS = frozenset({",", "and", "&", "or"})
_ARTICLES = frozenset({"a", "an", "the"})
_IRREGULAR = {
    "person": "people", "man": "men", "woman": "women", "child": "children", "foot": "feet", "tooth": "teeth",
    "goose": "geese", "mouse": "mice", "ox": "oxen", "wife": "wives", "knife": "knives", "life": "lives",
    "wolf": "wolves", "leaf": "leaves", "half": "halves", "calf": "calves", "shelf": "shelves", "thief": "thieves",
    "loaf": "loaves", "hero": "heroes", "potato": "potatoes", "tomato": "tomatoes", "echo": "echoes",
    "series": "series", "species": "species", "aircraft": "aircraft", "spacecraft": "spacecraft", "sheep": "sheep",
    "deer": "deer", "fish": "fish", "police": "police", "people": "people", "bus": "buses", "quiz": "quizzes",
}  # fmt: skip
_REGULAR = frozenset({"human", "german", "roman", "shaman"})  # their "man" is no man


def merge_equal(pieces: list[Piece]) -> None:
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
    """Return the place of the last hypernym that equals the one at `place` and is linked to it."""
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


def plural(phrase: str) -> str:
    """Return the plural of a noun or of a phrase that ends in its head.

    Examples
    --------
    >>> [plural(noun) for noun in ("pop artist", "person", "city", "businesswoman", "actress", "head of state")]
    ['pop artists', 'people', 'cities', 'businesswomen', 'actresses', 'heads of state']
    """
    head, of, rest = phrase.partition(" of ")
    first, space, noun = head.rpartition(" ")
    return first + space + _plural_noun(noun) + of + rest


def _plural_noun(noun: str) -> str:
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith("man") and noun not in _REGULAR:
        return noun[:-2] + "en"
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if re.search(r"(?:s|x|z|ch|sh)$", noun) else "s")


def render(pieces: list[Piece]) -> str:
    """Return a caption's text in lower case: spaces as they were, articles that fit, no traces of what was dropped."""
    _fit_articles(pieces)
    text = "".join((piece.text or _GAP) + " " * piece.word.space for piece in pieces)
    for pattern, repaired in _REPAIRS:
        text = re.sub(pattern, repaired, text)
    return text.strip().lower()


def _fit_articles(pieces: list[Piece]) -> None:
    """Set "a" or "an" as the next word wants it, where that is not the word that stood there."""
    for place, piece in enumerate(pieces):
        following = after(pieces, place + 1)
        if piece.text.lower() in {"a", "an"} and following < len(pieces):
            if following > place + 1 or pieces[following].hypernym:
                piece.text = _article(pieces[following].text)
        elif piece.text.startswith("a ") and piece.hypernym:
            piece.text = f"{_article(piece.text[2:])} {piece.text[2:]}"


def _article(word: str) -> str:
    return "an" if _VOWEL.match(word) else "a"


def flaw(text: str, tagged: Tagged, min_words: int) -> str:
    """Return the reason why a transformed text is no caption any more; empty where it is one.

    Parameters
    ----------
    text : str
        From `render`.
    tagged : Tagged
        Its words.
    min_words : int
        The fewest words that make a caption.
    """
    words = [word for word in tagged.words if any(map(str.isalnum, word))]
    if len(words) < min_words:
        return TOO_SHORT
    if not _NOUNS.intersection(tagged.tags) or _DANGLING.search(text):
        return INCONSISTENT
    return ""

"""Web comments split into sentences: at end marks, however they are written, and into clauses where there are none."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from photocritic.text.clauses import clause_starts
from photocritic.text.tagging import Tagged

_FACE = r"(?: [:;=8] ['^o-]? [()\[\]{}DPpOo3/\\|*]+ (?! \w ) | <3+ (?! \d ) | \^_*\^ )"
# What may end a sentence: marks with the quotes, brackets and emoticons after them, line breaks, and emoticons alone.
# A run of marks is tried at its beginning only, so that no text takes more than linear time.
_BREAK = re.compile(
    rf"""
      (?<! [.!?…] ) (?<! [.!?…][ ] ) (?P<marks> [.!?…] (?: [ ]? [.!?…] )* ) (?P<closing> ["'”’»)\]*]* )
      (?P<faces> (?: \s* {_FACE} )* ) (?: (?P<space> \s+ ) (?= \S ) | (?= ["'“‘(]? [^\W\d_] ) )
    | (?P<line> \n \s* ) (?= \S )
    | (?<= \s ) {_FACE} \s+ (?= ["“(]? [A-Z0-9] )
    """,
    re.VERBOSE,
)
# What ends in a point and begins no sentence: always, or where the next word is in lower case.
_TITLES = re.compile(r"(?<![^\W_])(?:mrs?|ms|dr|prof|st|mt|vs|no|approx|fig|cf|ca|i\.?e|e\.?g)$", re.IGNORECASE)
_ABBREVIATIONS = re.compile(
    r"""(?<! [^\W_] ) (?: etc | jr | sr | inc | ltd | co | corp | dept | est | min | max | ave | blvd | rd | esp | incl
      | ref | vol | ed | pts? | hrs? | secs? | al | hon | rev | a\.k\.a | (?: [^\W\d_] \. )+ [^\W\d_] ) $""",
    re.VERBOSE | re.IGNORECASE,
)
_INITIAL = re.compile(r"(?:^|[\s(\"])[A-HJ-Z]$")  # "J. Smith"
_ITEM = re.compile(r"\s*[([]?(?:\d{1,3}|[a-zA-Z])$")  # "2. Crop tighter."
# Ends of names of sites and files, which no sentence begins with: "dpchallenge.com", "boat.jpg".
_NAMES = re.compile(
    r"(?:com|net|org|edu|gov|info|biz|co|uk|us|ca|au|de|tv|jpe?g|png|gif|tiff?|nef|raw|psd|html?|php|pdf|docx?|txt|exe|js)\b",
    re.IGNORECASE,
)
_NAME_MARKS = re.compile(r"[/\\@_#]|www\.", re.IGNORECASE)
_OPENING = "\"'“‘([*"
_WRAPPED = 50  # characters of a line that may have been broken within a sentence
_END_MARKS, _MARKS = re.compile(r"[.!?…]"), re.compile(r"[.!?…,;:]")
_LONG, _LONG_BARE = 25, 12  # words without an end mark from which on there may be several clauses


def split_sentences(
    texts: Sequence[str], tag: Callable[[Sequence[str]], list[Tagged]], most: int = 1_000_000
) -> list[list[str]]:
    """Split comments into their sentences.

    A sentence ends at its marks ("!!!", "...", quotes, brackets and emoticons included), also where no space follows
    them ("great shot.I love it"), and at the ends of lines. Points of abbreviations, numbers, names of sites and lists
    are no ends. Long texts without an end mark are split where a clause begins (`clauses.clause_starts`).

    Parameters
    ----------
    texts : sequence of str
        Comments as they were written, or cleaned.
    tag : callable
        Returns words and tags of texts, such as `FastTagger.tag`.
    most : int
        Sentences of a text; the last one has all that follows.

    Returns
    -------
    list of list of str
        The sentences of each text, at least one, without the white space around them; but for that, they make up the
        text. A text of one sentence stays as it is.
    """
    starts = [list(_at_marks(text)) for text in texts]
    long = [(row, *piece) for row, text in enumerate(texts) for piece in _without_marks(text, starts[row])]
    pieces = [texts[row][begin:end] for row, begin, end in long]
    for (row, begin, _), piece, tagged in zip(long, pieces, tag(pieces), strict=True):
        starts[row] += [begin + place for place in _at_clauses(piece, tagged)]
    return [_cut(text, sorted(found), most) for text, found in zip(texts, starts, strict=True)]


def _cut(text: str, starts: list[int], most: int) -> list[str]:
    """Cut a text at the places where sentences begin; what has no letter and no digit belongs to its neighbour."""
    places = [0]
    for start, end in pairwise([*starts, len(text)]):
        has_words = any(map(str.isalnum, text[start:end])) and any(map(str.isalnum, text[places[-1] : start]))
        if has_words and len(places) < most:
            places.append(start)
    if len(places) == 1:
        return [text]
    return [text[start:end].strip() for start, end in pairwise([*places, len(text)])]


def _at_marks(text: str) -> Iterator[int]:
    """Yield the places where a sentence begins after an end mark, or in a new line."""
    begin = 0
    for found in _BREAK.finditer(text, 0, len(text.rstrip())):  # white space at the end would be tried from each place
        if _ends(text, begin, found):
            begin = found.end()
            yield begin


def _ends(text: str, begin: int, found: re.Match[str]) -> bool:
    """Return whether a sentence that begins at a place ends where marks were found."""
    following = text[found.end() : found.end() + 2].lstrip(_OPENING)[:1]
    if found["line"] is not None:
        line = found.start() - text.rfind("\n", 0, found.start()) - 1
        return not following.islower() or line < _WRAPPED
    marks = found["marks"]
    if marks is None or found["faces"] or "\n" in (found["space"] or ""):
        return True
    if found["space"] is None:
        return _is_glued(text, found)
    if marks == "." and not found["closing"]:
        return not _is_point_of_word(text[begin : found.start()], following)
    is_loud = "!" in marks or "?" in marks
    return not following.islower() or (is_loud and not found["closing"])


def _is_point_of_word(before: str, following: str) -> bool:
    """Return whether a single point belongs to the word before it, or to a number that begins the sentence."""
    end = before[-12:]
    if _ITEM.fullmatch(before) or _INITIAL.search(end) or _TITLES.search(end):
        return True
    return following.islower() and _ABBREVIATIONS.search(end) is not None


def _is_glued(text: str, found: re.Match[str]) -> bool:
    """Return whether a sentence begins right after the marks, without a space."""
    marks, right = found["marks"], text[found.end() : found.end() + 40].split(maxsplit=1)[0]
    left = text[max(0, found.start() - 40) : found.start()].rpartition(" ")[2]
    if _NAME_MARKS.search(left) or _NAME_MARKS.search(right) or not left[-2:].isalpha() or len(left) < 2:
        return False
    if marks[0] == "." and (_NAMES.match(right) or _END_MARKS.search(left) or "." in right.rstrip(".!?…,;:\"')")):
        return False
    if left[-1].isupper() or right[1:2].isupper():
        return False
    return right[0].isupper() or (len(marks) == 1 and right[:2].islower() and right[:2].isalpha())


def _without_marks(text: str, starts: list[int]) -> Iterator[tuple[int, int]]:
    """Yield beginning and end of what is so long without an end mark that it may be several clauses."""
    least = _LONG if _MARKS.search(text) else _LONG_BARE
    for begin, end in pairwise([0, *starts, len(text)]):
        piece = text[begin:end]
        if len(piece) > 2 * least and not _END_MARKS.search(piece) and len(piece.split()) > least:
            yield begin, end


def _at_clauses(text: str, tagged: Tagged) -> Iterator[int]:
    """Yield the places where clauses begin, but for the first."""
    starts, end = set(clause_starts(tagged)), 0
    for number, word in enumerate(tagged.words):
        place = text.find(word, end)
        if place >= 0:
            end = place + len(word)
            if number in starts:
                yield place

"""The transformed caption as text, and whether it still is one."""

import re

from photocritic.filtering.hypernyms.pieces import Piece, after
from photocritic.text import Tagged

TOO_SHORT, INCONSISTENT = "transformed_too_short", "transformed_inconsistent"

_VOWEL = re.compile(r"(?:[aeio]|u(?!ni(?!m|n)|s[ae]|k|ti|ro)|hour|honest|honou?r|heir)", re.IGNORECASE)
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


def render(pieces: list[Piece]) -> str:
    """Write a caption in lower case: spaces as they stood, articles that fit, no leftovers of what was dropped."""
    _fit_articles(pieces)
    text = "".join((piece.text or _GAP) + " " * piece.word.space for piece in pieces)
    for pattern, repaired in _REPAIRS:
        text = re.sub(pattern, repaired, text)
    return text.strip().lower()


def _fit_articles(pieces: list[Piece]) -> None:
    """Write "a" or "an" as the next word wants it, where that is not the word that stood there."""
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
    """Give the reason why a transformed text is no caption any more; empty where it is one.

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

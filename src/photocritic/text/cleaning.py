"""Generic cleaning of web comments (AIC section 3): what no text processing should see."""

import html
import re
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from photocritic.config import Block

_TAG = re.compile(r"</?[a-z][^<>]{0,1000}>|<!--.{0,1000}?-->", re.IGNORECASE | re.DOTALL)
_BBCODE = re.compile(r"\[/?(?:b|i|u|s|url|img|quote|color|size|thumb|user)\b[^\[\]]{0,200}\]", re.IGNORECASE)
_LINK = re.compile(
    r"""(?: (?:https?|ftp):// | www\. ) \S+
      | [\w.+-]{1,64} @ [\w.-]{1,99} \. \w{2,}
      | \b [\w-]{1,63} \. (?:com|net|org) \b (?: / \S* )?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\U00002600-\U000027bf\U00002b00-\U00002bff\U00002190-\U000021ff\U00002300-\U000023ff"
    "\U0000fe00-\U0000fe0f\U000e0000-\U000e007f\U0000200d\U000020e3]+"
)
_EMOTICON = re.compile(r"(?<!\w)[:;=8][-'o^]{0,2}[()\[\]{}dpox|/\\*3]+(?!\w)|<3+(?!\d)|\^_*\^", re.IGNORECASE)
_REPEATED = re.compile(r"([!?,;:~*=_#-])(?:\s*\1)+")
_ELLIPSIS = re.compile(r"(?:\.\s?){2,}|…+")
_MIXED = re.compile(r"[!?]{2,}")
_GLUED = re.compile(r"(?<=[a-z]{2})([.,!?;])(?=[A-Za-z]{2})")
# Unambiguous in a comment on a photograph; "PS", "ROT" and "SS" are not, so they stay.
_ACRONYMS = {
    "b&w": "black and white", "b/w": "black and white", "bw": "black and white", "bg": "background",
    "btw": "by the way",
    "dof": "depth of field", "fg": "foreground", "gr8": "great", "idk": "I don't know", "iirc": "if I recall correctly",
    "imho": "in my humble opinion", "imo": "in my opinion", "oof": "out of focus", "pls": "please", "plz": "please",
    "pov": "point of view", "ppl": "people", "thx": "thanks", "w/": "with", "w/o": "without", "wtg": "way to go",
}  # fmt: skip
_ACRONYM = re.compile(
    rf"(?<![\w&/])(?:{'|'.join(sorted(map(re.escape, _ACRONYMS), key=len, reverse=True))})(?![\w&/])", re.IGNORECASE
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_SPACE = re.compile(r"\s+")


class Cleaning(Block):
    """What is cleaned.

    Attributes
    ----------
    characters : bool
        Repair mojibake ("donâ€™t") and HTML entities; typographic quotes become plain ones.
    markup, links, emoji : bool
        Take out tags and BBCode; addresses; emoji and emoticons.
    punctuation : bool
        "!!!!" becomes "!", ellipses are written "...", a space is set where a sentence is glued to the next.
    acronyms : bool
        Write colloquial acronyms out: "DOF" becomes "depth of field".
    """

    characters: bool = True
    markup: bool = True
    links: bool = True
    emoji: bool = True
    punctuation: bool = True
    acronyms: bool = True


def clean(text: str, wanted: Cleaning = Cleaning()) -> str:  # noqa: B008 - frozen
    """Take out of a comment what no text processing should see; white space becomes single spaces.

    Parameters
    ----------
    text : str
        A comment as it was written, in any encoding state.
    wanted : Cleaning
        What is cleaned.

    Returns
    -------
    str
        The cleaned comment; empty where nothing is left.
    """
    if wanted.characters:
        text = _repaired(text)
    if wanted.markup and ("<" in text or "[" in text):
        text = _BBCODE.sub(" ", _TAG.sub(" ", text))
    if wanted.links:
        text = _LINK.sub(" ", text)
    if wanted.emoji:
        text = _EMOTICON.sub(" ", text if text.isascii() else _EMOJI.sub(" ", text))
    if wanted.punctuation:
        text = _REPEATED.sub(r"\1", _MIXED.sub(_loudest, _ELLIPSIS.sub(" ... ", text)))
        text = _GLUED.sub(r"\1 ", text)
    if wanted.acronyms:
        text = _ACRONYM.sub(_written_out, text)
    return _SPACE.sub(" ", text).strip()


def chain_cleaner(chain: Sequence[str | dict[str, dict[str, Any]]]) -> Callable[[str], str]:
    """Return the function that cleans a text as the filters `clean` of a chain do; without one it changes nothing.

    Reference captions pass through it, so that captioners and those who measure them share their words. Typos stay:
    what is one, the filter learns from a whole corpus.

    Parameters
    ----------
    chain : sequence of str or dict
        `filter.chain` of params.yaml.
    """
    entries: list[dict[str, dict[str, Any]]] = [{entry: {}} if isinstance(entry, str) else entry for entry in chain]
    wanted = [Cleaning.model_validate(entry["clean"] or {}) for entry in entries if "clean" in entry]
    return lambda text: reduce(clean, wanted, text)


def _written_out(acronym: re.Match[str]) -> str:
    return _ACRONYMS[acronym.group().lower()]


def _loudest(marks: re.Match[str]) -> str:
    return "?" if "?" in marks.group() else "!"


def _repaired(text: str) -> str:
    if "&" in text:
        text = html.unescape(text)
    if not text.isascii():
        import ftfy

        text = ftfy.fix_text(text, normalization="NFKC")
    return _CONTROL.sub(" ", text)

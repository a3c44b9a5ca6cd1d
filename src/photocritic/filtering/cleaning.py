"""Generic cleaning of web comments (AIC section 3): what no text processing should see."""

import html
import re

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
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_SPACE = re.compile(r"\s+")


def clean(text: str) -> str:
    """Take markup, links, emoji and repeated punctuation out of a comment, and repair its characters.

    Mojibake ("donâ€™t") and HTML entities are decoded, typographic quotes become plain ones, ellipses are written
    "...", "!!!!" becomes "!", a space is set where a sentence is glued to the next, white space becomes single spaces.

    Parameters
    ----------
    text : str
        A comment as it was written, in any encoding state.

    Returns
    -------
    str
        The cleaned comment; empty where nothing is left.
    """
    text = _repaired(text)
    if "<" in text or "[" in text:
        text = _BBCODE.sub(" ", _TAG.sub(" ", text))
    text = _LINK.sub(" ", text)
    if not text.isascii():
        text = _EMOJI.sub(" ", text)
    text = _ELLIPSIS.sub(" ... ", _EMOTICON.sub(" ", text))
    text = _REPEATED.sub(r"\1", _MIXED.sub(_loudest, text))
    return _SPACE.sub(" ", _GLUED.sub(r"\1 ", text)).strip()


def _loudest(marks: re.Match[str]) -> str:
    return "?" if "?" in marks.group() else "!"


def _repaired(text: str) -> str:
    if "&" in text:
        text = html.unescape(text)
    if not text.isascii():
        import ftfy

        text = ftfy.fix_text(text, normalization="NFKC")
    return _CONTROL.sub(" ", text)

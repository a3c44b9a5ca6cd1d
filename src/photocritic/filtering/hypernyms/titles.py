"""Titles in quotation marks: works that no photograph shows."""

import re

_LEAD = r"(?:\s*\b(?:of|in|for|from|at|to|on|with|as|during|called|titled|named|entitled|dubbed|after))?"
# A title begins with a capital; other quotations lose their marks only.
_QUOTED = re.compile(
    rf"{_LEAD}(?:(?<=\s)|\s)(?:'(?=[A-Z0-9])[^'\n]{{1,80}}'|\"(?=\s?[A-Z0-9])[^\"\n]{{1,80}}\""
    r"|‘(?=[A-Z0-9])[^‘’\n]{1,80}’|“(?=\s?[A-Z0-9])[^“”\n]{1,80}”)(?=[\s.,;:!?)]|$)"
)
_READ = re.compile(
    r"\b(?:says?|said|saying|reads?|reading|words?|written|sign|text|slogan|label\w*|ask\w*|marked|letters?|number|phrase)[\s,:]*$",
    re.IGNORECASE,
)


def without_titles(text: str) -> str:
    """Take quoted titles out of a text, with a preposition before them.

    A title that begins the text is left, without its quotation marks: what it names is the subject.

    Examples
    --------
    >>> without_titles("They attend the premiere of 'Hollywood Homicide' at the festival")
    'They attend the premiere at the festival'
    """
    return re.sub(r"[\"“”]", "", _QUOTED.sub(_gap, text)).strip()


def _gap(found: re.Match[str]) -> str:
    """Leave what is read in the photograph: "a shirt that says ..."."""
    return found.group() if _READ.search(found.string[: found.start()]) else ""

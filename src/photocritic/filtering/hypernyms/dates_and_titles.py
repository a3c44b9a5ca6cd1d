"""Dates, times, durations and quoted titles: found by their form, since they are written in few ways."""

import re

_MONTH = (
    r"(?:jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)|apr(?:il|\.)?|may|june?|july?|aug(?:ust|\.)?|sept?(?:ember|\.)?"
    r"|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?)"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?:1[5-9]|20)\d\d"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_CLOCK = r"\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\b\.?|o['’]clock)|\d{1,2}:\d\d(?:\s?(?:h|hrs?|gmt|est|utc))?"
_NUMBER = (
    r"(?:\d[\d,.]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty"
    r"|sixty|ninety|several|many|few|a\sfew|a\scouple\sof|hundreds\sof|thousands\sof|dozens\sof|a\shundred)"
)
_UNIT = r"(?:seconds?|minutes?|hours?|days?|nights?|weeks?|weekends?|months?|years?|decades?|centur(?:y|ies))"

_DATES = [
    rf"(?:{_WEEKDAY},?\s)?{_MONTH}\s{_DAY}(?:\s?(?:-|–|to|and)\s?(?:{_MONTH}\s)?{_DAY})?(?:,?\s{_YEAR})?",  # May 3
    rf"(?:{_WEEKDAY},?\s)?(?:the\s)?{_DAY}(?:\s?(?:-|–|to|and)\s?{_DAY})?\s(?:of\s)?{_MONTH}(?:,?\s{_YEAR})?",  # 3 May
    rf"{_MONTH},?\s(?:of\s)?{_YEAR}",
    rf"{_YEAR}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.](?:\d\d){{1,2}}",
    rf"{_YEAR}\s?[-–/]\s?(?:{_YEAR}|\d\d)",
    rf"{_WEEKDAY}(?:\s(?:morning|afternoon|evening|night))?",
    rf"(?:the\s)?(?:early\s|mid[\s-]|late\s)?(?:{_YEAR}|\d0)['’]?s",  # the late 1950s
    rf"(?:spring|summer|autumn|fall|winter|christmas|easter),?\s(?:of\s)?{_YEAR}(?:\s?[-–/]\s?\d\d(?:\d\d)?)?",
    _CLOCK,
]
_PREPOSITION = (
    r"(?:on|in|during|since|from|by|until|till|before|after|at|of|around|circa|c\.|ca\.|between|throughout)\s"
)
_DATE = re.compile(rf"[,(]?\s*\b(?:{_PREPOSITION})?(?:{'|'.join(_DATES)})(?![\w-])\)?", re.IGNORECASE)
# What is a date only after a preposition, at an end, or in brackets: a year may be a number, a month a name.
_BOUND = re.compile(
    rf"[,(]?\s*\b{_PREPOSITION}(?:early\s|mid[\s-]|late\s)?(?:{_YEAR}|{_MONTH})(?![\w-])(?!\s[A-Z])\)?"
    rf"|\s*\({_YEAR}\)|[,]\s*{_YEAR}(?=\s*(?:[.,;]|$))|\s+{_YEAR}(?=\s*[.]?$)",
    re.IGNORECASE,
)
_DURATION = re.compile(
    rf"[,]?\s*\b(?:for|over|during|within|in|after|lasting)\s(?:about\s|around\s|almost\s|nearly\s|more\sthan\s|over\s"
    rf"|up\sto\s|the\s(?:last|past|next|first)\s)?{_NUMBER}\s{_UNIT}(?![\w-])(?!\sold)(?:\sago)?"
    rf"|[,]?\s*\b{_NUMBER}\s{_UNIT}\s(?:ago|long|later|earlier)(?![\w-])",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    rf"[,]?\s*\b(?:today|yesterday|tomorrow|tonight|(?:last|next|this)\s(?:{_WEEKDAY}|week|month|year|weekend))(?![\w-])"
    rf"(?!['’])",
    re.IGNORECASE,
)
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


def without_dates_and_titles(text: str) -> str:
    """Return a text without dates, durations and quoted titles, none of which needs a parse to be found."""
    return without_titles(without_dates(text))


def without_dates(text: str) -> str:
    """Return a text without dates, clock times and durations, and without the prepositions that lead to them.

    Parameters
    ----------
    text : str
        A caption.

    Returns
    -------
    str
        The rest; a year before a name stays ("the 2017 Pilgrimage Festival": the name's modifiers go later).

    Examples
    --------
    >>> without_dates("Fans wait for three hours on September 23, 2017 in Franklin")
    'Fans wait in Franklin'
    """
    for pattern in (_DATE, _DURATION, _BOUND, _RELATIVE):
        text = pattern.sub(_without_date, text)
    return re.sub(r"\s+(?=[\s.,;:!?)])", "", text).strip()


def _without_date(found: re.Match[str]) -> str:
    """Return a space between the words around a date, and a bracket that the date did not close."""
    opened, closed = found.group().lstrip().startswith("("), found.group().endswith(")")
    return ")" if closed and not opened else " (" if opened and not closed else " "


def without_titles(text: str) -> str:
    """Return a text without quoted titles, which no photograph shows, and without a preposition before them.

    A title that begins the text is left, without its quotation marks: what it names is the subject.

    Examples
    --------
    >>> without_titles("They attend the premiere of 'Hollywood Homicide' at the festival")
    'They attend the premiere at the festival'
    """
    return re.sub(r"[\"“”]", "", _QUOTED.sub(_without_title, text)).strip()


def _without_title(found: re.Match[str]) -> str:
    """Return a quotation that is read in the photograph as it is: "a shirt that says ..."."""
    return found.group() if _READ.search(found.string[: found.start()]) else ""

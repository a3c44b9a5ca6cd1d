"""A tiny grammar: `[one|two|]` chooses, `{name}` looks a slot up, and both may nest."""

import random
import re
from collections.abc import Mapping, Sequence

_CHOICE = re.compile(r"\[([^\[\]{}]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")
_VERB = re.compile(r"[\^~]|<(\w+)>")
PLURAL, SINGULAR = "^", "~"  # behind a noun phrase: its number
Slots = Mapping[str, str | Sequence[str]]


def expand(template: str, slots: Slots, rng: random.Random) -> str:
    """Expand a template into one sentence.

    Parameters
    ----------
    template : str
        Text with `[a|b]` choices and `{slot}` references.
    slots : mapping of str to str or sequence of str
        What a slot stands for: a template, or several to choose from.
    rng : random.Random
        Source of randomness.

    Returns
    -------
    str
        The text, with no doubled blanks and the article `a` turned into `an` before a vowel.

    Raises
    ------
    KeyError
        A slot that is not given.
    """
    text = template
    while True:
        text, slotted = _SLOT.subn(lambda match: _fill(slots[match[1]], rng), text)
        text, chosen = _CHOICE.subn(lambda match: rng.choice(match[1].split("|")), text)
        if not slotted and not chosen:
            return _tidy(text)


def agree(text: str) -> str:
    """Make verbs, written `<is>`, agree with the noun phrase before them, whose number is marked behind it."""
    plural = False

    def settle(match: re.Match[str]) -> str:
        nonlocal plural
        if match[1] is None:
            plural = match[0] == PLURAL
            return ""
        return _plural(match[1]) if plural else match[1]

    return _VERB.sub(settle, text)


def _plural(verb: str) -> str:
    if verb in ("is", "has"):
        return {"is": "are", "has": "have"}[verb]
    return verb[:-2] if verb.endswith(("ches", "sses", "shes")) else verb[:-1]


def sentence(text: str) -> str:
    """Begin with a capital letter and end with a full stop."""
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."


def _fill(value: str | Sequence[str], rng: random.Random) -> str:
    return value if isinstance(value, str) else rng.choice(value)


def _tidy(text: str) -> str:
    text = re.sub(r"\s+([,.!?])", r"\1", re.sub(r"\s+", " ", text)).strip()
    return re.sub(r"\b([Aa]) (?=[aeioAEIO])(?!one)", r"\1n ", text)

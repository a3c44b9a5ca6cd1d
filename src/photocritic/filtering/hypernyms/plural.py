"""Plurals of English nouns, by rule and a list of exceptions."""

import re

_IRREGULAR = {
    "person": "people", "man": "men", "woman": "women", "child": "children", "foot": "feet", "tooth": "teeth",
    "goose": "geese", "mouse": "mice", "ox": "oxen", "wife": "wives", "knife": "knives", "life": "lives",
    "wolf": "wolves", "leaf": "leaves", "half": "halves", "calf": "calves", "shelf": "shelves", "thief": "thieves",
    "loaf": "loaves", "hero": "heroes", "potato": "potatoes", "tomato": "tomatoes", "echo": "echoes",
    "series": "series", "species": "species", "aircraft": "aircraft", "spacecraft": "spacecraft", "sheep": "sheep",
    "deer": "deer", "fish": "fish", "police": "police", "people": "people", "bus": "buses", "quiz": "quizzes",
}  # fmt: skip
_REGULAR = frozenset({"human", "german", "roman", "shaman"})  # their "man" is no man


def plural(phrase: str) -> str:
    """Give the plural of a noun or of a phrase that ends in its head.

    Examples
    --------
    >>> [plural(noun) for noun in ("pop artist", "person", "city", "businesswoman", "actress", "head of state")]
    ['pop artists', 'people', 'cities', 'businesswomen', 'actresses', 'heads of state']
    """
    head, of, rest = phrase.partition(" of ")
    first, space, noun = head.rpartition(" ")
    return first + space + _word(noun) + of + rest


def _word(noun: str) -> str:
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith("man") and noun not in _REGULAR:
        return noun[:-2] + "en"
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if re.search(r"(?:s|x|z|ch|sh)$", noun) else "s")

"""How deep JSON is nested, found without parsing it: a parser may take quadratic time or too much memory for it."""

import re

from photocritic.core.limits import JSON_DEPTH

_ESCAPE = re.compile(r"\\.", re.DOTALL)
_NO_BRACKET = re.compile(r"[^][{}]+")
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


class Nesting:
    """Follow the depth of a JSON text that comes in pieces, none of which ends within an escape.

    Attributes
    ----------
    depth : int
        Lists and objects that are open after the last piece.
    """

    def __init__(self) -> None:
        self.depth = 0
        self._quoted = False

    def feed(self, piece: str) -> tuple[int, int]:
        """Read a piece on, and return the least and the greatest depth in it."""
        parts = (_ESCAPE.sub("", piece) if "\\" in piece else piece).split('"')
        outside = _NO_BRACKET.sub("", "".join(parts[self._quoted :: 2]))
        self._quoted ^= not len(parts) % 2
        least = greatest = self.depth
        for bracket in outside:
            self.depth += _STEPS[bracket]
            least, greatest = min(least, self.depth), max(greatest, self.depth)
        return least, greatest


def is_too_deep(text: str) -> bool:
    """Return whether a whole JSON text has more than `limits.JSON_DEPTH` lists and objects within each other."""
    if text.count("[") + text.count("{") <= JSON_DEPTH:
        return False
    return Nesting().feed(text)[1] > JSON_DEPTH

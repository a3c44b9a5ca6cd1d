"""The comments under one photograph, in the order in which they came."""

import random
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from photocritic.sample.scene_plan import Plan
from photocritic.sample.text.chatter import noise, safe
from photocritic.sample.text.critique import critique
from photocritic.sample.text.style import STYLES, stylised
from photocritic.sample.text.things import slots

_AUTHORS = 240
_KINDS = ("informative", "safe", "noise")
_SHARES = (0.26, 0.42, 0.32)  # on real sites most comments say little: CC and AIC both keep under half
_STYLED_SHARE = 1 / 3  # of the images have one caption in each style


class Comment(NamedTuple):
    """What one person wrote.

    Attributes
    ----------
    comment_id, author_id : str
        Who wrote it, and its name.
    text : str
        What was written.
    style : str or None
        `humorous` or `romantic` for a stylised caption.
    kind : str
        `informative`, `safe`, `noise` or `styled`: the truth that a filter should find.
    aspect : str or None
        What an informative comment speaks of first: subject, light, color, composition, focus or grain.
    """

    comment_id: str
    author_id: str
    text: str
    style: str | None
    kind: str
    aspect: str | None = None


def comments(plan: Plan, image_id: str, seed: int, index: int) -> tuple[Comment, ...]:
    """Write 5 to 12 comments under scene `index`, and for a third of the scenes one caption in each style."""
    rng = random.Random(f"text:{seed}:{index}")
    words = slots(plan)
    kinds = ["informative", "informative", *rng.choices(_KINDS, _SHARES, k=rng.randint(3, 10))]
    rng.shuffle(kinds)
    write: dict[str, Callable[[random.Random], tuple[str, str | None]]] = {
        "informative": partial(critique, plan, words),
        "safe": lambda rng: (safe(rng), None),
        "noise": lambda rng: (noise(rng), None),
    }
    written: list[tuple[str, str | None, str, str | None]] = []
    for kind in kinds:
        text, aspect = write[kind](rng)
        written.append((text, None, kind, aspect))
    if rng.random() < _STYLED_SHARE:
        written += [(stylised(plan, style, words, rng), style, "styled", None) for style in STYLES]
    return tuple(
        Comment(f"{image_id}-{number:02d}", _author(rng), text, style, kind, aspect)
        for number, (text, style, kind, aspect) in enumerate(written)
    )


def _author(rng: random.Random) -> str:
    """A few people write most of the comments."""
    return f"user{int(_AUTHORS * rng.random() ** 2.2):03d}"

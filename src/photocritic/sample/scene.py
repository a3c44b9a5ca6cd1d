"""Scenes: a photograph, its true attributes, and what people wrote under it."""

from collections.abc import Iterator
from dataclasses import dataclass

from photocritic.sample.photograph import photograph
from photocritic.sample.scene_plan import plan
from photocritic.sample.text.comments import Comment, comments


@dataclass(frozen=True)
class Scene:
    """One photograph of the sample.

    Attributes
    ----------
    image_id : str
        Its name.
    image : bytes
        A JPEG of 160 x 160 pixels.
    labels : tuple of str
        The true attributes as `group:name`, one of every group of `ATTRIBUTES`.
    comments : tuple of Comment
        What people wrote.
    """

    image_id: str
    image: bytes
    labels: tuple[str, ...]
    comments: tuple[Comment, ...]


def generate(count: int = 600, seed: int = 7) -> Iterator[Scene]:
    """Render scenes; each depends on the seed and its own number only, never on `count`.

    Parameters
    ----------
    count : int
        Number of scenes.
    seed : int
        Another seed gives another sample.

    Yields
    ------
    Scene
        Scenes in order.
    """
    for index in range(count):
        decided = plan(seed, index)
        image_id = f"scene-{index:05d}"
        yield Scene(
            image_id=image_id,
            image=photograph(decided, seed, index),
            labels=decided.labels,
            comments=comments(decided, image_id, seed, index),
        )

"""The one question that every captioner answers: photographs or their features in, captions with scores out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from photocritic.config import Decoding
from photocritic.tables import View

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class Caption:
    """What is said about one image.

    Attributes
    ----------
    text : str
        The words, separated by spaces.
    logprob : float
        Natural logarithm of the caption's probability, or a retrieval's score; the higher the better.
    tokens : tuple of str
        The words.
    others : tuple of str
        What else could be said, best first: the different captions of a diverse search's other groups.
    """

    text: str
    logprob: float
    tokens: tuple[str, ...]
    others: tuple[str, ...] = ()


class CaptionSource(Protocol):
    """Whatever says a caption about an image: a generator or a retrieval."""

    @property
    def view(self) -> View:
        """What it is shown of an image: its features, `pooled` (R is 1) or `grid`, or the `pixels` themselves."""
        ...

    @property
    def side(self) -> int:
        """Side S in pixels of the squares that it is shown; 0 where it is shown features."""
        ...

    @property
    def styles(self) -> tuple[str, ...]:
        """Styles that it has learned to speak in besides the factual one; most captioners learn none."""
        ...

    def speak(self, style: str) -> None:
        """Choose the style of what it says from now on.

        Raises
        ------
        ParamsError
            It has not learned the style, or learns none.
        """
        ...

    def caption(
        self,
        images: Floats | Pixels,
        options: Decoding,
        *,
        batch_size: int = 256,
        seed: int = 0,
        names: Sequence[str] | None = None,
    ) -> list[Caption]:
        """Say one caption an image.

        Parameters
        ----------
        images : ndarray
            (N, R, C) float32, the regions of each image; or (N, S, S, 3) uint8, its pixels, perhaps memory-mapped, of
            which a batch at a time is read. See `view`.
        options : Decoding
            How captions are found.
        batch_size : int
            Images decoded at once.
        seed : int
            Of what is drawn, where the strategy draws.
        names : sequence of str, optional
            The images' names; what is drawn for one is a function of the seed and its name, or else its position.

        Returns
        -------
        list of Caption
            In the order of the images.
        """
        ...


def caption(
    source: CaptionSource,
    images: Floats | Pixels,
    options: Decoding,
    *,
    batch_size: int = 256,
    seed: int = 0,
    names: Sequence[str] | None = None,
) -> list[Caption]:
    """Ask any captioner; see `CaptionSource.caption`."""
    return source.caption(images, options, batch_size=batch_size, seed=seed, names=names)

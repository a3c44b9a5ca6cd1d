"""The contract of whatever predicts captions of images that are arrays already, and what it predicts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from photocritic.captioning.caption_dataset import Floats
from photocritic.config import Decoding
from photocritic.images.decoding import Pixels

if TYPE_CHECKING:
    from photocritic.tables import View

FACTUAL = "factual"  # the style of captions in no style


@dataclass(frozen=True)
class Caption:
    """A caption of one image, or why there is none.

    Attributes
    ----------
    text : str
        The words, separated by spaces but before punctuation marks.
    logprob : float
        Natural logarithm of the caption's probability.
    tokens : tuple of str
        The words.
    others : tuple of str
        Other captions, best first: those of a diverse search's other groups; then those of an ensemble's other members,
        where captions are chosen by consensus.
    other_logprobs : tuple of float
        Their log-probabilities, by the first captioner that proposes each.
    topics : tuple of dict
        The image's likeliest topics, best first: `topic`, `share`, `terms`; empty where the network knows none.
    problem : str
        Why the image cannot be read, and has no caption; else empty.
    """

    text: str
    logprob: float
    tokens: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    other_logprobs: tuple[float, ...] = ()
    topics: tuple[dict[str, Any], ...] = ()
    problem: str = ""


class Predictor(Protocol):
    """A captioner of images that are features, or squares of pixels."""

    @property
    def view(self) -> "View":
        """What it reads of an image: its features, `pooled` (R is 1) or `grid`, or the `pixels` themselves."""
        ...

    @property
    def side(self) -> int:
        """Side S in pixels of the squares that it reads; 0 where it reads features."""
        ...

    @property
    def styles(self) -> tuple[str, ...]:
        """Styles that it has learned besides the factual one; most captioners learn none."""
        ...

    def predict(
        self,
        images: Floats | Pixels,
        decoding: Decoding,
        *,
        style: str = FACTUAL,
        batch_size: int = 256,
        seed: int = 0,
        names: Sequence[str] | None = None,
    ) -> list[Caption]:
        """Predict one caption an image.

        Parameters
        ----------
        images : ndarray
            (N, R, C) float32, the regions of each image; or (N, S, S, 3) uint8, its pixels, perhaps memory-mapped, of
            which a batch at a time is read. See `view`.
        decoding : Decoding
            How captions are decoded.
        style : str
            The style of the captions; nothing of it is kept for the next call.
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

        Raises
        ------
        ParamsError
            It has not learned the style, or cannot be decoded in this way.
        TrainingError
            The images are not of the kind that it was trained on.
        """
        ...

    def save(self, folder: Path) -> None:
        """Write it whole or not at all, as safetensors and JSON; `load_predictor` reads it."""
        ...

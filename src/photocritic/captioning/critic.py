"""A captioner together with the network that sees for it: image files in, captions out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from photocritic.captioning.loading import load
from photocritic.captioning.source import Caption, CaptionSource, Floats, Pixels
from photocritic.config import Decoding
from photocritic.vision import FeatureExtractor
from photocritic.vision.images import decode_readable


@dataclass(frozen=True)
class Critique:
    """What is said about those of some images that could be read.

    Attributes
    ----------
    captions : list of Caption
        One for each readable image.
    topics : ndarray of float32, (N, K), or None
        Topic probabilities of the readable images, where the network that sees has learned topics.
    readable : list of int
        Their positions among the images given.
    unreadable : dict of int to str
        Why an image has no caption, by its position.
    """

    captions: list[Caption]
    topics: Floats | None
    readable: list[int]
    unreadable: dict[int, str]


class Critic:
    """A captioner that is asked about image files.

    Parameters
    ----------
    captioner : CaptionSource
        Who speaks.
    extractor : FeatureExtractor, optional
        Who sees for it; not needed by a captioner that is shown pixels.
    """

    def __init__(self, captioner: CaptionSource, extractor: FeatureExtractor | None = None) -> None:
        self.captioner, self._extractor = captioner, extractor

    @classmethod
    def load(cls, captioner: Path, network: Path) -> "Critic":
        """Read a captioner, and the network behind its features where it is shown features.

        Parameters
        ----------
        captioner : Path
            Folder that `photocritic.captioning.train` wrote.
        network : Path
            Folder that cnn_pretrain wrote; need not exist for a captioner that is shown pixels.

        Raises
        ------
        TrainingError
            A file is missing, damaged, or does not fit the others.
        """
        speaks = load(captioner)
        return cls(speaks, None if speaks.view == "pixels" else FeatureExtractor.load(network))

    @property
    def topics(self) -> int:
        """How many topics it tells probabilities of; 0: none."""
        return self._extractor.network.topics if self._extractor is not None else 0

    def __call__(
        self, images: Sequence[Path | bytes], options: Decoding, *, seed: int, names: Sequence[str]
    ) -> Critique:
        """Say a caption about each image that can be read.

        Parameters
        ----------
        images : sequence of Path or bytes
            Image files, or their contents.
        options : Decoding
            How captions are found.
        seed : int
            Of what is drawn, where the strategy draws.
        names : sequence of str
            The images' names; what is drawn for one is a function of the seed and its name.
        """
        shown, topics, readable, unreadable = self._look(images)
        named = [names[position] for position in readable]
        return Critique(self._say(shown, options, seed, named), topics, readable, unreadable)

    def _say(self, shown: Floats | Pixels, options: Decoding, seed: int, names: list[str]) -> list[Caption]:
        return self.captioner.caption(shown, options, seed=seed, names=names) if len(shown) else []

    def _look(self, images: Sequence[Path | bytes]) -> tuple[Floats | Pixels, Floats | None, list[int], dict[int, str]]:
        view = self.captioner.view
        if self._extractor is None or view == "pixels":
            squares = decode_readable(images, self.captioner.side)
            return squares.pixels, None, squares.readable, squares.unreadable
        found = self._extractor(images)
        return found.view(view), found.topics, found.readable, found.unreadable

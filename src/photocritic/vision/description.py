"""What every network that describes images has in common: the description, its standardisation, and the files."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from photocritic.core.errors import ParamsError, TrainingError
from photocritic.images.decoding import Pixels
from photocritic.training.seeding import deterministic
from photocritic.training.weights import load_weights, save_weights

if TYPE_CHECKING:
    from photocritic.tables import Stored

MEAN = (0.485, 0.456, 0.406)  # of ImageNet, in [0, 1]: what torchvision's weights expect
STD = (0.229, 0.224, 0.225)
_READ = 256  # images read from disk at once
_FLOOR = 1e-4  # a feature that hardly varies over the training images is not blown up into noise


class Description(NamedTuple):
    """What a network sees in a batch of images.

    Attributes
    ----------
    pooled : Tensor of float32, (B, C)
        A vector an image.
    grid : Tensor of float32, (B, R, C)
        A vector a cell, row by row, or a vector a detected region, the strongest first; R is 0 where there are none.
    probabilities : dict of str to Tensor, (B, outputs)
        By head.
    """

    pooled: Tensor
    grid: Tensor
    probabilities: dict[str, Tensor]


class Describer(nn.Module, ABC):
    """A network that turns images into features.

    Parameters
    ----------
    config : dataclass
        All that is needed to build the network again.
    channels : int
        Numbers in a feature vector.
    """

    batch: ClassVar[int] = 64  # images described at once
    standardised: ClassVar[bool] = True  # whether features are standardised over the training images

    mean: Tensor
    std: Tensor
    cell_mean: Tensor
    cell_std: Tensor

    def __init__(self, config: Any, channels: int) -> None:
        super().__init__()
        self.config = config
        for name in ("mean", "cell_mean"):
            self.register_buffer(name, torch.zeros(channels))
        for name in ("std", "cell_std"):
            self.register_buffer(name, torch.ones(channels))

    @classmethod
    @abstractmethod
    def build(cls, config: dict[str, Any]) -> Self:
        """Build a network with fresh weights from its configuration as `save` wrote it."""

    @property
    @abstractmethod
    def cells(self) -> int:
        """Cells or regions R of an image; 0 where there are none."""

    @property
    def width(self) -> int:
        """Numbers C in an image's pooled vector, and in each of its cells."""
        return len(self.mean)

    @property
    def size(self) -> int:
        """Side in pixels of the squares that are described."""
        return int(self.config.image_size)

    @property
    def topics(self) -> int:
        """Topics whose probabilities it gives, K; 0: none."""
        return 0

    @abstractmethod
    def describe(self, images: Tensor) -> Description:
        """Compute raw features of normalised images (B, 3, S, S)."""

    def standardise(self, raw: Description) -> Description:
        """Standardise features to zero mean and unit variance over the training images, by channel.

        Pooled activations are never negative and share a large constant part, which would drive the gates of an LSTM
        and make all cosines alike; and the scale of an untrained network means nothing.

        Parameters
        ----------
        raw : Description
            From `describe`.

        Returns
        -------
        Description
            Pooled vectors and cells each by their own statistics; the probabilities as they were.
        """
        pooled = (raw.pooled - self.mean) / self.std.clamp(min=_FLOOR)
        grid = (raw.grid - self.cell_mean) / self.cell_std.clamp(min=_FLOOR)
        return Description(pooled, grid, raw.probabilities)

    def save(self, folder: Path) -> None:
        """Write weights and configuration."""
        save_weights(folder, self, asdict(self.config))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        TrainingError
            The folder is missing, damaged, or holds another kind of model.
        """
        return cls.restore(folder, *load_weights(folder))

    @classmethod
    def restore(cls, folder: Path, config: Any, state: dict[str, Tensor]) -> Self:
        """Build a network from what stood in a folder, which is named where it does not fit."""
        try:
            if not isinstance(config, dict):
                raise TypeError("its configuration is not an object")
            network = cls.build(config)
            _require_same_tensors(network.state_dict(), state)
            network.load_state_dict(state)
        except (TypeError, ValueError, AttributeError, RuntimeError, ParamsError) as error:
            raise TrainingError(f"{folder}: not a network of photocritic ({' '.join(str(error).split())})") from None
        return network


def on_the_fastest_device(network: Describer) -> Describer:
    """Move a network to the accelerator, where there is one."""
    return network.to("cuda") if torch.cuda.is_available() else network


def plain_view(pixels: Tensor) -> Tensor:
    """Normalise pixels and change nothing else.

    Parameters
    ----------
    pixels : Tensor of uint8, (B, S, S, 3)
        Images as stored.

    Returns
    -------
    Tensor of float32, (B, 3, S, S)
        Zero mean and unit variance by ImageNet's statistics, channels last in memory.
    """
    mean, std = (torch.tensor(values, device=pixels.device) * 255 for values in (MEAN, STD))
    return ((pixels - mean) / std).permute(0, 3, 1, 2)


def unnormalised(images: Tensor) -> Tensor:
    """Return normalised images (B, 3, S, S) as they were, from 0 to 1."""
    mean, std = (torch.tensor(values, device=images.device)[:, None, None] for values in (MEAN, STD))
    return images * std + mean


def describe(network: Describer, pixels: Pixels) -> Iterator[Description]:
    """Describe stored images a batch at a time, in float32 and evaluation mode.

    Parameters
    ----------
    network : Describer
        The network.
    pixels : ndarray of uint8, (N, S, S, 3)
        Images as `decode` gives them, in memory or mapped.

    Yields
    ------
    Description
        Raw features and the heads' probabilities, as `Describer.describe` gives them.
    """
    device = network.mean.device
    network.eval()
    for start in range(0, len(pixels), network.batch):
        with torch.inference_mode(), deterministic():
            batch = torch.from_numpy(np.array(pixels[start : start + network.batch])).to(device)
            yield network.describe(plain_view(batch))


def features_of(
    network: Describer, pixels: Pixels, rows: NDArray[np.int64] | None = None, *, view: "Stored"
) -> Iterator[NDArray[np.float32]]:
    """Describe images as the network's own features table would, (B, R, C) a batch, in evaluation mode.

    Parameters
    ----------
    network : Describer
        With the standardisation of its table.
    pixels : ndarray of uint8, (N, S, S, 3)
        Images, in memory or mapped.
    rows : ndarray of int64, optional
        Which of them, in which order; by default all.
    view : "pooled" or "grid"
        Which features.
    """
    wanted = np.arange(len(pixels)) if rows is None else rows
    for start in range(0, len(wanted), _READ):
        for raw in describe(network, pixels[wanted[start : start + _READ]]):
            standard = network.standardise(raw)
            yield (standard.pooled[:, None] if view == "pooled" else standard.grid).cpu().numpy()


def _require_same_tensors(own: dict[str, Tensor], state: dict[str, Tensor]) -> None:
    odd = sorted(
        name
        for name in own.keys() | state.keys()
        if name not in own or name not in state or own[name].shape != state[name].shape
    )
    if odd:
        raise TypeError(f"{len(odd)} of its tensors are missing, unknown or of another shape, such as {odd[0]}")

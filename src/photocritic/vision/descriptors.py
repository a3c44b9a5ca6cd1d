"""Global descriptors: a photograph as the energies of its orientations (GIST) or as its pixels (Tinyimage)."""

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import torch
from torch import Tensor
from torch.nn import functional

from photocritic.vision.description import Describer, Description, unnormalised

TINY = 32  # side in pixels of a Tinyimage; Torralba et al. 2008

# LMgist's values, the code that Oliva and Torralba published.
ORIENTATIONS = (8, 8, 4)  # filters of each scale, the finest first; those of colour GIST
CELLS = 4  # a filter's magnitudes are averaged over 4 x 4 cells
_FINEST = 0.3  # cycles a pixel that the filters of the finest scale respond to most
_COARSER = 1.85  # times as many pixels a cycle, from scale to scale
_RADIAL = 3.5  # decay with the relative distance from a filter's frequency, squared
_MARGIN = 32  # mirrored pixels around the square that is filtered
_CUTOFF = 4.0  # cycles a side of what counts as local mean and local contrast
_PREFILTER_MARGIN = 5
_LEAST_CONTRAST = 0.2  # added to the local contrast, so that noise in flat areas is not blown up


@dataclass(frozen=True)
class DescriptorConfig:
    """All that is needed to build a global descriptor again.

    Attributes
    ----------
    feature : str
        gist or tinyimage.
    image_size : int
        Side in pixels of the squares that it describes.
    """

    feature: str
    image_size: int


class GlobalDescriptor(Describer):
    """A descriptor of a whole photograph that is computed without training.

    Its numbers are not standardised, since descriptors are compared by their Euclidean distance.

    Parameters
    ----------
    config : DescriptorConfig
        What to build.
    channels : int
        Numbers in a descriptor.

    References
    ----------
    Chen et al. 2015, Déjà Image-Captions, section 4 (the distance).
    """

    batch: ClassVar[int] = 8  # what GIST computes of so many still fits into a processor's cache
    standardised: ClassVar[bool] = False
    config: DescriptorConfig

    @property
    def cells(self) -> int:
        """There is no grid."""
        return 0

    def describe(self, images: Tensor) -> Description:
        """Compute the descriptors of normalised images (B, 3, S, S), and a grid of no cells."""
        values = self(unnormalised(images))
        return Description(values, values.new_zeros(len(values), 0, self.width), {})

    @abstractmethod
    def forward(self, images: Tensor) -> Tensor:
        """Compute the descriptors (B, C) of images (B, 3, S, S) from 0 to 1."""


class TinyimageDescriptor(GlobalDescriptor):
    """The pixels of a photograph at 32 by 32 pixels, from 0 to 1.

    References
    ----------
    Torralba et al. 2008, 80 Million Tiny Images: A Large Data Set for Nonparametric Object and Scene Recognition.
    """

    def __init__(self, config: DescriptorConfig) -> None:
        super().__init__(config, 3 * config.image_size**2)

    @classmethod
    def build(cls, config: dict[str, Any]) -> Self:
        """Build a descriptor from its configuration as `save` wrote it."""
        return cls(DescriptorConfig(**config))

    def forward(self, images: Tensor) -> Tensor:
        """Return the red, then the green, then the blue pixels (B, 3 S S), each row by row."""
        return images.flatten(1)


class GistDescriptor(GlobalDescriptor):
    """GIST of each colour: the mean magnitudes of Gabor filters' responses on 4 x 4 cells.

    As in LMgist, but for red, green and blue in the place of grey, whose values are not stretched to the range of the
    photograph, and three scales in the place of four.

    References
    ----------
    Oliva and Torralba 2001, Modeling the Shape of the Scene: A Holistic Representation of the Spatial Envelope;
    colours and scales as in Douze et al. 2009, Evaluation of GIST Descriptors for Web-Scale Image Search.
    """

    filters: Tensor
    low_pass: Tensor

    def __init__(self, config: DescriptorConfig) -> None:
        super().__init__(config, 3 * sum(ORIENTATIONS) * CELLS**2)
        side = config.image_size
        if side < _MARGIN or side % CELLS:
            raise ValueError(f"image_size {side} is not a multiple of {CELLS} from {_MARGIN} on")
        # Not saved, since they follow from the configuration.
        self.register_buffer("filters", gabor_filters(side + 2 * _MARGIN), persistent=False)
        self.register_buffer("low_pass", _low_pass(side + 2 * _PREFILTER_MARGIN), persistent=False)

    @classmethod
    def build(cls, config: dict[str, Any]) -> Self:
        """Build a descriptor from its configuration as `save` wrote it."""
        return cls(DescriptorConfig(**config))

    def forward(self, images: Tensor) -> Tensor:
        """Compute GIST (B, 960) of images: by colour, filter and cell, cells row by row.

        Parameters
        ----------
        images : Tensor of float32, (B, 3, S, S)
            From 0 to 1.
        """
        spectrum = torch.fft.fft2(_mirrored(self.prefilter(images), _MARGIN))
        means = []
        for one in self.filters:
            magnitudes = _inner(torch.fft.ifft2(spectrum * one), _MARGIN).abs()
            means.append(functional.avg_pool2d(magnitudes, images.shape[3] // CELLS).flatten(2))
        return torch.stack(means, dim=2).flatten(1)

    def prefilter(self, images: Tensor) -> Tensor:
        """Subtract the local mean of the logarithm of images (B, 3, S, S) and divide by its local contrast.

        The contrast is that of the mean of the three colours.
        """
        padded = _mirrored(torch.log1p(255 * images), _PREFILTER_MARGIN)
        details = padded - self._local_mean(padded)
        contrast = self._local_mean(details.mean(dim=1, keepdim=True) ** 2).abs().sqrt()
        return _inner(details / (_LEAST_CONTRAST + contrast), _PREFILTER_MARGIN)

    def _local_mean(self, maps: Tensor) -> Tensor:
        means: Tensor = torch.fft.irfft2(torch.fft.rfft2(maps) * self.low_pass, s=maps.shape[2:])
        return means


def gabor_filters(side: int) -> Tensor:
    """Compute the filters' transfer functions, Gaussians of log-polar shape in the frequency domain.

    Parameters
    ----------
    side : int
        Side in pixels of the squares that are filtered.

    Returns
    -------
    Tensor of float32, (20, side, side)
        By scale, the finest first, and orientation; frequencies in the order of `torch.fft.fft2`. The k-th of n
        orientations is that of a wave whose crests are turned by k / n of a half turn from upright ones,
        counterclockwise.
    """
    along = torch.fft.fftfreq(side, dtype=torch.float64)
    down, across = torch.meshgrid(along, along, indexing="ij")
    frequency, angle = torch.hypot(down, across), torch.atan2(down, across)
    filters = []
    for scale, count in enumerate(ORIENTATIONS):
        radial = _RADIAL * (frequency * _COARSER**scale / _FINEST - 1) ** 2
        for orientation in range(count):
            # Rows are counted downwards, orientations counterclockwise.
            turned = torch.remainder(angle + math.pi * orientation / count + math.pi, 2 * math.pi) - math.pi
            filters.append(torch.exp(-radial - 2 * math.pi * (count / 8 * turned) ** 2))
    return torch.stack(filters).float()


def _low_pass(side: int) -> Tensor:
    """Compute the transfer function of a Gaussian, one half at 4 cycles a side, in the order of `torch.fft.rfft2`."""
    down = torch.fft.fftfreq(side, 1 / side, dtype=torch.float64)[:, None]
    across = torch.fft.rfftfreq(side, 1 / side, dtype=torch.float64)
    return torch.exp(-math.log(2) * (down**2 + across**2) / _CUTOFF**2).float()


def _mirrored(maps: Tensor, margin: int) -> Tensor:
    """Pad maps (B, 3, S, S) by so many pixels on each side, mirrored with the pixels at the edge."""
    places = torch.arange(-margin, maps.shape[3] + margin, device=maps.device)
    places = torch.where(places < 0, -1 - places, places)
    places = torch.where(places < maps.shape[3], places, 2 * maps.shape[3] - 1 - places)
    return maps[:, :, places[:, None], places]


def _inner(maps: Tensor, margin: int) -> Tensor:
    """Cut off what `_mirrored` added."""
    return maps[:, :, margin:-margin, margin:-margin]

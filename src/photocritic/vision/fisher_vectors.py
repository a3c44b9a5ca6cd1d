"""Fisher vectors: a photograph as the statistics of its local gradients and colours, learned without any label."""

import math
from abc import ABC, abstractmethod

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

AXES = 64  # principal axes that descriptors are projected to, D
_ORIENTATIONS = 8
_CELLS = 4  # a descriptor covers 4 x 4 cells
_STRIDE = 4  # pixels between two descriptors
ITERATIONS = 25
_POINTS = 8192  # shared out at once
LEAST_VARIANCE = 0.01  # of a component, where descriptors have a variance of 1 along each axis
_FLAT = 1e-3  # sum of gradients below which a patch counts as flat


class FisherVectors(nn.Module, ABC):
    """One kind of dense local descriptors, and the mixture of Gaussians that they are compared with.

    A photograph's Fisher vector is the gradient of its descriptors' mean log-likelihood with respect to the means and
    standard deviations of the Gaussians, normalised by the square root of their Fisher information; then the signed
    square root of each element (power normalisation), and L2 normalisation.

    Parameters
    ----------
    components : int
        Gaussians K.

    References
    ----------
    Perronnin et al. 2010, Improving the Fisher Kernel for Large-Scale Image Classification, section 2 and 3; the place
    of a descriptor beside its values: Sanchez et al. 2012, Modeling the Spatial Layout of Images Beyond Spatial
    Pyramids.
    """

    centre: Tensor
    projection: Tensor
    scale: Tensor
    means: Tensor
    variances: Tensor
    shares: Tensor

    def __init__(self, components: int) -> None:
        super().__init__()
        axes = AXES + 2
        self.register_buffer("centre", torch.zeros(self.channels))
        self.register_buffer("projection", torch.zeros(self.channels, AXES))
        self.register_buffer("scale", torch.ones(axes))
        self.register_buffer("means", torch.zeros(components, axes))
        self.register_buffer("variances", torch.ones(components, axes))
        self.register_buffer("shares", torch.full((components,), 1.0 / components))

    @property
    @abstractmethod
    def channels(self) -> int:
        """Numbers in a descriptor."""

    @property
    @abstractmethod
    def cells(self) -> tuple[int, ...]:
        """Sides in pixels of a descriptor's cells, one a scale."""

    @abstractmethod
    def maps(self, images: Tensor) -> Tensor:
        """Compute what is gathered over cells, (B, F, S, S), of images (B, 3, S, S) from 0 to 1."""

    @abstractmethod
    def gather(self, maps: Tensor, cell: int) -> Tensor:
        """Gather maps over a cell of so many pixels around each pixel that has a whole one, (B, G, s, s)."""

    def finish(self, descriptors: Tensor) -> Tensor:
        """Scale descriptors (B, channels, h, w)."""
        return descriptors

    @property
    def width(self) -> int:
        """Numbers in a Fisher vector, 2 K (D + 2)."""
        return 2 * self.means.numel()

    def descriptors(self, images: Tensor) -> tuple[Tensor, Tensor]:
        """Compute the descriptors of all places and scales.

        Parameters
        ----------
        images : Tensor of float32, (B, 3, S, S)
            From 0 to 1.

        Returns
        -------
        (Tensor, Tensor)
            Descriptors (B, P, channels), and their places (B, P, 2), down and across, from -0.5 to 0.5.
        """
        values, places, maps = [], [], self.maps(images)
        for cell in self.cells:
            gathered = self.gather(maps, cell)
            high, wide = (side - (_CELLS - 1) * cell for side in gathered.shape[2:])
            patches = [
                gathered[:, :, top : top + high : _STRIDE, left : left + wide : _STRIDE]
                for top in range(0, _CELLS * cell, cell)
                for left in range(0, _CELLS * cell, cell)
            ]
            found = self.finish(torch.cat(patches, dim=1))
            sides = [torch.linspace(-0.5, 0.5, side, device=images.device) for side in found.shape[2:]]
            place = torch.stack(torch.meshgrid(*sides, indexing="ij"), dim=2).flatten(0, 1)
            values.append(found.flatten(2).transpose(1, 2))
            places.append(place.expand(len(images), -1, -1))
        return torch.cat(values, dim=1), torch.cat(places, dim=1)

    def fit(self, descriptors: Tensor, places: Tensor, seed: int) -> None:
        """Fit the projection and the mixture to descriptors (P, channels) at places (P, 2)."""
        self.centre.copy_(descriptors.mean(dim=0))
        _, vectors = torch.linalg.eigh(torch.cov(descriptors.double().T))
        self.projection.copy_(_fix_signs(vectors[:, -AXES:]))
        projected = torch.cat([(descriptors - self.centre) @ self.projection, places], dim=1)
        self.scale.copy_(projected.std(dim=0).clamp(min=1e-6))
        self._maximise_likelihood(projected / self.scale, seed)

    def _maximise_likelihood(self, points: Tensor, seed: int) -> None:
        """Fit the mixture to points (P, D + 2) by expectation maximisation, from points as first means.

        The same as `sklearn.mixture.GaussianMixture` from the same start, several times as fast (bench/fisher.py).
        """
        first = torch.randperm(len(points), generator=torch.Generator().manual_seed(seed))[: len(self.means)]
        self.means[: len(first)] = points[first]
        for _ in range(ITERATIONS):
            count, total, squares = (
                torch.zeros(len(self.means), 1),
                torch.zeros_like(self.means),
                torch.zeros_like(self.means),
            )
            for part in torch.split(points, _POINTS):
                share = self._shares(part)
                count += share.sum(dim=0)[:, None]
                total += share.T @ part
                squares += share.T @ part**2
            count = count.clamp(min=1e-6)
            self.means.copy_(total / count)
            self.variances.copy_((squares / count - self.means**2).clamp(min=LEAST_VARIANCE))
            self.shares.copy_(count[:, 0] / count.sum())

    def forward(self, images: Tensor) -> Tensor:
        """Compute Fisher vectors (B, 2 K (D + 2)) of images (B, 3, S, S) from 0 to 1."""
        return torch.cat([self._encode(image) for image in torch.split(images, 1)])

    def _encode(self, image: Tensor) -> Tensor:
        """Compute the vector of a batch of one: what its descriptors need stays in a processor's cache."""
        [values], [places] = self.descriptors(image)
        points = torch.cat([(values - self.centre) @ self.projection, places], dim=1) / self.scale
        share = self._shares(points)
        count = share.sum(dim=0)[:, None]
        first, second = share.T @ points, share.T @ points**2
        by_mean = (first - count * self.means) / self.variances.sqrt()
        by_variance = (second - 2 * first * self.means + count * self.means**2) / self.variances - count
        each = torch.cat([by_mean, by_variance / math.sqrt(2)], dim=1) / self.shares.sqrt()[:, None] / len(points)
        vector = each.flatten()[None]
        return functional.normalize(vector.sign() * vector.abs().sqrt())

    def _shares(self, points: Tensor) -> Tensor:
        """Compute each Gaussian's share of each point, (P, K)."""
        squares = points**2 @ (0.5 / self.variances).T - points @ (self.means / self.variances).T
        constant = 0.5 * (self.means**2 / self.variances + self.variances.log()).sum(dim=1) - self.shares.log()
        return (-squares - constant).softmax(dim=1)


class Gradients(FisherVectors):
    """Histograms of gradients' orientations on 4 x 4 cells, whose square root is taken.

    References
    ----------
    Lowe 2004, Distinctive Image Features from Scale-Invariant Keypoints, section 6 (SIFT), at all places and with the
    image's own upright; Arandjelovic and Zisserman 2012, Three Things Everyone Should Know to Improve Object Retrieval,
    section 3.1 (the square root).
    """

    @property
    def channels(self) -> int:
        """Numbers in a descriptor: 16 cells by 8 orientations."""
        return _CELLS**2 * _ORIENTATIONS

    @property
    def cells(self) -> tuple[int, ...]:
        """Patches of 12 to 32 pixels."""
        return 3, 4, 6, 8

    def maps(self, images: Tensor) -> Tensor:
        """Share the gradients of the image's grey among the two nearest orientations."""
        grey = (images * torch.tensor([0.299, 0.587, 0.114], device=images.device)[:, None, None]).sum(1, keepdim=True)
        padded = functional.pad(grey, (1, 1, 1, 1), mode="replicate")
        across = padded[:, :, 1:-1, 2:] - padded[:, :, 1:-1, :-2]
        down = padded[:, :, 2:, 1:-1] - padded[:, :, :-2, 1:-1]
        angle = torch.atan2(down, across) * (_ORIENTATIONS / (2 * math.pi))
        apart = (angle - torch.arange(_ORIENTATIONS, device=images.device)[:, None, None]) % _ORIENTATIONS
        near = (1.0 - torch.minimum(apart, _ORIENTATIONS - apart)).clamp(min=0.0)
        return (across**2 + down**2).sqrt() * near

    def gather(self, maps: Tensor, cell: int) -> Tensor:
        """Take the mean, pixels far from the middle of the cell counting less."""
        return _means(_means(maps, cell), cell)

    def finish(self, descriptors: Tensor) -> Tensor:
        """Divide by the sum, and take the square root."""
        return (descriptors / (descriptors.sum(dim=1, keepdim=True) + _FLAT)).sqrt()


class Colours(FisherVectors):
    """Mean and standard deviation of red, green and blue on 4 x 4 cells.

    References
    ----------
    Clinchant et al. 2007, XRCE's Participation to ImageEval, section 2 (local colour statistics).
    """

    @property
    def channels(self) -> int:
        """Numbers in a descriptor: 16 cells by 3 means and 3 deviations."""
        return _CELLS**2 * 6

    @property
    def cells(self) -> tuple[int, ...]:
        """Patches of 16 to 32 pixels."""
        return 4, 6, 8

    def maps(self, images: Tensor) -> Tensor:
        """Return the colours and their squares."""
        return torch.cat([images, images**2], dim=1)

    def gather(self, maps: Tensor, cell: int) -> Tensor:
        """Compute mean and deviation."""
        mean, square = _means(maps, cell).chunk(2, dim=1)
        return torch.cat([mean, (square - mean**2).clamp(min=0.0).sqrt()], dim=1)


def _means(maps: Tensor, cell: int) -> Tensor:
    """Compute the mean of each square of so many pixels, a sum down and a sum across, faster than avg_pool2d."""
    for dim in (2, 3):
        length = maps.shape[dim] - cell + 1
        total = maps.narrow(dim, 0, length).clone()
        for start in range(1, cell):
            total += maps.narrow(dim, start, length)
        maps = total / cell
    return maps


def _fix_signs(vectors: Tensor) -> Tensor:
    """Fix the sign of eigenvectors, one a column: the element of largest absolute value is positive."""
    largest = vectors.gather(0, vectors.abs().argmax(dim=0, keepdim=True))
    return vectors * largest.sign()


def sample_descriptors(
    kind: FisherVectors, images: list[Tensor], each: int, random: np.random.Generator
) -> tuple[Tensor, Tensor]:
    """Draw descriptors and their places from batches of images.

    Parameters
    ----------
    kind : FisherVectors
        Which descriptors.
    images : list of Tensor, (B, 3, S, S)
        Batches, from 0 to 1.
    each : int
        Descriptors of an image, at most.
    random : Generator
        Of the draw.

    Returns
    -------
    (Tensor, Tensor)
        (P, channels) and (P, 2).
    """
    values, places = [], []
    for batch in images:
        for value, place in zip(*kind.descriptors(batch), strict=True):
            chosen: NDArray[np.int64] = random.choice(len(value), min(each, len(value)), replace=False)
            values.append(value[chosen])
            places.append(place[chosen])
    return torch.cat(values), torch.cat(places)

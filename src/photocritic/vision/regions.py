"""Bottom-up features: an image as the regions in which a detector sees most (Anderson et al. 2018)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import isqrt
from typing import Any, ClassVar, NamedTuple, Self

import torch
from torch import Tensor
from torchvision.models.detection.image_list import ImageList
from torchvision.ops import nms

from photocritic.vision import detectors
from photocritic.vision.description import Describer, Description

_OVERLAP = 0.5  # largest intersection over union of two regions; torchvision's limit for two objects of a class


@dataclass(frozen=True)
class RegionConfig:
    """All that is needed to build a network of regions again.

    Attributes
    ----------
    feature : str
        Always regions.
    detector : str
        torchvision's name.
    classes : int
        What the detector tells apart, the background among them.
    image_size : int
        Side in pixels of the squares it looks at.
    regions : int
        Regions of an image.
    """

    feature: str
    detector: str
    classes: int
    image_size: int
    regions: int


class Found(NamedTuple):
    """Regions of a batch of images, or without its dimension B of one.

    Attributes
    ----------
    boxes : Tensor of float32, (B, R, 4)
        Left, top, right and bottom edge in pixels.
    scores : Tensor of float32, (B, R)
        Probability of the likeliest object in each.
    features : Tensor of float32, (B, R, C)
        What the detector's box head gives for each.
    """

    boxes: Tensor
    scores: Tensor
    features: Tensor


class RegionNetwork(Describer):
    """A Faster R-CNN that describes each image by its strongest regions.

    Parameters
    ----------
    config : RegionConfig
        What to build.
    detector : FasterRCNN, optional
        The detector, where it has weights already.

    References
    ----------
    Anderson et al. 2018, Bottom-Up and Top-Down Attention for Image Captioning and Visual Question Answering, section
    3.1; ERG sections 3.3 and B.
    """

    batch: ClassVar[int] = 4  # each image brings hundreds of proposals into the box head
    config: RegionConfig

    def __init__(self, config: RegionConfig, detector: Any = None) -> None:
        detector = detector if detector is not None else detectors.build(config.detector, config.classes)
        super().__init__(config, detector.roi_heads.box_predictor.cls_score.in_features)
        self.detector: Any = detector
        self.to(memory_format=torch.channels_last)  # faster on CPUs

    @classmethod
    def build(cls, config: dict[str, Any]) -> Self:
        """Build a network with fresh weights from its configuration as `save` wrote it."""
        return cls(RegionConfig(**config))

    @property
    def cells(self) -> int:
        """Regions R of an image."""
        return self.config.regions

    def describe(self, images: Tensor) -> Description:
        """Compute the strongest regions' raw features and their mean.

        Parameters
        ----------
        images : Tensor of float32, (B, 3, S, S)
            Images normalised by ImageNet's statistics, as torchvision's detectors want them.

        Returns
        -------
        Description
            The mean over the regions, and the regions.
        """
        features = self.find(images).features
        return Description(features.mean(dim=1), features, {})

    def find(self, images: Tensor) -> Found:
        """Find the regions of images.

        A region is one of the detector's proposals, scored by the likeliest object in it. Of two that overlap by more
        than half the stronger stays. Where fewer than R remain, windows of a regular grid follow, strongest first:
        they do not overlap, so that a proposal can rule out one of them at most, and R regions are always found.

        Parameters
        ----------
        images : Tensor of float32, (B, 3, S, S)
            Normalised images.

        Returns
        -------
        Found
            R regions an image: proposals by falling score, then windows by falling score.
        """
        return Found(*(torch.stack(parts) for parts in zip(*map(self._find, torch.split(images, 1)), strict=True)))

    def _find(self, image: Tensor) -> Found:
        """Find the regions of a batch of one image.

        Kernels sum in another order in larger batches, and proposals carry such differences on to other boxes. Alone,
        an image has the same regions whatever stands beside it, on one processor.
        """
        detector = self.detector
        maps = detector.backbone(image)
        sizes = [(image.shape[2], image.shape[3])]
        [proposals], _ = detector.rpn(ImageList(image, sizes), maps)
        windows = _windows(self.config.regions, image)
        boxes = torch.cat([proposals, windows])
        features = self.pool(maps, [boxes], sizes)
        logits, _ = detector.roi_heads.box_predictor(features)
        scores = logits.softmax(dim=1)[:, 1:].amax(dim=1)  # the first class is the background
        return _strongest(Found(boxes, scores, features), len(windows), self.config.regions)

    def pool(self, maps: dict[str, Tensor], boxes: list[Tensor], sizes: list[tuple[int, int]]) -> Tensor:
        """Compute the box head's features of each image's boxes (N, 4) on its maps, (sum of N, C)."""
        with _torchvisions_kernels():
            pooled = self.detector.roi_heads.box_roi_pool(maps, boxes, sizes)
        features: Tensor = self.detector.roi_heads.box_head(pooled)
        return features


def _windows(count: int, images: Tensor) -> Tensor:
    """Cut the images' square into at least `count` equal windows, (n * n, 4)."""
    cuts = isqrt(count - 1) + 1
    edges = torch.linspace(0, images.shape[3], cuts + 1, device=images.device)
    top, left = (part.flatten() for part in torch.meshgrid(edges[:-1], edges[:-1], indexing="ij"))
    side = images.shape[3] / cuts
    return torch.stack([left, top, left + side, top + side], dim=1)


def _strongest(found: Found, windows: int, count: int) -> Found:
    """Choose among an image's boxes those that differ, by falling score, the last `windows` after all others."""
    rank = found.scores.clone()
    rank[len(rank) - windows :] -= 1.0
    kept: Tensor = nms(found.boxes, rank, _OVERLAP)[:count]
    return Found(*(part[kept] for part in found))


@contextmanager
def _torchvisions_kernels() -> Iterator[None]:
    """Keep torchvision from compiling RoI pooling anew for a GPU: of its own, the backward pass alone varies."""
    enabled, warn = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    torch.use_deterministic_algorithms(False)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(enabled, warn_only=warn)

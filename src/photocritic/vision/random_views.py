"""Random views of a whole batch at once: crop, flip and colour, as two matrix products and one resampling."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional
from torchvision.transforms import v2

from photocritic.vision.description import MEAN, STD

RATIOS = (3 / 4, 4 / 3)  # width by height of a crop before it is made square, as Szegedy et al. 2015 cut theirs
_STAGES = 4  # sizes of the views in one training, as in EfficientNetV2
_GREY = (0.299, 0.587, 0.114)  # ITU-R BT.601

View = Callable[[Tensor], Tensor]


def random_view(pixels: Tensor, size: int, crop_share: float, jitter: float = 0.3) -> Tensor:
    """Crop, scale, flip and recolour each image of a batch at random, and normalise.

    All draws come from torch's global generator on the host, so that devices see the same ones.

    Parameters
    ----------
    pixels : Tensor of uint8, (B, S, S, 3)
        Images as stored.
    size : int
        Side of the views in pixels.
    crop_share : float
        Smallest share of the image's area that a crop keeps; the largest is all of it.
    jitter : float
        Brightness, contrast and saturation each change by up to this share.

    Returns
    -------
    Tensor of float32, (B, 3, size, size)
        The views, channels last in memory.
    """
    views = _crop(pixels.permute(0, 3, 1, 2).float(), size, crop_share)
    return _recolour(views, jitter).contiguous(memory_format=torch.channels_last)


def view_size(progress: float, first: int, last: int) -> int:
    """Choose the side of the views as training goes on: small and cheap at first, whole at the end.

    Parameters
    ----------
    progress : float
        Share of the training that is done, in [0, 1).
    first, last : int
        Sides in pixels; the side grows in four stages of equal length. 0 for first: the last from the beginning.

    Returns
    -------
    int
        A multiple of 8, but for `last` itself.

    References
    ----------
    Tan and Le 2021, EfficientNetV2: Smaller Models and Faster Training, section 4.2.
    """
    stage = min(int(progress * _STAGES), _STAGES - 1)
    if not first or stage == _STAGES - 1:
        return last
    return round((first + (last - first) * stage / (_STAGES - 1)) / 8) * 8


def cut_mix(views: Tensor, targets: dict[str, Tensor], share: float) -> tuple[Tensor, dict[str, Tensor]]:
    """Paste a rectangle of each image of a batch into another, and mix their targets by area.

    Parameters
    ----------
    views : Tensor of float32, (B, 3, S, S)
        The views.
    targets : dict of str to Tensor of float32, (B, outputs)
        Distributions by head, on the host.
    share : float
        Probability that this batch is mixed; the area is uniform in [0, 1].

    Returns
    -------
    (Tensor, dict of str to Tensor)
        Both as given, or mixed; on the views' device.

    References
    ----------
    Yun et al. 2019, CutMix: Regularization Strategy to Train Strong Classifiers with Localizable Features, Eq. 1-2.
    """
    together = torch.cat(list(targets.values()), dim=1).to(views.device)
    if share and float(torch.rand(())) < share:
        views, together = v2.CutMix(alpha=1.0)(views, together)
    parts = torch.split(together, [target.shape[1] for target in targets.values()], dim=1)
    return views, dict(zip(targets, parts, strict=True))


def _uniform(count: int, low: float, high: float) -> Tensor:
    return torch.empty(count).uniform_(low, high)


def _crop(images: Tensor, size: int, crop_share: float) -> Tensor:
    count = len(images)
    area = _uniform(count, crop_share, 1.0)
    ratio = _uniform(count, *(torch.tensor(RATIOS).log().tolist())).exp()
    # torch.sqrt of floats is MKL's, which begins with an instruction that makes of processors round in their own ways.
    width, height = ((1.0 / side.rsqrt()).clamp(max=1.0) for side in (area * ratio, area / ratio))
    flip = torch.randint(0, 2, (count,)) * 2.0 - 1.0
    affine = torch.zeros(count, 2, 3)  # from the view's [-1, 1] square to the image's
    affine[:, 0, 0], affine[:, 1, 1] = width * flip, height
    affine[:, 0, 2] = (1.0 - width) * _uniform(count, -1.0, 1.0)
    affine[:, 1, 2] = (1.0 - height) * _uniform(count, -1.0, 1.0)
    grid = functional.affine_grid(affine, [count, 3, size, size], align_corners=False)
    return functional.grid_sample(
        images, grid.to(images.device), mode="bilinear", padding_mode="reflection", align_corners=False
    )


def _recolour(images: Tensor, jitter: float) -> Tensor:
    """Change saturation, contrast and brightness and normalise: one 3 x 3 matrix and one offset an image."""
    count, _, height, width = images.shape
    device = images.device
    brightness, contrast, saturation = (
        _uniform(count, 1.0 - jitter, 1.0 + jitter).to(device).reshape(-1, 1, 1) for _ in range(3)
    )
    mean, std, grey = (torch.tensor(values, device=device).reshape(3, 1) for values in (MEAN, STD, _GREY))
    mix = saturation * torch.eye(3, device=device) + (1.0 - saturation) * grey.T  # rows: the new red, green, blue
    average = (grey.T @ images.mean(dim=(2, 3), keepdim=True).reshape(count, 3, 1)) / 255
    matrix = brightness * contrast * mix / std / 255
    offset = (brightness * (1.0 - contrast) * average - mean) / std
    return torch.baddbmm(offset, matrix, images.reshape(count, 3, -1)).reshape(count, 3, height, width)

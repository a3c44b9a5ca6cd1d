"""Maxima in an order that leaves nothing open: among equals the first comes first, on any device and in any batch."""

import torch
from torch import Tensor


def first_max(scores: Tensor) -> tuple[Tensor, Tensor]:
    """Give each row's maximum and where it stands first, which torch.max leaves open; (N, V) to (N,) and (N,)."""
    values = scores.amax(dim=1, keepdim=True)
    return values[:, 0], (scores == values).to(torch.int8).argmax(dim=1)


def stable_top(scores: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Give each row's largest scores and their places, equal ones by place; torch.topk leaves that order open.

    Parameters
    ----------
    scores : Tensor
        (N, V) scores; minus infinity is no choice at all, so that the order of such places means nothing.
    count : int
        How many; where V is less, the rest is minus infinity at place 0.

    Returns
    -------
    (Tensor, Tensor)
        (N, count) scores by falling size, and their places.
    """
    width = min(count, scores.shape[1])
    values, places = scores.topk(min(count + 1, scores.shape[1]), dim=1)
    edge, beyond = values[:, width - 1], values[:, -1]
    if values.shape[1] > width and bool(((edge == beyond) & (edge > -torch.inf)).any()):
        places = _first_of_equals(scores, edge[:, None], width)
    places = places[:, :width].sort(dim=1).values
    values = scores.gather(1, places)
    order = values.argsort(dim=1, descending=True, stable=True)
    missing = (0, count - width)
    return (
        torch.nn.functional.pad(values.gather(1, order), missing, value=-torch.inf),
        torch.nn.functional.pad(places.gather(1, order), missing),
    )


def _first_of_equals(scores: Tensor, threshold: Tensor, count: int) -> Tensor:
    above, level = scores > threshold, scores == threshold
    spare = count - above.sum(dim=1, keepdim=True)
    taken = above | (level & (level.cumsum(dim=1) <= spare))
    return taken.nonzero()[:, 1].reshape(len(scores), count)

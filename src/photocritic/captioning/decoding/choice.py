"""Maxima in an order that leaves nothing open: among equals the first comes first, on any device and in any batch."""

import torch
from torch import Tensor

CHUNK = 64  # scores of which only the maximum is looked at first


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
    values, places = _top(scores, min(count + 1, scores.shape[1]))
    if bool(((values[:, 1:] == values[:, :-1]) & (values[:, 1:] > -torch.inf)).any()):
        values, places = _first_of_equals(scores, values[:, width - 1 : width], width)
    values, places = values[:, :width], places[:, :width]
    if width < count:
        values = torch.nn.functional.pad(values, (0, count - width), value=-torch.inf)
        places = torch.nn.functional.pad(places, (0, count - width))
    return values, places


def _top(scores: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Do as torch.topk, in a fraction of its time where there are many scores.

    The `count` largest scores stand in the `count` chunks with the largest maxima, or in what is left beside chunks.
    """
    chunks = scores.shape[1] // CHUNK
    if chunks < 2 * count:
        return scores.topk(count, dim=1)
    whole = scores[:, : chunks * CHUNK].view(len(scores), chunks, CHUNK)
    first = whole.amax(dim=2).topk(count, dim=1).indices * CHUNK
    inside = torch.arange(CHUNK, device=scores.device)
    beside = torch.arange(chunks * CHUNK, scores.shape[1], device=scores.device).expand(len(scores), -1)
    places = torch.cat([(first[..., None] + inside).flatten(1), beside], dim=1)
    values, found = scores.gather(1, places).topk(count, dim=1)
    return values, places.gather(1, found)


def _first_of_equals(scores: Tensor, least: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Give the `count` largest scores in a stable order, where (N, 1) `least` is the smallest of them."""
    above, level = scores > least, scores == least
    spare = count - above.sum(dim=1, keepdim=True)
    taken = above | (level & (level.cumsum(dim=1) <= spare))
    places = taken.nonzero()[:, 1].reshape(len(scores), count)
    values, order = scores.gather(1, places).sort(dim=1, descending=True, stable=True)
    return values, places.gather(1, order)

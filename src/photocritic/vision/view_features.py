"""Features of random views: what a captioner may read in the place of a photograph's own, to learn none by heart."""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from photocritic.core import logs
from photocritic.images.decoding import Pixels
from photocritic.training.seeding import deterministic
from photocritic.vision.description import Describer, Description, on_the_fastest_device
from photocritic.vision.extraction import Vectors
from photocritic.vision.network import Network
from photocritic.vision.random_views import random_view


def describe_views(
    network: Network,
    pixels: Pixels,
    rows: NDArray[np.int64],
    *,
    views: int,
    crop_share: float,
    jitter: float,
    seed: int,
    scratch: Path,
) -> Vectors:
    """Describe several random views of each training photograph, drawn as in the network's training.

    Parameters
    ----------
    network : Network
        The network; it ends in evaluation mode.
    pixels : ndarray of uint8, (N, S, S, 3)
        The corpus, to be cropped.
    rows : ndarray of int64
        The training photographs.
    views : int
        Views V of each.
    crop_share, jitter
        As in `random_view`.
    seed : int
        Of the draws.
    scratch : Path
        A file to hold the features; the caller deletes it.

    Returns
    -------
    ndarray of float32, (N, V, C)
        Raw pooled vectors, 0 for photographs that are not in `rows`.
    """
    raw: Vectors = np.memmap(scratch, dtype=np.float32, mode="w+", shape=(len(pixels), views, network.width))
    on_the_fastest_device(network.eval())
    device = network.mean.device
    for start in logs.progress(range(0, len(rows), network.batch), "extracting features of views"):
        chosen = rows[start : start + network.batch]
        batch = torch.from_numpy(pixels[chosen]).to(device)
        torch.manual_seed(seed + start)
        for view in range(views):
            with torch.inference_mode(), deterministic():
                seen = network.pool(random_view(batch, network.size, crop_share, jitter))
            raw[chosen, view] = seen.cpu().numpy()
    network.cpu()
    return raw


def standardise_views(network: Describer, raw: Vectors) -> Vectors:
    """Standardise views (B, V, C) by the network's statistics of pooled vectors; those of no photograph stay 0."""
    pooled = network.standardise(Description(torch.from_numpy(np.array(raw)), torch.empty(0, raw.shape[2]), {})).pooled
    seen: Vectors = np.where(raw.any(axis=2, keepdims=True), pooled.numpy(), np.float32(0.0))
    return seen

"""Decoding: from what a captioner thinks of the next word to whole captions, over many images at once.

`decode` asks in the way that the options name; `sample` draws several captions an image. Neither tracks gradients nor
changes the model's mode.
"""

import torch
from torch import Tensor

from photocritic.captioning.decoding.beam import search
from photocritic.captioning.decoding.contract import Decoded
from photocritic.captioning.decoding.draws import keys_of
from photocritic.captioning.decoding.walk import greedy, sample
from photocritic.captioning.models import Captioner
from photocritic.config import Decoding

__all__ = ["Decoded", "Decoding", "decode", "keys_of", "sample"]


@torch.no_grad()
def decode(
    model: Captioner, features: Tensor, options: Decoding, *, seed: int = 0, keys: Tensor | None = None
) -> Decoded:
    """Say captions about images.

    Parameters
    ----------
    model : Captioner
        In evaluation mode.
    features : Tensor
        (B, R, C) image features on the model's device.
    options : Decoding
        How.
    seed : int
        Of strategy `sample`.
    keys : Tensor, optional
        (B,) int64 number of each image, of strategy `sample`; see `sample`.

    Returns
    -------
    Decoded
        K is the number of groups for a diverse search, the best caption first, and 1 otherwise.
    """
    if options.strategy == "greedy":
        return greedy(model, features, options)
    if options.strategy == "sample":
        return sample(model, features, options, seed=seed, keys=keys)
    return search(model, features, options)

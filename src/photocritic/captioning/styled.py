"""Learning to speak in a style from text alone, without images."""

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from photocritic.captioning.pairs import Pairs
from photocritic.captioning.vocabulary import PAD


def loss(model: nn.Module, styled: dict[str, Pairs], count: int, label_smoothing: float) -> Tensor:
    """Give the mean cross-entropy a token over a batch of text in a style drawn at random.

    Instead of an image the model sees regions of nothing but zeros.

    Parameters
    ----------
    model : nn.Module
        Called as `StyleNet.forward`.
    styled : dict of str to Pairs
        The text by style.
    count : int
        Texts in a batch, at most.
    label_smoothing : float
        As in `objective.loss`.

    Returns
    -------
    Tensor
        () float32, nats.

    References
    ----------
    Gan et al. 2017, StyleNet: a captioner is trained alternately on images' factual captions and, as a language model,
    on stylised text.
    """
    style = list(styled)[int(torch.randint(len(styled), ()))]
    texts = styled[style]
    rows = torch.randperm(len(texts))[:count].numpy().astype(np.int64)
    device = next(model.parameters()).device
    features, inputs, targets = (torch.from_numpy(part).to(device) for part in texts.batch(rows))
    logits = model(torch.zeros_like(features), inputs, text_of=style)
    return functional.cross_entropy(
        logits.flatten(0, 1), targets.flatten(), ignore_index=PAD, label_smoothing=label_smoothing
    )

"""Training a network on target distributions: the loss and the measures of AIC section 4.4."""

import logging
from collections.abc import Iterable
from contextlib import nullcontext

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from photocritic.config import CnnPretrainParams
from photocritic.images.decoding import Pixels
from photocritic.training.compiling import compiled
from photocritic.training.loop import History, Indices, Plan
from photocritic.training.recipe import Position, Recipe, Task, TrainingRun, train
from photocritic.vision.description import plain_view
from photocritic.vision.network import Network
from photocritic.vision.random_views import cut_mix, random_view, view_size
from photocritic.vision.targets import Targets

log = logging.getLogger(__name__)

_VALIDATION_BATCH = 128
_WARM_UP = 0.15


def train_network(
    network: Network,
    pixels: Pixels,
    squares: Pixels,
    targets: Targets,
    *,
    params: CnnPretrainParams,
    run: TrainingRun,
) -> History:
    """Train a network to predict the target distributions; it ends with the weights of the best validation loss.

    Parameters
    ----------
    network : Network
        With a head for each of the targets' heads.
    pixels : ndarray of uint8, (N, S, S, 3)
        The corpus, to be cropped in training.
    squares : ndarray of uint8, (N, s, s, 3)
        The same at the size at which features are taken, to validate on.
    targets : Targets
        Distributions by head, and the rows to train and validate on.
    params : CnnPretrainParams
        The hyperparameters.
    run : TrainingRun
        Seed, checkpoint and tracking.

    Returns
    -------
    History
        The learning curve.
    """
    plan = Plan(
        label=f"cnn_pretrain {network.config.feature}",
        epochs=params.epochs,
        batch_size=params.batch_size,
        seed=run.seed,
        precision=params.precision,
        accumulate=params.accumulate,
        ema=params.ema,
        patience=params.patience,
        unit="images",
    )
    recipe = Recipe(
        plan,
        params.learning_rate,
        weight_decay=params.weight_decay,
        schedule=params.schedule,
        warm_up=_WARM_UP,
        cycle_momentum=True,
    )
    task = _task(network, pixels, squares, targets, params)
    if task.validate is None:
        log.warning("%s: no validation images; all epochs are trained, the last one's weights kept", plan.label)
    with compiled(network.backbone, plan.label) if params.compile else nullcontext():
        return train(network, task, recipe, run)


def _task(network: Network, pixels: Pixels, squares: Pixels, targets: Targets, params: CnnPretrainParams) -> Task:
    chosen, val = targets.rows["train"], targets.rows["val"]
    weights = {"topics": params.topics_weight, "words": params.words_weight}
    heads = {name: torch.from_numpy(matrix) for name, matrix in targets.heads.items()}

    def loss(model: nn.Module, batch: Indices, position: Position) -> Tensor:
        rows = chosen[batch]
        size = view_size(position.share, params.first_size, params.image_size)
        views = random_view(_batch(network, pixels, rows), size, params.crop_share, params.jitter)
        views, wanted = cut_mix(views, _rows(heads, rows), params.cut_mix)
        logits = model(views)
        parts = [
            weights.get(name, 1.0) * soft_cross_entropy(logits[name], target, params.label_smoothing)
            for name, target in wanted.items()
        ]
        return torch.stack(parts).sum()

    def validate(model: nn.Module) -> dict[str, float]:
        batches = np.array_split(val, -(-len(val) // _VALIDATION_BATCH))
        return _measure(model, ((_batch(network, squares, rows), _rows(heads, rows)) for rows in batches), weights)

    return Task(len(chosen), loss, ("val_loss", "min"), validate if len(val) else None)


def soft_cross_entropy(logits: Tensor, target: Tensor, smoothing: float = 0.0) -> Tensor:
    """Compute the mean cross-entropy of predictions against distributions.

    Parameters
    ----------
    logits : Tensor, (B, K)
        Unnormalised predictions.
    target : Tensor, (B, K)
        Distributions; a row of zeros takes no part but in the mean.
    smoothing : float
        Share of each distribution that is spread evenly.

    Returns
    -------
    Tensor, scalar
        In nats.

    References
    ----------
    AIC section 4.4, which names the loss and gives no equation.
    """
    mass = target.sum(dim=1, keepdim=True)
    smooth = (1.0 - smoothing) * target + smoothing * mass / target.shape[1]
    return -(smooth * functional.log_softmax(logits.float(), dim=1)).sum(dim=1).mean()


def _batch(network: Network, pixels: Pixels, rows: Indices) -> Tensor:
    return torch.from_numpy(pixels[rows]).to(network.mean.device)


def _rows(heads: dict[str, Tensor], rows: Indices) -> dict[str, Tensor]:
    return {name: matrix[rows] for name, matrix in heads.items()}


def _measure(
    model: nn.Module, batches: Iterable[tuple[Tensor, dict[str, Tensor]]], weights: dict[str, float]
) -> dict[str, float]:
    """Measure loss, agreement and divergence over batches of pixels and targets; agreement is the first head's."""
    sums: dict[str, float] = {}
    images = 0
    for pixels, targets in batches:
        logits = model(plain_view(pixels))
        first = next(iter(targets))
        measured = _agreement(logits[first], targets[first].to(pixels.device))
        for name, target in targets.items():
            loss = float(soft_cross_entropy(logits[name], target.to(pixels.device))) * len(target)
            measured[f"val_{name}_loss"] = loss
            measured["val_loss"] = measured.get("val_loss", 0.0) + weights.get(name, 1.0) * loss
        for metric, value in measured.items():
            sums[metric] = sums.get(metric, 0.0) + value
        images += len(pixels)
    return {metric: value / images for metric, value in sums.items()}


def _agreement(logits: Tensor, target: Tensor) -> dict[str, float]:
    """Sum over a batch: is the target's strongest output the first, or among the first five, and KL(target, output)."""
    likely = logits.topk(min(5, logits.shape[1]), dim=1).indices
    strongest = target.argmax(dim=1, keepdim=True)
    entropy = torch.special.entr(target).sum(dim=1)
    divergence = -(target * functional.log_softmax(logits.float(), dim=1)).sum(dim=1) - entropy
    return {
        "val_top1": float((likely[:, :1] == strongest).sum()),
        "val_top5": float((likely == strongest).sum()),
        "val_kl": float(divergence.sum()),
    }

"""Training a variant's captioner, from tables to a folder."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

from photocritic.captioning import pretrained
from photocritic.captioning.caption_dataset import Dataset
from photocritic.captioning.caption_loading import load_dataset
from photocritic.captioning.captioner import Captioner, ModelConfig
from photocritic.captioning.captioner_recipe import captioner_plan, captioner_recipe, training_outcome
from photocritic.captioning.ensemble import build_members, members_of
from photocritic.captioning.finetuning import fine_tune
from photocritic.captioning.model_predictor import ModelPredictor
from photocritic.captioning.objective import MAX_CIDER_D, Validation, caption_task
from photocritic.captioning.photographs import Photographs, pixel_files
from photocritic.captioning.self_critical import train_self_critical
from photocritic.config import LstmTrainParams, Variant
from photocritic.core import files
from photocritic.core.environment import is_first_worker
from photocritic.core.errors import TrainingError
from photocritic.core.outcome import Outcome
from photocritic.training import recipe
from photocritic.training.loop import History, OnEpoch, clear
from photocritic.training.recipe import TrainingRun
from photocritic.vision.network import Network

log = logging.getLogger(__name__)


def train(
    name: str,
    variant: Variant,
    captions: Path,
    images: Path,
    features: Path,
    out: Path,
    params: LstmTrainParams,
    seed: int,
    checkpoint: Path,
    on_epoch: OnEpoch | None = None,
    photographs: Photographs | None = None,
) -> Outcome:
    """Train a captioner on a variant's captions and features, or on its photographs.

    Parameters
    ----------
    name : str
        The variant's name, for the log and the progress bar.
    variant : Variant
        Which captions are learned from, those of one aspect alone where it names one; its features are those in
        `features`.
    captions, images, features : Path
        The tables.
    out : Path
        The folder to write; see `ModelPredictor.save`.
    params : LstmTrainParams
        Sizes and the course of the training.
    seed : int
        All randomness derives from it.
    checkpoint : Path
        Where training goes on from when it was killed; deleted after success.
    on_epoch : callable, optional
        Called after each epoch with its number (from 1) and its metrics.
    photographs : Photographs, optional
        Where the pixels are that `finetune_epochs` and the model `pretrained` ask for.

    Returns
    -------
    Outcome
        Metrics `train_captions`, `val_captions`, `vocabulary`, `unknown_share`, `cut_share`, `empty_captions`,
        `epochs`, `best_epoch`, `train_loss` (`policy_loss` where the best epoch was a self-critical one), and where
        there are validation captions `val_loss` (nats a token, without smoothing), `perplexity` and, where captions
        were scored, `val_cider_d`; the learning curve as plot and figure. Empty on all workers but the first.

    Raises
    ------
    TrainingError
        No caption is left to learn from, training diverged, or there are no photographs.
    """
    if params.model == pretrained.NAME:
        shards = _required(photographs).shards
        return pretrained.train(name, variant, captions, images, shards, out, params, seed, checkpoint, on_epoch)
    dataset = load_dataset(
        captions,
        images,
        features,
        variant.captions,
        params.min_count,
        params.vocabulary,
        params.max_length,
        out.parent,
        params.view,
        params.options.get("styles", ()),
        params.punctuation,
        variant.aspect,
        params.options.get("aspects", ()),
    )
    _, regions, channels = dataset.train.features.shape
    config = ModelConfig(
        features=channels,
        vocabulary=len(dataset.vocabulary),
        hidden=params.hidden,
        embedding=params.embedding,
        dropout=params.dropout,
        regions=regions,
        tied=params.tied,
    )
    torch.manual_seed(seed)
    model = build_members(params.model, config, params.options, params.members)
    log.info("lstm_train %s: %d captions, %d words", name, len(dataset.train), len(dataset.vocabulary))
    learned = (params.model_dump_json(), variant.captions, variant.aspect or "")
    key = "|".join([*learned, *map(files.sha256, (captions, images, features))])
    course = _Course(name, params, images, photographs)
    run = TrainingRun(seed, checkpoint, key, on_epoch)
    history = course.train_members(members_of(model), dataset, run)
    if len(dataset.val) and params.members > 1:
        validation = Validation(model, dataset, params, cider=MAX_CIDER_D[0] in history.best)
        history = replace(history, averaged=validation(model.eval()))
    if not is_first_worker():
        return Outcome()
    ModelPredictor(model, dataset.vocabulary, params.model, config, params.options, course.network).save(out)
    for file in course.scratch:
        clear(file)
    return training_outcome(name, _counts(dataset), history)


class _Course:
    """The phases through which a variant's captioners are trained.

    Attributes
    ----------
    network : Network or None
        The CNN, where it was trained along.
    scratch : list of Path
        What a killed training goes on from.
    """

    def __init__(self, name: str, params: LstmTrainParams, images: Path, photographs: Photographs | None) -> None:
        self._name, self._params, self._images, self._photographs = name, params, images, photographs
        self.network: Network | None = None
        self.scratch: list[Path] = []

    def train_members(self, members: Sequence[Captioner], dataset: Dataset, run: TrainingRun) -> History:
        """Train captioners one after the other, each by draws of its own; the history is the last one's after all."""
        history = self._train(members[0], self._name, dataset, run)
        for number, member in enumerate(members[1:], start=2):
            own = replace(run.phase(f"member_{number}", len(history.epochs)), seed=run.seed + number - 1)
            history = _after(history, self._train(member, f"{self._name}, {number} of {len(members)}", dataset, own))
        return history

    def _train(self, model: Captioner, name: str, dataset: Dataset, run: TrainingRun) -> History:
        params = self._params
        history = self._train_aspects(model, name, dataset, run)
        fitting = run.phase("fusion", len(history.epochs)) if dataset.aspects else run
        history = _after(history, fit_captioner(model, dataset, name, params, fitting))
        end_to_end = run.phase("end_to_end", len(history.epochs))
        if params.finetune_epochs:
            photographs = _required(self._photographs)
            self.network, dataset, history = fine_tune(
                model, dataset, photographs, self._images, name, params, end_to_end, history
            )
        self_critical = run.phase("self_critical", len(history.epochs))
        if params.self_critical_epochs:
            label = f"lstm_train {name} self-critical"
            history = train_self_critical(model, dataset, label, params, self_critical, history)
        checkpoints = [phase.checkpoint for phase in (fitting, end_to_end, self_critical)]
        self.scratch += [*checkpoints, *pixel_files(end_to_end.checkpoint)]
        return history

    def _train_aspects(self, model: Captioner, name: str, dataset: Dataset, run: TrainingRun) -> History:
        """Train the captioners of single aspects that a model has, each on the captions of its aspect, and fix them."""
        history = History([], 0)
        for number, (aspect, captioner) in enumerate(getattr(model, "aspect_captioners", {}).items(), start=1):
            phase = run.phase(f"aspect_{number}", len(history.epochs))
            captioner.requires_grad_(True)
            label = f"{name}, {aspect}"
            history = _after(history, fit_captioner(captioner, dataset.aspects[aspect], label, self._params, phase))
            captioner.requires_grad_(False)
            self.scratch.append(phase.checkpoint)
        return history


def _after(before: History, later: History) -> History:
    """Return the history of two trainings, of which the later one's weights are kept."""
    return History([*before.epochs, *later.epochs], len(before.epochs) + later.best_epoch, later.averaged)


def _required(photographs: Photographs | None) -> Photographs:
    if photographs is None:
        raise TrainingError("lstm_train: this captioner is shown pixels; give `photographs`")
    return photographs


def fit_captioner(model: Captioner, dataset: Dataset, name: str, params: LstmTrainParams, run: TrainingRun) -> History:
    """Train a model on pairs in memory by cross-entropy.

    Parameters
    ----------
    model : Captioner
        It ends with the weights of the epoch that is best by `params.select`; without validation captions, with the
        last epoch's.
    dataset : Dataset
        The captions, and the features of their images.
    name : str
        The variant's name, for the log and the progress bar.
    params : LstmTrainParams
        The course of the training.
    run : TrainingRun
        Seed, checkpoint and tracking.

    Returns
    -------
    History
        The learning curve.
    """
    plan = captioner_plan(f"lstm_train {name}", params, run.seed, params.epochs, params.batch_size)
    return recipe.train(model, caption_task(model, dataset, params), captioner_recipe(plan, params), run)


def _counts(dataset: Dataset) -> dict[str, float]:
    return {
        "train_captions": len(dataset.train),
        "val_captions": len(dataset.val),
        "vocabulary": len(dataset.vocabulary),
        "unknown_share": dataset.train.unknown_share,
        "cut_share": dataset.train.cut_share,
        "empty_captions": dataset.empty,
    }

"""The whole of ERG: extract style phrases, retrieve similar scenes, generate captions, accept or reject them."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from photocritic import tables
from photocritic.augmentation.acceptance import REASONS, Judged, judge
from photocritic.augmentation.augmentation_dataset import AugmentationDataset, read_datasets
from photocritic.config import AugmentParams
from photocritic.core.files import sha256
from photocritic.core.outcome import Outcome
from photocritic.styles.judges import Judges

log = logging.getLogger(__name__)

OnEpoch = Callable[[int, dict[str, float]], None]
EXAMPLES = 24  # rows shown in the report


def augment(
    images: Path,
    captions: Path,
    features: Path,
    judges: Path,
    out: Path,
    params: AugmentParams,
    seed: int,
    checkpoint: Path,
    on_epoch: OnEpoch | None = None,
) -> Outcome:
    """Write stylised captions for images, from few stylised ones.

    Everything is learnt on images of split `train` and measured on split `val`; images of split `test` are not touched.

    Parameters
    ----------
    images, captions : Path
        The tables.
    features : Path
        A table of the images' features.
    judges : Path
        Folder of the judges of styles, as `train_judges` writes it.
    out : Path
        Where the augmented table goes: every generated caption, accepted or with the reason of its rejection. Without
        stylised captions to learn from it is empty.
    params : AugmentParams
        The section `augment` of params.yaml.
    seed : int
        Seed of all that is random.
    checkpoint : Path
        Beginning of the checkpoints' names; they are gone when this returns.
    on_epoch : callable, optional
        Called after each epoch of the generator's training.

    Returns
    -------
    Outcome
        The extractor's confidence, how many captions were generated, accepted, and rejected by what; examples.

    Raises
    ------
    PhotocriticError
        A table or a pretrained model cannot be used.
    """
    found = read_datasets(images, captions, features)
    train, held_out = found["train"], found["val"]
    known = Judges.load(judges)
    if known is None or not train.styled or not train.factual:
        missing = "stylised" if not train.styled else "kept factual"
        log.warning("no %s captions of training images in %s: nothing to augment", missing, captions)
        tables.save("augmented", out, tables.from_rows("augmented", []))
        return Outcome({"styled": float(len(train.styled)), "generated": 0.0, "accepted": 0.0})
    from photocritic.augmentation.extract_retrieve_generate import ExtractRetrieveGenerate
    from photocritic.training.loop import clear
    from photocritic.training.recipe import TrainingRun

    inputs = " ".join([params.model_dump_json(), str(seed), *map(sha256, (images, captions, features, judges))])
    run = TrainingRun(seed, checkpoint, inputs, on_epoch).phase("generator")
    system = ExtractRetrieveGenerate(params, known, run)
    measured = system.train(train, held_out)
    judged = judge(system.candidates(train), known, params)
    tables.save("augmented", out, tables.from_rows("augmented", [_row(item) for item in judged]))
    for path in system.checkpoints:
        clear(path)
    return Outcome({**measured, **_counts(train, judged)}, {"examples": _examples(judged), **system.curves})


def _row(item: Judged) -> dict[str, Any]:
    candidate = item.candidate
    return {
        "image_id": candidate.image_id,
        "style": candidate.style,
        "caption": " ".join(candidate.caption),
        "phrase": " ".join(candidate.phrase),
        "factual": " ".join(candidate.factual),
        "retrieval": candidate.retrieval,
        # Rounded, so that the last bit of a matrix product does not make two runs differ.
        "similarity": round(candidate.similarity, 6),
        "perplexity": round(item.perplexity, 4),
        "style_probability": round(item.style_probability, 6),
        "accepted": not item.reason,
        "reason": item.reason,
    }


def _counts(train: AugmentationDataset, judged: Sequence[Judged]) -> dict[str, float]:
    accepted = [item for item in judged if not item.reason]
    counts = {
        "styled": len(train.styled),
        "generated": len(judged),
        "accepted": len(accepted),
        "accepted_share": len(accepted) / max(len(judged), 1),
        "distinct_phrases": len({tuple(item.candidate.phrase) for item in judged}),
        "distinct_captions": len({tuple(item.candidate.caption) for item in accepted}),
    }
    counts |= {f"rejected_{reason}": sum(item.reason == reason for item in judged) for reason in REASONS}
    if accepted:
        counts["accepted_perplexity"] = float(np.mean([item.perplexity for item in accepted]))
    return {name: float(value) for name, value in counts.items()}


def _examples(judged: Sequence[Judged]) -> list[dict[str, Any]]:
    """Choose rows for the report: accepted ones first, from as many images as there are."""
    first: dict[tuple[str, str], Judged] = {}
    for item in sorted(judged, key=lambda item: bool(item.reason)):
        first.setdefault((item.candidate.image_id, item.candidate.style), item)
    chosen = list(first.values())[:EXAMPLES]
    return [
        {name: round(value, 4) if isinstance(value, float) else value for name, value in _row(item).items()}
        for item in chosen
    ]

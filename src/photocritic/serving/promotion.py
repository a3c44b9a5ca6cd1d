"""The variant that the rule chooses becomes a version in MLflow's registry, and the champion where it earns that."""

import base64
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from photocritic.config import Params
from photocritic.core.errors import TrackingError
from photocritic.core.files import sha256
from photocritic.evaluation.champion import Choice, choose, surpasses
from photocritic.evaluation.comparison import fingerprint, overlap
from photocritic.evaluation.evaluation_set import EvaluationExample, EvaluationSet, load_evaluation_set
from photocritic.images.shards import read_images
from photocritic.metrics.columns import goodness, headline
from photocritic.serving.requests import IMAGE, Limits
from photocritic.tracking import Run
from photocritic.tracking import model_registry as registry
from photocritic.tracking.model_registry import CHALLENGER, CHAMPION, Version

if TYPE_CHECKING:
    from pandas import DataFrame

logger = logging.getLogger(__name__)

BATCH = 64  # photographs in a request


@dataclass(frozen=True)
class Trained:
    """Where the stages left what a model is made of, and what it was measured on.

    Attributes
    ----------
    pipelines : Path
        Folder of the <variant>/ that predict wrote.
    topics : Path
        The topic model's list of topics.
    images, captions, references : Path
        The tables.
    shards : Path
        Folder of the images.
    """

    pipelines: Path
    topics: Path
    images: Path
    captions: Path
    references: Path
    shards: Path


def register_and_promote(params: Params, numbers: Mapping[str, float], run: Run, trained: Trained) -> str:
    """Register the variant that the rule chooses, and promote it where it surpasses the champion.

    The winner becomes a new version with the alias `challenger`, unless the champion or the challenger is made of the
    very same files. The alias `champion` moves to it where there is none yet, or where it is above the champion by
    `promote.margin` on the same validation images: a champion that was measured on others captions these ones first.
    The version's tags are its numbers on the images of `predict.split`, and on those of the choice with the split's
    name before them (`val.cider_d`).

    Parameters
    ----------
    params : Params
        The variants and the rule.
    numbers : mapping of str to float
        As in the outcome of `evaluate`.
    run : Run
        The run that the model is logged on; tags tell the choice and what came of it.
    trained : Trained
        Where everything is.

    Returns
    -------
    str
        What came of it and why, in one line.
    """
    choice = choose(params, numbers)
    if choice.winner is None:
        verdict = f"{choice.message()} -> nothing is registered"
        logger.warning("champion: %s", verdict)
    else:
        verdict = _entered(params, choice, choice.winner, numbers, run, trained)
        logger.info("champion: %s", verdict)
        run.set_tag("champion", choice.winner, headline=True)
        run.log_headline({f"chosen.{key}": value for key, value in _headline(choice.winner, numbers).items()})
    run.set_tag("champion.verdict", verdict, headline=True)
    return verdict


def _entered(
    params: Params, choice: Choice, winner: str, numbers: Mapping[str, float], run: Run, trained: Trained
) -> str:
    """Register the winner and let it challenge the champion."""
    tables = (trained.images, trained.captions, trained.references)
    reported = load_evaluation_set(*tables, choice.reported_split, params.filter.chain)
    chosen = load_evaluation_set(*tables, choice.split, params.filter.chain)
    measured = _spelled(_headline(winner, numbers) | {f"{choice.split}.{params.promote.metric}": choice.values[winner]})
    measured["truth"] = fingerprint(reported.examples, params.evaluate.tokenizer)
    measured[f"{choice.split}.truth"] = fingerprint(chosen.examples, params.evaluate.tokenizer)
    reigning = registry.find(CHAMPION)
    version = _registered(params, choice, winner, numbers, measured, run, trained, reigning, reported)
    run.set_tag("champion.version", version.number, headline=True)
    registry.point(CHALLENGER, version)
    against = measured[f"{choice.split}.truth"]
    promoted, reason = _judged(params, choice, choice.values[winner], version, reigning, chosen, against, trained)
    verdict = f"{choice.message()}; {reason}"
    registry.tag(version, {"verdict": verdict})
    if promoted:
        registry.point(CHAMPION, version)
    return verdict


def _registered(
    params: Params,
    choice: Choice,
    winner: str,
    numbers: Mapping[str, float],
    measured: Mapping[str, str],
    run: Run,
    trained: Trained,
    reigning: Version | None,
    truth: EvaluationSet,
) -> Version:
    """Return the version that is made of the winner's files, a new one where neither alias points to one."""
    from photocritic.captioning.inference import CaptioningPipeline, read_topics
    from photocritic.serving import card
    from photocritic.serving.pyfunc import ARTIFACT, CODE, example, signature

    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / ARTIFACT
        topics = read_topics(trained.topics) if trained.topics.exists() else {}
        CaptioningPipeline.from_pretrained(trained.pipelines / winner).save_pretrained(folder, topics)
        digest = sha256(folder)
        for known in (reigning, registry.find(CHALLENGER)):
            if known is not None and known.tags.get("files") == digest:
                registry.tag(known, measured)
                return known
        tables = (trained.images, trained.captions, trained.references)
        facts = card.Facts(params, choice, winner, numbers, truth, *tables, folder, run.origin)
        told = Path(scratch) / card.FILE
        told.write_text(card.write(facts), encoding="utf-8")
        run.log_artifact(told)
        artifacts = {ARTIFACT: folder, "card": told}
        model = registry.Model(CODE, artifacts, signature(), example(), Limits().model_dump())
        return registry.add(run, model, {"variant": winner, "files": digest, **measured}, card.short(facts))


def _judged(
    params: Params,
    choice: Choice,
    value: float,
    version: Version,
    reigning: Version | None,
    truth: EvaluationSet,
    against: str,
    trained: Trained,
) -> tuple[bool, str]:
    """Return whether a version takes the champion's place, and why."""
    margin = params.promote.margin
    if reigning is None:
        return True, f"no champion yet -> version {version.number} promoted"
    if reigning.number == version.number:
        return False, f"the champion already, version {version.number}, made of the same files"
    try:
        theirs = _reached(params, choice.split, reigning, truth.examples, against, trained.shards)
    except TrackingError as error:
        hint = f"{error}; move the alias {CHAMPION} by hand"
        logger.warning("the champion cannot be asked about these images: %s", hint)
        return False, f"the champion cannot be asked about these images ({hint}) -> version {version.number} waits"
    found = f"the champion version {reigning.number} ({theirs:.3f})"
    metric = params.promote.metric
    if surpasses(goodness(metric, value), goodness(metric, theirs), margin):
        return True, f"beats {found} by {value - theirs:.3f}, margin {margin:g} -> version {version.number} promoted"
    gain = f"{value - theirs:+.3f} to {found}, margin {margin:g}"
    return False, f"{gain} -> version {version.number} stays challenger"


def _reached(
    params: Params, split: str, reigning: Version, truth: Sequence[EvaluationExample], against: str, shards: Path
) -> float:
    """Return what the champion reaches on these images; it captions them where it was measured on others."""
    metric = params.promote.metric
    if reigning.tags.get(f"{split}.truth") == against and f"{split}.{metric}" in reigning.tags:
        return float(reigning.tags[f"{split}.{metric}"])
    logger.info("the champion version %s captions the %d images of the choice", reigning.number, len(truth))
    answers = registry.ask(reigning, _requests(truth, shards))
    found = overlap(params, truth, [str(text) for answer in answers for text in answer["caption"]])
    kept = {f"{split}.{key}": value for key, value in found.items() if key in headline()}
    registry.tag(reigning, _spelled(kept) | {f"{split}.truth": against})
    return found[metric]


def _requests(truth: Sequence[EvaluationExample], shards: Path) -> "Iterator[DataFrame]":
    import pandas as pd

    for begin in range(0, len(truth), BATCH):
        batch = truth[begin : begin + BATCH]
        contents = read_images([one.path for one in batch], shards, [one.sha256 for one in batch])
        yield pd.DataFrame({IMAGE: [base64.b64encode(content).decode() for content in contents]})


def _headline(variant: str, numbers: Mapping[str, float]) -> dict[str, float]:
    """Return a variant's headline numbers by their plain names."""
    return {key: numbers[f"{variant}.{key}"] for key in headline() if f"{variant}.{key}" in numbers}


def _spelled(numbers: Mapping[str, float]) -> dict[str, str]:
    """Return numbers as tags that give back the very same numbers."""
    return {key: repr(float(value)) for key, value in numbers.items()}

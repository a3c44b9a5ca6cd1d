"""The evaluate stage: caption, score, compare, report."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from photocritic import metrics, tables
from photocritic.config import HOME, Params
from photocritic.core.errors import PhotocriticError
from photocritic.core.files import atomic_dir, atomic_file
from photocritic.core.outcome import Outcome
from photocritic.evaluation.attributes import mentions_of
from photocritic.evaluation.champion import choose, require_measured
from photocritic.evaluation.decode import Prediction, predict
from photocritic.evaluation.measure import Measures, measure, seen_in_training, shown
from photocritic.evaluation.significance import Difference, differences
from photocritic.evaluation.style_scores import assess
from photocritic.evaluation.styles import Aims, StyleFindings
from photocritic.evaluation.transfer import Transfer, transfer
from photocritic.evaluation.truth import Truth, gather
from photocritic.report import figures
from photocritic.report.blocks import write
from photocritic.report.page import Context, Evaluation, compose, summary
from photocritic.report.showcase import caption_rows, captioned


def evaluate(
    params: Params,
    *,
    images: Path,
    shards: Path,
    captions: Path,
    references: Path,
    features: Path,
    captioners: Path,
    predictions: Path,
    scores: Path,
    report: Path,
    checkpoint: Path,
    networks: Path | None = None,
    transferred: Path | None = None,
    topics: Path | None = None,
    topic_model: Path | None = None,
    stage_metrics: Path | None = None,
    stage_plots: Path | None = None,
) -> Outcome:
    """Caption the held-back images with every variant, score the captions, and write the report.

    Parameters
    ----------
    params : Params
        The variants, and the section `evaluate`.
    images, captions, references : Path
        The tables. Where the references table is empty, the held-back images' kept, unstyled captions serve.
    shards : Path
        Folder of the images.
    features : Path
        Folder of <feature>.parquet.
    captioners : Path
        Folder of the trained <variant>/.
    predictions, scores : Path
        Tables to write.
    report : Path
        HTML file to write; a Markdown file of the metrics is written beside it.
    checkpoint : Path
        Of the style classifier's training, where a variant speaks in styles; gone when this returns.
    networks, transferred : Path, optional
        Folder of the trained <feature>/ networks, and a folder to write the predictions and scores on `evaluate.on`
        into; both are needed where that is another corpus.
    topics, topic_model : Path, optional
        The topics table and the folder of topics.json, to show.
    stage_metrics, stage_plots : Path, optional
        Folders of the earlier stages' numbers (<stage>.json, <stage>/<item>.json) and curves
        (<stage>/<item>/learning_curve.json), to show.

    Returns
    -------
    Outcome
        Metrics `<variant>.<metric>` and the counts `images`, `references`, `images_without_references`; the same with
        `transfer.` before them of another corpus; the plots `unique_ngrams` and `metrics`; the figures of both, and of
        the best, median and worst photographs; the tables `captions`, a row an image and variant, `champion`, the
        choice by `evaluate.champion`, and `differences`. Where a variant speaks in styles, also what
        `StyleFindings.outcome` gives.

    Raises
    ------
    PhotocriticError
        There is nothing to evaluate on, a table or captioner cannot be used, or a metric is not installed.
    """
    names = metrics.choose(params.evaluate.metrics)  # first: what is not installed is told before any work
    require_measured(params.evaluate.champion, names)
    truth = gather(images, captions, references, params.evaluate.split)
    predictions.parent.mkdir(parents=True, exist_ok=True)
    ids = [subject.image_id for subject in truth.subjects]
    aims = Aims(captions, truth.subjects)
    spoken = predict(params, ids, features, captioners, images, shards, predictions.parent, aims.places)
    said = {name: spoken.pop(name) for name in params.variants}
    learned = {name: variant.captions for name, variant in params.variants.items()}
    known = seen_in_training(said, learned, images, captions)
    found = measure(
        truth.subjects,
        said,
        known,
        names=names,
        tokenizer=params.evaluate.tokenizer,
        positions=params.evaluate.positions,
        seed=params.seed,
        mentions=mentions_of(params),
    )
    styles = assess(params, aims, spoken, said, images=images, captions=captions, names=names, checkpoint=checkpoint)
    _save_predictions(predictions, truth, said, styles)
    _save_scores(scores, truth, found, styles)
    other = differences({name: one.per_image for name, one in found.items()}, shown(found), params.seed)
    moved = _transfer(params, images, captioners, networks, transferred, names)
    outcome = _outcome(truth, found, other, moved)
    outcome = outcome + styles.outcome() if styles else outcome
    choice = choose(params, outcome.metrics)
    evaluation = Evaluation(params, truth, said, found, outcome, choice, other, moved, styles)
    context = Context(images, shards, captions, topics, topic_model, stage_metrics, stage_plots)
    write(compose(evaluation, context, choice.best), report)
    with atomic_file(report.with_suffix(".md")) as temporary:
        temporary.write_text(summary(evaluation, context, choice.best), encoding="utf-8")
    return outcome + _images(evaluation, shards)


def _transfer(
    params: Params,
    images: Path,
    captioners: Path,
    networks: Path | None,
    transferred: Path | None,
    names: list[str],
) -> Transfer | None:
    """Test on another corpus, where one is asked for; the folder for what is said there is made anyway."""
    if transferred is None or networks is None:
        if params.evaluate.on != HOME:
            raise PhotocriticError(
                f"evaluate.on: {params.evaluate.on} needs the folders of networks and of transferred"
            )
        return None
    with atomic_dir(transferred) as folder:
        if params.evaluate.on == HOME:
            return None
        found = transfer(params, images, captioners, networks, names, folder)
        _save_predictions(folder / "predictions.parquet", found.truth, found.said)
        _save_scores(folder / "scores.parquet", found.truth, found.found)
    return found


def _save_predictions(
    path: Path, truth: Truth, said: Mapping[str, Sequence[Prediction]], styles: StyleFindings | None = None
) -> None:
    rows = [
        {"image_id": subject.image_id, "variant": name, "caption": one.text, "logprob": one.logprob}
        for name, some in said.items()
        for subject, one in zip(truth.subjects, some, strict=True)
    ]
    rows += styles.predictions() if styles else []
    tables.save("predictions", path, tables.from_rows("predictions", rows), rows=len(rows))


def _save_scores(path: Path, truth: Truth, found: Mapping[str, Measures], styles: StyleFindings | None = None) -> None:
    rows = [
        {"image_id": subject.image_id, "variant": name, "metric": key, "score": float(value)}
        for name, measures in found.items()
        for key, values in measures.per_image.items()
        for subject, value in zip(truth.subjects, values, strict=True)
    ]
    rows += styles.scores() if styles else []
    tables.save("scores", path, tables.from_rows("scores", rows), rows=len(rows))


def _numbers(truth: Truth, found: Mapping[str, Measures]) -> dict[str, float]:
    numbers = {f"{name}.{key}": value for name, measures in found.items() for key, value in measures.corpus.items()}
    counts = {"images": len(truth.subjects), "references": truth.references}
    counts["images_without_references"] = truth.without_references
    return numbers | {key: float(value) for key, value in counts.items()}


def _outcome(truth: Truth, found: Mapping[str, Measures], other: list[Difference], moved: Transfer | None) -> Outcome:
    elsewhere = _numbers(moved.truth, moved.found) if moved else {}
    return Outcome(
        metrics=_numbers(truth, found) | {f"transfer.{key}": value for key, value in elsewhere.items()},
        plots={
            "unique_ngrams": [
                {"variant": name, "order": order, "position": position, "unique": count}
                for name, measures in found.items()
                for order, counted in measures.positions.items()
                for position, count in enumerate(counted, 1)
            ],
            "metrics": [
                {"variant": name, "metric": key, "value": measures.corpus[key]}
                for name, measures in found.items()
                for key in measures.per_image
            ],
        },
        tables={"differences": [asdict(one) | {"stars": one.stars} for one in other]},
        figures={"metrics": figures.metric_bars(found), "unique_ngrams": figures.diversity_curves(found)},
    )


def _images(evaluation: Evaluation, shards: Path) -> Outcome:
    """Give what is told of single images, and the choice as a table."""
    subjects, said, found = evaluation.truth.subjects, evaluation.said, evaluation.found
    choice = evaluation.choice
    scores = {name: measures.per_image["cider_d"] for name, measures in found.items()}
    ranked = found[choice.best].per_image[choice.rule.metric]
    return Outcome(
        figures=captioned(subjects, said, scores, shards, ranked),
        tables={"captions": caption_rows(subjects, said, found), "champion": choice.rows()},
    )

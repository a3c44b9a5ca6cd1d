"""The evaluate stage: caption, score, compare, report."""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path

from photocritic import metrics, tables
from photocritic.evaluation import figures
from photocritic.evaluation.champion import choose, require_measured
from photocritic.evaluation.decode import Prediction, predict
from photocritic.evaluation.measure import Measures, measure, seen_in_training
from photocritic.evaluation.page import Context, Evaluation, compose, summary
from photocritic.evaluation.report import write
from photocritic.evaluation.showcase import caption_rows, captioned
from photocritic.evaluation.truth import Truth, gather
from photocritic.files import atomic_file
from photocritic.outcome import Outcome
from photocritic.params import Params


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
    topics, topic_model : Path, optional
        The topics table and the folder of topics.json, to show.
    stage_metrics, stage_plots : Path, optional
        Folders of the earlier stages' numbers (<stage>.json, <stage>/<item>.json) and curves
        (<stage>/<item>/learning_curve.json), to show.

    Returns
    -------
    Outcome
        Metrics `<variant>.<metric>` and the counts `images`, `references`, `images_without_references`; the plots
        `unique_ngrams` and `metrics`; the figures of both, and of the best, median and worst photographs; the tables
        `captions`, a row an image and variant, and `champion`, the choice by `evaluate.champion`.

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
    said = predict(params, ids, features, captioners, images, shards, predictions.parent)
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
        mentions=_mentions(params),
    )
    _save_predictions(predictions, truth, said)
    _save_scores(scores, truth, found)
    outcome = _outcome(truth, found)
    choice = choose(params, outcome.metrics)
    evaluation = Evaluation(params, truth, said, found, outcome, choice)
    context = Context(images, shards, captions, topics, topic_model, stage_metrics, stage_plots)
    write(compose(evaluation, context, choice.best), report)
    with atomic_file(report.with_suffix(".md")) as temporary:
        temporary.write_text(summary(evaluation), encoding="utf-8")
    return outcome + _images(evaluation, shards)


def _mentions(params: Params) -> Callable[[str], AbstractSet[str]] | None:
    """Only the bundled sample's labels are attributes that captions can be checked against."""
    if params.ingest.reader != "sample":
        return None
    from photocritic.corpus.sample import mentions

    check: Callable[[str], AbstractSet[str]] = mentions
    return check


def _save_predictions(path: Path, truth: Truth, said: Mapping[str, list[Prediction]]) -> None:
    rows = [
        {"image_id": subject.image_id, "variant": name, "caption": one.text, "logprob": one.logprob}
        for name, some in said.items()
        for subject, one in zip(truth.subjects, some, strict=True)
    ]
    tables.save("predictions", path, tables.from_rows("predictions", rows), rows=len(rows))


def _save_scores(path: Path, truth: Truth, found: Mapping[str, Measures]) -> None:
    rows = [
        {"image_id": subject.image_id, "variant": name, "metric": key, "score": float(value)}
        for name, measures in found.items()
        for key, values in measures.per_image.items()
        for subject, value in zip(truth.subjects, values, strict=True)
    ]
    tables.save("scores", path, tables.from_rows("scores", rows), rows=len(rows))


def _outcome(truth: Truth, found: Mapping[str, Measures]) -> Outcome:
    counts = {"images": len(truth.subjects), "references": truth.references}
    numbers = {f"{name}.{key}": value for name, measures in found.items() for key, value in measures.corpus.items()}
    return Outcome(
        metrics=numbers
        | {key: float(value) for key, value in counts.items()}
        | {"images_without_references": float(truth.without_references)},
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

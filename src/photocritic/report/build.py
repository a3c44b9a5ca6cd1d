"""The report stage: the page, its summary in Markdown, and pictures for MLflow."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from photocritic.config import Params
from photocritic.core.files import atomic_file
from photocritic.core.outcome import Outcome
from photocritic.evaluation.champion import choose
from photocritic.evaluation.evaluation_set import load_evaluation_set
from photocritic.evaluation.findings import load_findings
from photocritic.evaluation.predictions import (
    TABLE,
    Training,
    is_styled,
    load_predictions,
    load_training,
    predictions_of,
)
from photocritic.evaluation.styles import style_targets
from photocritic.metrics.columns import goodness
from photocritic.report.blocks import write
from photocritic.report.figures import diversity_curves, metric_bars
from photocritic.report.page import Context, Evaluation, compose, summary
from photocritic.report.showcase import captioned


@dataclass(frozen=True)
class ReportInputs:
    """Where the stages left what the report shows; the optional ones are shown where they are.

    Attributes
    ----------
    images, captions, references : Path
        The tables.
    shards, predictions, findings : Path
        Folders of the images, and of what `predictions` and `evaluate` have written.
    topics, topic_model : Path, optional
        The topics table and the folder of topics.json.
    stage_metrics, stage_plots, stage_tables : Path, optional
        Folders of the numbers, curves and tables of stages that run once.
    """

    images: Path
    captions: Path
    references: Path
    shards: Path
    predictions: Path
    findings: Path
    topics: Path | None = None
    topic_model: Path | None = None
    stage_metrics: Path | None = None
    stage_plots: Path | None = None
    stage_tables: Path | None = None


def build_report(params: Params, inputs: ReportInputs, page: Path, markdown: Path) -> Outcome:
    """Write the report.

    Parameters
    ----------
    params : Params
        The variants, and the sections `report` and `promote`.
    inputs : ReportInputs
        What it shows.
    page, markdown : Path
        Files to write: all as HTML, and the tables of metrics in Markdown.

    Returns
    -------
    Outcome
        The table `champion`, the choice by `promote`; figures of the metrics, of n-grams by position, and of the best,
        median and worst photographs.

    Raises
    ------
    PhotocriticError
        Something that was not made, or is damaged.
    """
    split, chain = params.predict.split, params.filter.chain
    evaluation_set = load_evaluation_set(inputs.images, inputs.captions, inputs.references, split, chain)
    found = load_predictions(inputs.predictions / TABLE)
    factual = {
        name: predictions_of(found, name, evaluation_set.examples, inputs.predictions) for name in params.compared
    }
    targets = style_targets(inputs.captions, evaluation_set.examples)
    in_styles = {
        name: predictions_of(found, name, targets[style].examples, inputs.predictions)
        for name in found
        if is_styled(name) and (style := name.partition(".")[2]) in targets
    }
    findings = load_findings(inputs.findings, targets, factual, in_styles)
    choice = choose(params, findings.numbers())
    evaluation = Evaluation(params, evaluation_set, factual, findings, choice)
    context = Context(
        inputs.images,
        inputs.shards,
        inputs.captions,
        inputs.topics,
        inputs.topic_model,
        inputs.stage_metrics,
        inputs.stage_plots,
        inputs.stage_tables,
        _trained(params, load_training(inputs.predictions)),
    )
    write(compose(evaluation, context, choice.best), page)
    with atomic_file(markdown) as temporary:
        temporary.write_text(summary(evaluation, context, choice.best), encoding="utf-8")
    measures = findings.measures
    scores = {name: one.per_image["cider_d"] for name, one in measures.items()}
    metric = choice.rule.metric
    ranked = goodness(metric, 1.0) * measures[choice.best].per_image[metric]
    return Outcome(
        tables={"champion": choice.rows()},
        figures={"metrics": metric_bars(measures), "unique_ngrams": diversity_curves(measures)}
        | captioned(evaluation_set.examples, factual, scores, inputs.shards, ranked),
    )


def _trained(params: Params, training: Training) -> Training:
    """Return what was trained in the order of params.yaml, which gives each its colour."""
    order: dict[str, Sequence[str]] = {
        "cnn_pretrain": params.cnn_pretrain.features,
        "lstm_train": list(params.variants),
    }
    return {
        stage: {item: training[stage][item] for item in items if item in training[stage]}
        for stage, items in order.items()
        if stage in training
    }

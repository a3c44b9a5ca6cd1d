"""What the evaluation's report says, and in which order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from photocritic.config import Decoding, Params
from photocritic.evaluation.champion import Choice
from photocritic.evaluation.findings import Findings
from photocritic.evaluation.predictions import Prediction, Training
from photocritic.evaluation.truth import Truth
from photocritic.metrics.labels import label
from photocritic.report import context, curation, figures, headline
from photocritic.report.attributes import attributes_section
from photocritic.report.blocks import Fact, Picture, Report, Section, Table, markdown
from photocritic.report.by_topic import topic_section
from photocritic.report.gallery import Exhibits, extremes, gallery
from photocritic.report.style_tables import style_section, style_tables
from photocritic.report.themes import Themes, read_themes
from photocritic.report.topics import topics_section
from photocritic.report.transfer_tables import transfer_section, transfer_tables


@dataclass(frozen=True)
class Evaluation:
    """What the report is about.

    Attributes
    ----------
    params : Params
        The pipeline's.
    truth : Truth
        The held-back images and their references.
    said : dict of str to sequence of Prediction
        The captions by variant, in the order of the images.
    findings : Findings
        All numbers.
    choice : Choice
        What the rule `promote` says of the variants.
    """

    params: Params
    truth: Truth
    said: Mapping[str, Sequence[Prediction]]
    findings: Findings
    choice: Choice


@dataclass(frozen=True)
class Context:
    """What the earlier stages left that the report shows besides; the optional ones are shown where they are.

    Attributes
    ----------
    images, captions, topics : Path
        The tables.
    shards, topic_model : Path
        Folders of the images and of the topic model.
    stage_metrics, stage_plots : Path, optional
        Folders of the numbers and the curves of stages that run once.
    training : dict
        The numbers and curves of what was trained, by stage and item.
    """

    images: Path
    shards: Path
    captions: Path
    topics: Path | None = None
    topic_model: Path | None = None
    stage_metrics: Path | None = None
    stage_plots: Path | None = None
    training: Training = field(default_factory=dict)


def compose(evaluation: Evaluation, around: Context, best: str) -> Report:
    """Put the report together.

    Parameters
    ----------
    evaluation : Evaluation
        The findings.
    around : Context
        Where the rest is found.
    best : str
        The variant that the first sentence is about.

    Returns
    -------
    Report
        Ready to write.
    """
    params, fared = evaluation.params, context.outcomes(around.captions)
    themes = _themes(evaluation, around)
    exhibits = Exhibits(evaluation.truth.subjects, evaluation.said, evaluation.findings.measures, themes, around.shards)
    sections = [
        _metrics(evaluation),
        transfer_section(evaluation.findings.transfer, params) if evaluation.findings.transfer else None,
        _attributes(evaluation),
        _diversity(evaluation),
        style_section(evaluation.findings.styles),
        _by_topic(evaluation, themes, best),
        context.training_section(around.training),
        context.filter_section(fared, curation.pictures(around.stage_plots, around.stage_metrics, params.filter)),
        topics_section(
            around.topics, around.topic_model, around.images, around.shards, pictures=params.report.gallery > 0
        ),
        _extremes(exhibits, best) if params.report.gallery else None,
        _gallery(exhibits, params.report.gallery) if params.report.gallery else None,
        context.numbers_section(around.stage_metrics, around.training),
    ]
    return Report(
        "Captioners, side by side",
        _lead(evaluation, best),
        _facts(evaluation.truth, params, fared),
        [section for section in sections if section is not None],
        _foot(evaluation),
    )


def summary(evaluation: Evaluation, around: Context, best: str) -> str:
    """Write the tables of metrics in Markdown; parameters as in `compose`."""
    found = evaluation.findings.measures
    tables = [*_accuracy(evaluation), headline.diversity_table(found)]
    if evaluation.findings.transfer:
        tables += transfer_tables(evaluation.findings.transfer, evaluation.params)
    if evaluation.findings.styles:
        tables += style_tables(evaluation.findings.styles)
    parts = (_attributes(evaluation), _by_topic(evaluation, _themes(evaluation, around), best))
    tables += [block for part in parts if part for block in part.blocks if isinstance(block, Table)]
    text = "\n".join(markdown(table) for table in tables if len(table.columns) > 1)
    unmeasured = headline.left_out(evaluation.params.evaluate.metrics)
    return f"{text}\nThe rule chooses {evaluation.choice.told()}.\n" + (f"\n{unmeasured}\n" if unmeasured else "")


def _lead(evaluation: Evaluation, best: str) -> str:
    span = evaluation.findings.measures[best].interval
    reached = f"{best} reaches CIDEr-D {span.mean:.3f} (95% interval {span.low:.3f} to {span.high:.3f})"
    return f"{reached}. The rule chooses {evaluation.choice.told()}."


def _facts(truth: Truth, params: Params, fared: context.Outcomes) -> list[Fact]:
    comments = fared.counts.total()
    return [
        Fact("photographs", f"{truth.images:,}"),
        Fact("comments", f"{comments:,}"),
        Fact("of the comments kept", f"{fared.kept / max(1, comments):.0%}"),
        Fact(f"photographs held back ({params.predict.split})", f"{len(truth.subjects) + truth.without_references:,}"),
        Fact("of them without reference, left out", f"{truth.without_references:,}"),
        Fact("references", f"{truth.references:,}"),
    ]


def _foot(evaluation: Evaluation) -> str:
    params = evaluation.params
    own = evaluation.truth.source == "references"
    source = "the corpus's own captions" if own else "the kept comments on the photographs held back"
    tokenizer = {"simple": "photocritic's own tokenizer", "ptb": "Stanford's PTBTokenizer"}[params.evaluate.tokenizer]
    return (
        f"Corpus read by {params.ingest.reader}; references are {source}. Captions decoded by "
        f"{_strategy(params.predict)}, {params.predict.min_length} to {params.predict.max_length} words, "
        f"compared in the words of {tokenizer}. Seed {params.seed}."
    )


def _strategy(options: Decoding) -> str:
    return {
        "greedy": "taking the likeliest word each time",
        "beam": f"beam search with {options.beam} hypotheses",
        "diverse": f"diverse beam search with {options.groups} groups of {options.beam}",
        "sample": f"nucleus sampling with p = {options.top_p}, temperature {options.temperature}",
    }[options.strategy]


def _metrics(evaluation: Evaluation) -> Section:
    bars = figures.svg(figures.metric_bars(evaluation.findings.measures))
    picture = Picture(bars, "The line on CIDEr-D is its 95% bootstrap interval.")
    return Section(
        "Metrics", [*_accuracy(evaluation), picture], intro=headline.left_out(evaluation.params.evaluate.metrics)
    )


def _accuracy(evaluation: Evaluation) -> list[Table]:
    """Lay out the metrics, how sure the differences are, and the metrics that are no headlines, where there are any."""
    found = evaluation.findings
    table = headline.accuracy_table(found.measures, evaluation.params.variants, found.differences)
    compared, details = headline.difference_table(found.differences), headline.detail_table(found.measures)
    return [table, *(more for more in (compared, details) if more.rows and len(more.columns) > 1)]


def _diversity(evaluation: Evaluation) -> Section:
    curves = figures.svg(figures.diversity_curves(evaluation.findings.measures))
    note = (
        "Different n-grams that start at each position, over all captions of a variant (AIC Figure 5 a–c), and the "
        "share of pairs of captions with hardly a word in common (d)."
    )
    return Section("Diversity", [headline.diversity_table(evaluation.findings.measures), Picture(curves, note)])


def _attributes(evaluation: Evaluation) -> Section | None:
    measures = evaluation.findings.measures
    tallies = {name: one.attributes for name, one in measures.items() if one.attributes is not None}
    return attributes_section(tallies) if tallies else None


def _themes(evaluation: Evaluation, around: Context) -> Themes:
    wanted = frozenset(subject.image_id for subject in evaluation.truth.subjects)
    return read_themes(around.topics, around.topic_model, wanted)


def _by_topic(evaluation: Evaluation, themes: Themes, best: str) -> Section | None:
    ids = [subject.image_id for subject in evaluation.truth.subjects]
    scores = {name: found.per_image["cider_d"] for name, found in evaluation.findings.measures.items()}
    return topic_section(ids, scores, themes, best=best, metric=label("cider_d"))


def _extremes(exhibits: Exhibits, best: str) -> Section:
    intro = f"The photographs whose caption by {best} has the highest and the lowest CIDEr-D."
    return Section("Best and worst", extremes(exhibits, best, "cider_d"), intro=intro)


def _gallery(exhibits: Exhibits, count: int) -> Section:
    cards = gallery(exhibits, count)
    chosen = f"{len(cards.cards):,} of the {len(exhibits.subjects):,} photographs held back. " * (
        len(cards.cards) < len(exhibits.subjects)
    )
    intro = f"{chosen}The numbers beside a caption: the chosen metric and the caption's log-probability."
    return Section("Gallery", [cards], intro=intro)

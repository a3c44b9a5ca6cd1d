"""What the evaluation's report says, and in which order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from photocritic.config import Decoding, Params
from photocritic.evaluation.champion import SPLIT_NAMES, Choice
from photocritic.evaluation.evaluation_set import EvaluationSet
from photocritic.evaluation.findings import Findings
from photocritic.evaluation.predictions import Prediction, Training
from photocritic.metrics.columns import label
from photocritic.report import earlier_stages, figures, headline
from photocritic.report.association_section import AssociationFiles, association_section
from photocritic.report.attribute_tables import attributes_section
from photocritic.report.blocks import Fact, Picture, Report, Section, Table, markdown
from photocritic.report.gallery import GalleryData, extremes, gallery
from photocritic.report.style_tables import style_section, style_tables
from photocritic.report.topic_pictures import topics_section
from photocritic.report.topic_scores import ImageTopics, read_image_topics, topic_section
from photocritic.report.transfer_tables import transfer_section, transfer_tables


@dataclass(frozen=True)
class Evaluation:
    """What the report is about.

    Attributes
    ----------
    params : Params
        The pipeline's.
    evaluation_set : EvaluationSet
        The held-back images and their references.
    captions : dict of str to sequence of Prediction
        The captions by variant, in the order of the images.
    findings : Findings
        All numbers.
    choice : Choice
        What the rule `promote` says of the variants.
    """

    params: Params
    evaluation_set: EvaluationSet
    captions: Mapping[str, Sequence[Prediction]]
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
    stage_metrics, stage_plots, stage_tables : Path, optional
        Folders of the numbers, the curves and the tables of stages that run once.
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
    stage_tables: Path | None = None
    training: Training = field(default_factory=dict)


def compose(evaluation: Evaluation, earlier: Context, best: str) -> Report:
    """Return the report.

    Parameters
    ----------
    evaluation : Evaluation
        The findings.
    earlier : Context
        Where the rest is found.
    best : str
        The variant that the first sentence is about.

    Returns
    -------
    Report
        Ready to write.
    """
    params, fared = evaluation.params, earlier_stages.outcomes(earlier.captions)
    topics = _topics(evaluation, earlier)
    shown = GalleryData(
        evaluation.evaluation_set.examples, evaluation.captions, evaluation.findings.measures, topics, earlier.shards
    )
    sections = [
        _metrics(evaluation),
        transfer_section(evaluation.findings.transfer, params) if evaluation.findings.transfer else None,
        _attributes(evaluation),
        _diversity(evaluation),
        style_section(evaluation.findings.styles),
        _by_topic(evaluation, topics, best),
        earlier_stages.training_section(earlier.training),
        earlier_stages.filter_section(
            fared, earlier_stages.filter_pictures(earlier.stage_plots, earlier.stage_metrics, params.filter)
        ),
        earlier_stages.near_misses_section(earlier.stage_plots),
        _association(params, earlier),
        topics_section(
            earlier.topics, earlier.topic_model, earlier.images, earlier.shards, pictures=params.report.gallery > 0
        ),
        _extremes(shown, best) if params.report.gallery else None,
        _gallery(shown, params.report.gallery) if params.report.gallery else None,
        earlier_stages.numbers_section(earlier.stage_metrics, earlier.training),
    ]
    return Report(
        "Captioners, side by side",
        _lead(evaluation, best),
        _facts(evaluation.evaluation_set, params, fared),
        [section for section in sections if section is not None],
        _foot(evaluation),
    )


def summary(evaluation: Evaluation, earlier: Context, best: str) -> str:
    """Write the tables of metrics in Markdown; parameters as in `compose`."""
    found = evaluation.findings.measures
    tables = [*_accuracy(evaluation), headline.diversity_table(found)]
    if evaluation.findings.transfer:
        tables += transfer_tables(evaluation.findings.transfer, evaluation.params)
    if evaluation.findings.styles:
        tables += style_tables(evaluation.findings.styles)
    parts = (_attributes(evaluation), _by_topic(evaluation, _topics(evaluation, earlier), best))
    tables += [block for part in parts if part for block in part.blocks if isinstance(block, Table)]
    text = "\n".join(markdown(table) for table in tables if len(table.columns) > 1)
    unmeasured = headline.left_out(evaluation.params.evaluate.metrics)
    return f"{text}\nThe rule chooses {evaluation.choice.message()}.\n" + (f"\n{unmeasured}\n" if unmeasured else "")


def _lead(evaluation: Evaluation, best: str) -> str:
    span, choice = evaluation.findings.measures[best].interval, evaluation.choice
    reached = f"{best} reaches CIDEr-D {span.mean:.3f} (95% interval {span.low:.3f} to {span.high:.3f})"
    return f"{reached} on {SPLIT_NAMES[choice.reported_split]} photographs. The rule chooses {choice.message()}."


def _facts(evaluation_set: EvaluationSet, params: Params, fared: earlier_stages.Outcomes) -> list[Fact]:
    comments = fared.counts.total()
    return [
        Fact("photographs", f"{evaluation_set.images:,}"),
        Fact("comments", f"{comments:,}"),
        Fact("of the comments kept", f"{fared.kept / max(1, comments):.0%}"),
        Fact(
            f"photographs held back ({params.predict.split})",
            f"{len(evaluation_set.examples) + evaluation_set.without_references:,}",
        ),
        Fact("of them without reference, left out", f"{evaluation_set.without_references:,}"),
        Fact("references", f"{evaluation_set.references:,}"),
    ]


def _foot(evaluation: Evaluation) -> str:
    params = evaluation.params
    own = evaluation.evaluation_set.source == "references"
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
    """Return the metrics, how sure differences are, what the choice is made by, and metrics that are no headlines."""
    found, params = evaluation.findings, evaluation.params
    on_pccd = params.ingest.reader == "pccd"
    tables = [
        headline.accuracy_table(found.measures, params.compared, found.differences, on_pccd),
        headline.difference_table(found.differences),
        *([headline.choice_table(found.validation, evaluation.choice)] if found.validation else []),
        headline.detail_table(found.measures),
    ]
    return [table for table in tables if table.rows and len(table.columns) > 1]


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


def _topics(evaluation: Evaluation, earlier: Context) -> ImageTopics:
    wanted = frozenset(example.image_id for example in evaluation.evaluation_set.examples)
    return read_image_topics(earlier.topics, earlier.topic_model, wanted)


def _by_topic(evaluation: Evaluation, topics: ImageTopics, best: str) -> Section | None:
    ids = [example.image_id for example in evaluation.evaluation_set.examples]
    scores = {name: found.per_image["cider_d"] for name, found in evaluation.findings.measures.items()}
    return topic_section(ids, scores, topics, best=best, metric=label("cider_d"))


def _association(params: Params, earlier: Context) -> Section | None:
    files = AssociationFiles(
        earlier.stage_metrics, earlier.stage_plots, earlier.stage_tables, earlier.images, earlier.shards
    )
    return association_section(params.associate, files, pictures=params.report.gallery > 0)


def _extremes(shown: GalleryData, best: str) -> Section:
    intro = f"The photographs whose caption by {best} has the highest and the lowest CIDEr-D."
    return Section("Best and worst", extremes(shown, best, "cider_d"), intro=intro)


def _gallery(shown: GalleryData, count: int) -> Section:
    cards = gallery(shown, count)
    chosen = f"{len(cards.cards):,} of the {len(shown.examples):,} photographs held back. " * (
        len(cards.cards) < len(shown.examples)
    )
    intro = f"{chosen}The numbers beside a caption: the chosen metric and the caption's log-probability."
    return Section("Gallery", [cards], intro=intro)

"""What the evaluation's report says, and in which order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from photocritic.config import Decoding, Params
from photocritic.core.outcome import Outcome
from photocritic.evaluation.attributes import attributes_section, mentions_of, tally
from photocritic.evaluation.champion import Choice
from photocritic.evaluation.decode import Prediction
from photocritic.evaluation.measure import Measures
from photocritic.evaluation.significance import Difference
from photocritic.evaluation.styles import StyleFindings
from photocritic.evaluation.transfer import Transfer
from photocritic.evaluation.truth import Truth
from photocritic.report import context, curation, figures, headline
from photocritic.report.blocks import Fact, Picture, Report, Section, Table, markdown
from photocritic.report.by_topic import topic_section
from photocritic.report.gallery import Exhibits, extremes, gallery
from photocritic.report.style_tables import style_section, style_tables
from photocritic.report.themes import Themes, read_themes
from photocritic.report.topics import topics_section
from photocritic.report.transfer_tables import transfer_section, transfer_tables


@dataclass(frozen=True)
class Evaluation:
    """One evaluation's findings; `said` and `found` are by variant, `transfer` is of another corpus, where wanted."""

    params: Params
    truth: Truth
    said: Mapping[str, Sequence[Prediction]]
    found: Mapping[str, Measures]
    outcome: Outcome
    choice: Choice
    differences: Sequence[Difference]
    transfer: Transfer | None = None
    styles: StyleFindings | None = None


@dataclass(frozen=True)
class Context:
    """Where the earlier stages left what the report shows besides; the optional ones are shown where they are."""

    images: Path
    shards: Path
    captions: Path
    topics: Path | None = None
    topic_model: Path | None = None
    stage_metrics: Path | None = None
    stage_plots: Path | None = None


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
    trained: dict[str, Sequence[str]] = {
        "cnn_pretrain": params.cnn_pretrain.features,
        "lstm_train": list(params.variants),
    }
    themes = _themes(evaluation, around)
    exhibits = Exhibits(evaluation.truth.subjects, evaluation.said, evaluation.found, themes, around.shards)
    sections = [
        _metrics(evaluation),
        transfer_section(evaluation.transfer, params) if evaluation.transfer else None,
        _attributes(evaluation),
        _diversity(evaluation),
        style_section(evaluation.styles),
        _by_topic(evaluation, themes, best),
        context.training_section(around.stage_plots, trained),
        context.filter_section(fared, curation.pictures(around.stage_plots, around.stage_metrics, params.filter)),
        topics_section(
            around.topics, around.topic_model, around.images, around.shards, pictures=params.evaluate.gallery > 0
        ),
        _extremes(exhibits, best) if params.evaluate.gallery else None,
        _gallery(exhibits, params.evaluate.gallery) if params.evaluate.gallery else None,
        context.numbers_section(around.stage_metrics),
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
    found = evaluation.found
    tables = [*_accuracy(evaluation), headline.diversity_table(found)]
    if evaluation.transfer:
        tables += transfer_tables(evaluation.transfer, evaluation.params)
    if evaluation.styles:
        tables += style_tables(evaluation.styles)
    parts = (_attributes(evaluation), _by_topic(evaluation, _themes(evaluation, around), best))
    tables += [block for part in parts if part for block in part.blocks if isinstance(block, Table)]
    text = "\n".join(markdown(table) for table in tables if len(table.columns) > 1)
    unmeasured = headline.left_out(evaluation.params.evaluate.metrics)
    return f"{text}\nThe rule chooses {evaluation.choice.told()}.\n" + (f"\n{unmeasured}\n" if unmeasured else "")


def _lead(evaluation: Evaluation, best: str) -> str:
    span = evaluation.found[best].interval
    reached = f"{best} reaches CIDEr-D {span.mean:.3f} (95% interval {span.low:.3f} to {span.high:.3f})"
    return f"{reached}. The rule chooses {evaluation.choice.told()}."


def _facts(truth: Truth, params: Params, fared: context.Outcomes) -> list[Fact]:
    comments = fared.counts.total()
    return [
        Fact("photographs", f"{truth.images:,}"),
        Fact("comments", f"{comments:,}"),
        Fact("of the comments kept", f"{fared.kept / max(1, comments):.0%}"),
        Fact(f"photographs held back ({params.evaluate.split})", f"{len(truth.subjects) + truth.without_references:,}"),
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
        f"{_strategy(params.evaluate)}, {params.evaluate.min_length} to {params.evaluate.max_length} words, "
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
    bars = figures.svg(evaluation.outcome.figures["metrics"])
    picture = Picture(bars, "The line on CIDEr-D is its 95% bootstrap interval.")
    return Section(
        "Metrics", [*_accuracy(evaluation), picture], intro=headline.left_out(evaluation.params.evaluate.metrics)
    )


def _accuracy(evaluation: Evaluation) -> list[Table]:
    """Lay out the metrics, how sure the differences are, and the metrics that are no headlines, where there are any."""
    table = headline.accuracy_table(evaluation.found, evaluation.params.variants, evaluation.differences)
    compared, details = headline.difference_table(evaluation.differences), headline.detail_table(evaluation.found)
    return [table, *(more for more in (compared, details) if more.rows and len(more.columns) > 1)]


def _diversity(evaluation: Evaluation) -> Section:
    curves = figures.svg(evaluation.outcome.figures["unique_ngrams"])
    note = (
        "Different n-grams that start at each position, over all captions of a variant (AIC Figure 5 a–c), and the "
        "share of pairs of captions with hardly a word in common (d)."
    )
    return Section("Diversity", [headline.diversity_table(evaluation.found), Picture(curves, note)])


def _attributes(evaluation: Evaluation) -> Section | None:
    mentions = mentions_of(evaluation.params)
    if mentions is None:
        return None
    subjects = evaluation.truth.subjects
    tallies = {name: tally(subjects, some, mentions) for name, some in evaluation.said.items()}
    return attributes_section(tallies)


def _themes(evaluation: Evaluation, around: Context) -> Themes:
    wanted = frozenset(subject.image_id for subject in evaluation.truth.subjects)
    return read_themes(around.topics, around.topic_model, wanted)


def _by_topic(evaluation: Evaluation, themes: Themes, best: str) -> Section | None:
    ids = [subject.image_id for subject in evaluation.truth.subjects]
    scores = {name: found.per_image["cider_d"] for name, found in evaluation.found.items()}
    return topic_section(ids, scores, themes, best=best, metric=figures.label("cider_d"))


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

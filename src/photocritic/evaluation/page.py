"""What the evaluation's report says, and in which order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from photocritic.evaluation import context, curation, figures, headline
from photocritic.evaluation.champion import Choice
from photocritic.evaluation.decode import Prediction
from photocritic.evaluation.gallery import gallery
from photocritic.evaluation.measure import Measures
from photocritic.evaluation.report import Fact, Picture, Report, Section, markdown
from photocritic.evaluation.topics import topics_section
from photocritic.evaluation.truth import Truth
from photocritic.outcome import Outcome
from photocritic.params import Decoding, Params


@dataclass(frozen=True)
class Evaluation:
    """One evaluation's findings, and what the rule made of them; `said` and `found` are by variant."""

    params: Params
    truth: Truth
    said: Mapping[str, Sequence[Prediction]]
    found: Mapping[str, Measures]
    outcome: Outcome
    choice: Choice


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
    sections = [
        _metrics(evaluation),
        _diversity(evaluation),
        context.training_section(around.stage_plots, trained),
        context.filter_section(fared, curation.pictures(around.stage_plots, around.stage_metrics, params.filter)),
        topics_section(
            around.topics, around.topic_model, around.images, around.shards, pictures=params.evaluate.gallery > 0
        ),
        _gallery(evaluation, around.shards),
        context.numbers_section(around.stage_metrics),
    ]
    return Report(
        "Captioners, side by side",
        _lead(evaluation, best),
        _facts(evaluation.truth, params, fared),
        [section for section in sections if section is not None],
        _foot(evaluation),
    )


def summary(evaluation: Evaluation) -> str:
    """Write the tables of metrics in Markdown."""
    accuracy = headline.accuracy_table(evaluation.found, evaluation.params.variants)
    tables = [accuracy, headline.detail_table(evaluation.found), headline.other_table(evaluation.found)]
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
    table = headline.accuracy_table(evaluation.found, evaluation.params.variants)
    details = headline.detail_table(evaluation.found)
    blocks = [table, *([details] if len(details.columns) > 1 else [])]
    picture = Picture(bars, "The line on CIDEr-D is its 95% bootstrap interval.")
    return Section("Metrics", [*blocks, picture], intro=headline.left_out(evaluation.params.evaluate.metrics))


def _diversity(evaluation: Evaluation) -> Section:
    curves = figures.svg(evaluation.outcome.figures["unique_ngrams"])
    note = "Different n-grams that start at each position, over all captions of a variant (AIC Figure 5 a–c)."
    return Section("Diversity", [headline.other_table(evaluation.found), Picture(curves, note)])


def _gallery(evaluation: Evaluation, shards: Path) -> Section | None:
    count = evaluation.params.evaluate.gallery
    if not count:
        return None
    cards = gallery(evaluation.truth.subjects, evaluation.said, evaluation.found, shards, count)
    return Section("Gallery", [cards], intro="Numbers on the right: CIDEr-D and log-probability of the caption.")

"""The evaluate stage: what every variant predicts, as numbers."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict
from pathlib import Path

from photocritic import metrics
from photocritic.config import HOME, Params
from photocritic.core.outcome import Outcome
from photocritic.evaluation.attributes import mentions_of
from photocritic.evaluation.champion import load_validation_set, require_measured
from photocritic.evaluation.evaluation_set import (
    EvaluationExample,
    EvaluationSet,
    load_evaluation_set,
    load_other_evaluation_set,
)
from photocritic.evaluation.findings import Findings
from photocritic.evaluation.measure import Measures, measure, seen_in_training, shown
from photocritic.evaluation.predictions import ELSEWHERE, TABLE, Prediction, load_predictions, predictions_of, styled
from photocritic.evaluation.significance import differences
from photocritic.evaluation.style_scores import measure_styles
from photocritic.evaluation.styles import StyleFindings, style_targets
from photocritic.evaluation.transfer import Transfer, measure_transfer


def evaluate(
    params: Params, *, images: Path, captions: Path, references: Path, predictions: Path, judges: Path, out: Path
) -> Outcome:
    """Score the predictions of all variants.

    Parameters
    ----------
    params : Params
        The variants, and the sections `predict` and `evaluate`.
    images, captions, references : Path
        The tables. Where the references table is empty, the held-back images' kept, unstyled captions serve. The
        variants are reported on the images of `predict.split`, and chosen among on those of validation.
    predictions : Path
        Folder of the predictions, as `collect` writes it.
    judges : Path
        Folder of the judges of styles, as `train_judges` writes it.
    out : Path
        Folder to write: findings.json, the table of scores, and that of another corpus.

    Returns
    -------
    Outcome
        Metrics `<variant>.<metric>` and the counts `images`, `references`, `images_without_references`; the same with
        `transfer.` before them of another corpus; with `val.` before them what the rule `promote` looks at, on
        validation images; the plots `unique_ngrams` and `metrics`; the tables `captions`, a row an image and variant,
        and `differences`. Where a variant has captions in styles, also what
        `StyleFindings.outcome` returns.

    Raises
    ------
    PhotocriticError
        There is nothing to evaluate on, a table cannot be used, or a metric is not installed.
    """
    names = metrics.choose(params.evaluate.metrics)  # first: what is not installed is refused before any work
    require_measured(params.promote, names)
    places = (images, captions, references, params.predict.split, params.filter.chain)
    evaluation_set, validation = load_evaluation_set(*places), load_validation_set(*places)
    found = load_predictions(predictions / TABLE)
    factual = {name: predictions_of(found, name, evaluation_set.examples, predictions) for name in params.compared}
    chosen_on = validation.examples if validation else []
    on_validation = {name: predictions_of(found, name, chosen_on, predictions) for name in params.compared}
    learned = {name: variant.captions for name, variant in params.compared.items()}
    known = seen_in_training(
        {name: [*factual[name], *on_validation[name]] for name in factual}, learned, images, captions
    )
    measures = measure(
        evaluation_set.examples,
        factual,
        known,
        names=names,
        tokenizer=params.evaluate.tokenizer,
        positions=params.evaluate.positions,
        seed=params.seed,
        mentions=mentions_of(params),
    )
    compared = differences({name: one.per_image for name, one in measures.items()}, shown(measures), params.seed)
    styles = _styles(params, images, captions, judges, evaluation_set, predictions, found, factual, names)
    elsewhere = _elsewhere(params, images)
    transfer = _transfer(params, elsewhere, predictions / ELSEWHERE / TABLE, names) if elsewhere else None
    choosable = _choosable(params, chosen_on, on_validation, known, names) if validation else {}
    findings = Findings(measures, compared, choosable, transfer, styles)
    findings.save(out, _ids(evaluation_set), _ids(elsewhere) if elsewhere else ())
    outcome = _outcome(evaluation_set, findings)
    outcome.tables["captions"] = caption_rows(evaluation_set.examples, factual, measures)
    return outcome


def _choosable(
    params: Params,
    examples: Sequence[EvaluationExample],
    predictions: Mapping[str, Sequence[Prediction]],
    known: Mapping[str, AbstractSet[str]],
    names: Sequence[str],
) -> dict[str, dict[str, float]]:
    """Measure what the rule `promote` looks at, and no more, on validation images."""
    rule = params.promote
    measures = measure(
        examples,
        predictions,
        known,
        names=[name for name in names if name in {"cider_d", *rule.families()}],
        tokenizer=params.evaluate.tokenizer,
        positions=params.evaluate.positions,
        seed=params.seed,
        mentions=mentions_of(params),
    )
    keys = dict.fromkeys((rule.metric, *rule.gate))
    return {name: {key: one.corpus[key] for key in keys if key in one.corpus} for name, one in measures.items()}


def _styles(
    params: Params,
    images: Path,
    captions: Path,
    judges: Path,
    evaluation_set: EvaluationSet,
    predictions: Path,
    found: Mapping[str, Mapping[str, Prediction]],
    factual: Mapping[str, Sequence[Prediction]],
    names: Sequence[str],
) -> StyleFindings | None:
    """Measure captions in styles; None where there are none, or nothing can judge them."""
    targets = style_targets(captions, evaluation_set.examples)
    in_styles = {
        styled(name, style): predictions_of(found, styled(name, style), target.examples, predictions)
        for style, target in targets.items()
        for name in params.compared
        if styled(name, style) in found
    }
    if not in_styles:
        return None
    from photocritic.styles.judges import Judges
    from photocritic.styles.styled_captions import read_styled_captions

    known = Judges.load(judges)
    if known is None:
        return None
    tried = read_styled_captions(images, captions)[params.predict.split]
    return measure_styles(params, known, tried, targets, in_styles, factual, names)


def _elsewhere(params: Params, trained_on: Path) -> EvaluationSet | None:
    """Return the held-back images of another corpus, where there is one."""
    if params.predict.on == HOME:
        return None
    return load_other_evaluation_set(params.predict.on, params.predict.split, trained_on, params.filter.chain)


def _transfer(params: Params, evaluation_set: EvaluationSet, predictions: Path, names: Sequence[str]) -> Transfer:
    found = load_predictions(predictions)
    captions = {name: predictions_of(found, name, evaluation_set.examples, predictions) for name in params.compared}
    return measure_transfer(params, evaluation_set, captions, names)


def _ids(evaluation_set: EvaluationSet) -> list[str]:
    return [example.image_id for example in evaluation_set.examples]


def _outcome(evaluation_set: EvaluationSet, findings: Findings) -> Outcome:
    measures, transfer = findings.measures, findings.transfer
    counts = {
        "images": len(evaluation_set.examples),
        "references": evaluation_set.references,
        "images_without_references": evaluation_set.without_references,
    }
    numbers = findings.numbers() | {key: float(value) for key, value in counts.items()}
    if transfer is not None:
        counts = {
            "images": transfer.images,
            "references": transfer.references,
            "images_without_references": transfer.without_references,
        }
        elsewhere = _numbers(transfer.measures) | {key: float(value) for key, value in counts.items()}
        numbers |= {f"transfer.{key}": value for key, value in elsewhere.items()}
    outcome = Outcome(
        metrics=numbers,
        plots={
            "unique_ngrams": [
                {"variant": name, "order": order, "position": position, "unique": count}
                for name, one in measures.items()
                for order, counted in one.positions.items()
                for position, count in enumerate(counted, 1)
            ],
            "metrics": [
                {"variant": name, "metric": key, "value": one.corpus[key]}
                for name, one in measures.items()
                for key in one.per_image
            ],
        },
        tables={"differences": [asdict(one) | {"stars": one.stars} for one in findings.differences]},
    )
    return outcome + findings.styles.outcome() if findings.styles else outcome


def _numbers(measures: Mapping[str, Measures]) -> dict[str, float]:
    return {f"{name}.{key}": value for name, one in measures.items() for key, value in one.corpus.items()}


def caption_rows(
    examples: Sequence[EvaluationExample],
    predictions: Mapping[str, Sequence[Prediction]],
    measures: Mapping[str, Measures],
) -> list[dict[str, object]]:
    """Return a row an image and variant: the caption, the references, and every metric of the image.

    Parameters
    ----------
    examples : sequence of EvaluationExample
        The images.
    predictions, measures : mapping
        By variant, in the order of the images.

    Returns
    -------
    list of dict
        Image by image, so that variants stand beside each other.
    """
    return [
        {
            "image_id": example.image_id,
            "variant": name,
            "caption": some[place].text,
            "references": " | ".join(example.texts),
            "logprob": round(some[place].logprob, 4),
        }
        | {key: round(float(values[place]), 6) for key, values in measures[name].per_image.items()}
        for place, example in enumerate(examples)
        for name, some in predictions.items()
    ]


def of_variant(outcome: Outcome, name: str) -> Outcome:
    """Return a variant's own part of an evaluation: its numbers under their plain names, and its captions."""
    numbers = {
        before + key.removeprefix(f"{before}{name}."): value
        for before in ("", "val.")
        for key, value in outcome.metrics.items()
        if key.startswith(f"{before}{name}.") and "." not in key.removeprefix(f"{before}{name}.")
    }
    own = [row for row in outcome.tables["captions"] if row["variant"] == name]
    return Outcome(metrics=numbers, tables={"captions": own})

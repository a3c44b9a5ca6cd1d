"""The evaluate stage: what every variant predicts, as numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from photocritic import metrics
from photocritic.config import HOME, Params
from photocritic.core.outcome import Outcome
from photocritic.evaluation.attributes import mentions_of
from photocritic.evaluation.champion import require_measured
from photocritic.evaluation.findings import Findings
from photocritic.evaluation.measure import Measures, measure, seen_in_training, shown
from photocritic.evaluation.predictions import ELSEWHERE, TABLE, Prediction, load_predictions, of_subjects, styled
from photocritic.evaluation.significance import differences
from photocritic.evaluation.style_scores import measure_styles
from photocritic.evaluation.styles import StyleFindings, style_targets
from photocritic.evaluation.transfer import Transfer, measure_transfer
from photocritic.evaluation.truth import Subject, Truth, gather, gather_elsewhere


def evaluate(
    params: Params, *, images: Path, captions: Path, references: Path, predictions: Path, judges: Path, out: Path
) -> Outcome:
    """Score the predictions of all variants.

    Parameters
    ----------
    params : Params
        The variants, and the sections `predict` and `evaluate`.
    images, captions, references : Path
        The tables. Where the references table is empty, the held-back images' kept, unstyled captions serve.
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
        `transfer.` before them of another corpus; the plots `unique_ngrams` and `metrics`; the tables `captions`, a row
        an image and variant, and `differences`. Where a variant speaks in styles, also what `StyleFindings.outcome`
        gives.

    Raises
    ------
    PhotocriticError
        There is nothing to evaluate on, a table cannot be used, or a metric is not installed.
    """
    names = metrics.choose(params.evaluate.metrics)  # first: what is not installed is told before any work
    require_measured(params.promote, names)
    truth = gather(images, captions, references, params.predict.split)
    found = load_predictions(predictions / TABLE)
    factual = {name: of_subjects(found, name, truth.subjects, predictions) for name in params.variants}
    learned = {name: variant.captions for name, variant in params.variants.items()}
    measures = measure(
        truth.subjects,
        factual,
        seen_in_training(factual, learned, images, captions),
        names=names,
        tokenizer=params.evaluate.tokenizer,
        positions=params.evaluate.positions,
        seed=params.seed,
        mentions=mentions_of(params),
    )
    compared = differences({name: one.per_image for name, one in measures.items()}, shown(measures), params.seed)
    styles = _styles(params, images, captions, judges, truth, predictions, found, factual, names)
    elsewhere = _elsewhere(params, images)
    transfer = _transfer(params, elsewhere, predictions / ELSEWHERE / TABLE, names) if elsewhere else None
    findings = Findings(measures, compared, transfer, styles)
    findings.save(out, _ids(truth), _ids(elsewhere) if elsewhere else ())
    outcome = _outcome(truth, findings)
    outcome.tables["captions"] = caption_rows(truth.subjects, factual, measures)
    return outcome


def _styles(
    params: Params,
    images: Path,
    captions: Path,
    judges: Path,
    truth: Truth,
    predictions: Path,
    found: Mapping[str, Mapping[str, Prediction]],
    factual: Mapping[str, Sequence[Prediction]],
    names: Sequence[str],
) -> StyleFindings | None:
    """Measure what is said in styles; None where nobody says anything in one, or nothing can judge it."""
    targets = style_targets(captions, truth.subjects)
    spoken = {
        styled(name, style): of_subjects(found, styled(name, style), target.subjects, predictions)
        for style, target in targets.items()
        for name in params.variants
        if styled(name, style) in found
    }
    if not spoken:
        return None
    from photocritic.styles.judges import Judges
    from photocritic.styles.styled_captions import read_styled_captions

    known = Judges.load(judges)
    if known is None:
        return None
    tried = read_styled_captions(images, captions)[params.predict.split]
    return measure_styles(params, known, tried, targets, spoken, factual, names)


def _elsewhere(params: Params, trained_on: Path) -> Truth | None:
    """Return the held-back images of another corpus, where there is one."""
    if params.predict.on == HOME:
        return None
    return gather_elsewhere(params.predict.on, params.predict.split, trained_on)


def _transfer(params: Params, truth: Truth, predictions: Path, names: Sequence[str]) -> Transfer:
    found = load_predictions(predictions)
    said = {name: of_subjects(found, name, truth.subjects, predictions) for name in params.variants}
    return measure_transfer(params, truth, said, names)


def _ids(truth: Truth) -> list[str]:
    return [subject.image_id for subject in truth.subjects]


def _outcome(truth: Truth, findings: Findings) -> Outcome:
    measures, transfer = findings.measures, findings.transfer
    counts = {
        "images": len(truth.subjects),
        "references": truth.references,
        "images_without_references": truth.without_references,
    }
    numbers = _numbers(measures) | {key: float(value) for key, value in counts.items()}
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
    subjects: Sequence[Subject], predictions: Mapping[str, Sequence[Prediction]], measures: Mapping[str, Measures]
) -> list[dict[str, object]]:
    """Lay out a row an image and variant: what it says, what people wrote, and every metric of the image.

    Parameters
    ----------
    subjects : sequence of Subject
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
            "image_id": subject.image_id,
            "variant": name,
            "caption": some[place].text,
            "references": " | ".join(subject.texts),
            "logprob": round(some[place].logprob, 4),
        }
        | {key: round(float(values[place]), 6) for key, values in measures[name].per_image.items()}
        for place, subject in enumerate(subjects)
        for name, some in predictions.items()
    ]


def of_variant(outcome: Outcome, name: str) -> Outcome:
    """Return a variant's own part of an evaluation: its numbers under their plain names, and its captions."""
    numbers = {
        key.removeprefix(f"{name}."): value for key, value in outcome.metrics.items() if key.startswith(f"{name}.")
    }
    own = [row for row in outcome.tables["captions"] if row["variant"] == name]
    return Outcome(metrics=numbers, tables={"captions": own})

"""Learning a community's own critique model from a file of judged comments."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from photocritic import tables
from photocritic.config import FilterFileParams, Params
from photocritic.core.errors import CorpusError, OutputError
from photocritic.core.files import atomic_dir, refuse_foreign
from photocritic.core.outcome import Outcome
from photocritic.filtering import filter_interface
from photocritic.filtering.comment_batch import Annotator
from photocritic.filtering.critique.comment_signals import NAMES
from photocritic.filtering.critique.critique_fit import SIGNAL_SCALE, cross_validate, fit_critique_model
from photocritic.filtering.critique.critique_inputs import InputExtractor
from photocritic.filtering.critique.critique_model import CritiqueModel, load_critique_model
from photocritic.filtering.critique.critique_quality import learning_curve, quality
from photocritic.filtering.critique.judged_comments import JudgedComments, read_judged
from photocritic.filtering.critique.word_table import WordTable, train_word_table
from photocritic.filtering.filter_file import ingest_file
from photocritic.filtering.filters.clean import Clean
from photocritic.filtering.score_threshold import probability_threshold
from photocritic.text import Tagged
from photocritic.text.cleaning import clean

_MOST = 200_000  # comments that words are learned from, at most: all are held in memory
_LEAST = 20  # judged comments that a model can be learned from
_SHOWN = 30  # of the words that decide most, of each sign
_USED = 5  # judged comments that have a word whose share is shown, at least

Row = dict[str, Any]


def train_critique(
    judged: Path, out: Path, params: FilterFileParams | Params, comments: Path | None = None, curve: bool = False
) -> Outcome:
    """Learn from judged comments which comments inform, and measure how well by cross-validation.

    Parameters
    ----------
    judged : Path
        The judged comments (`read_judged`).
    out : Path
        The safetensors file to write, for `filter.model`; tables of what was measured go to a folder beside it.
    params : FilterFileParams or Params
        The `filter` and `language` sections: texts are cleaned and tagged as the filters do it; typos stay.
    comments : Path, optional
        A file of the community's comments, as `filter_file` reads it, to learn its words from; without one the words of
        `filter.model` are used.
    curve : bool
        Measure the learning curve, too, which takes as long as all else together several times.

    Returns
    -------
    Outcome
        Measures by cross-validation; with tables of intervals, of the signals and words that decide, and of mistakes.

    Raises
    ------
    CorpusError
        The judged comments cannot be read, or are too few.
    OutputError
        `out` is a file of another kind.
    """
    _refuse_to_replace(out, (judged,) if comments is None else (judged, comments))
    found = read_judged(judged)
    groups = np.unique(found.images, return_inverse=True)[1]
    if len(found.texts) < _LEAST or groups.max() < 1:
        raise CorpusError(
            f"{judged}: {len(found.texts)} judged comments under {groups.max() + 1} photographs are too few to learn "
            f"from; judge {_LEAST} under two photographs, at least (docs/results.md shows what more teach)"
        )
    tagged = _tagged(found.texts, params)
    table = load_critique_model(params.filter.model_path).table if comments is None else _words(comments, params)
    inputs = InputExtractor(table).extract(tagged)
    probabilities = cross_validate(table, inputs, found.worth, groups, params.seed)
    lengths = np.array([sum(word[:1].isalnum() for word in one.words) for one in tagged])
    model = fit_critique_model(table, inputs, found.worth, params.seed)
    measured = quality(found.informative, probabilities, lengths, groups)
    written: dict[str, list[Row]] = {
        "quality": measured,
        "signals": _signals(model),
        "words": _deciding_words(model, tagged),
        "mistakes": _mistakes(found, probabilities),
        "calibration": _calibration(found, probabilities),
    }
    if curve:
        written["learning_curve"] = learning_curve(table, inputs, found.worth, groups, params.seed)
    outcome = Outcome(metrics={row["measure"]: row["value"] for row in measured}, tables=written)
    outcome.metrics |= {"judged": float(len(found.texts)), "informative": float(found.informative.mean())}
    model.save(out)
    with atomic_dir(out.with_suffix(".tables")) as folder:
        outcome.write_tables(folder)
    return outcome


def _refuse_to_replace(out: Path, read: tuple[Path, ...]) -> None:
    """Raise where a file lies in the way that this function has not written."""
    refuse_foreign(out, read)
    if out.exists() and out.stat().st_size:
        try:
            load_critique_model(out)
        except CorpusError:
            raise OutputError(f"{out}: has other content, which would be lost; choose another file to write") from None
    elif (beside := out.with_suffix(".tables")).exists():
        raise OutputError(f"{beside}: is there already, and would be lost; choose another file to write")


def _tagged(texts: list[str], params: FilterFileParams | Params) -> list[Tagged]:
    for rule in filter_interface.chain(params.filter):
        if isinstance(rule, Clean):
            texts = [clean(text, rule.options) for text in texts]
    return Annotator(params.language).tag(texts)


def _words(comments: Path, params: FilterFileParams | Params) -> WordTable:
    texts: list[str] = []
    images: list[str] = []
    with TemporaryDirectory(prefix="photocritic-words-") as folder:
        read, _ = ingest_file(comments, Path(folder))
        for batch in tables.scan("comments", read / "comments.parquet", ["image_id", "text"], tables.UNSTYLED):
            texts += batch.column("text").to_pylist()
            images += batch.column("image_id").to_pylist()
            if len(texts) >= _MOST:
                break
    return train_word_table(_tagged(texts[:_MOST], params), images[:_MOST], params.seed)


def _signals(model: CritiqueModel) -> list[Row]:
    """Return each signal's weight, for one standard deviation of it, the largest first."""
    weights = zip(NAMES, (model.weights[: len(NAMES)] * SIGNAL_SCALE).tolist(), strict=True)
    return [{"signal": name, "weight": weight} for name, weight in sorted(weights, key=lambda pair: -abs(pair[1]))]


def _deciding_words(model: CritiqueModel, comments: list[Tagged]) -> list[Row]:
    """Return the words without which the verdicts on judged comments would change most."""
    shares: dict[str, list[float]] = {}
    for comment in comments:
        for word, share in model.explain_words(comment).items():
            shares.setdefault(word, []).append(share)
    means = sorted((float(np.mean(own)), word, len(own)) for word, own in shares.items() if len(own) >= _USED)
    shown = [*means[::-1][:_SHOWN], *means[:_SHOWN]]
    return [{"word": word, "share": share, "comments": number} for share, word, number in shown]


def _mistakes(found: JudgedComments, probabilities: np.ndarray) -> list[Row]:
    """Return the comments about which the model is surest and wrong."""
    kept = probabilities >= probability_threshold("auto", probabilities)
    wrong = np.flatnonzero(kept != found.informative)
    surest = wrong[np.argsort(-np.abs(probabilities[wrong] - found.worth[wrong]), kind="stable")]
    return [
        {"kept": bool(kept[one]), "probability": float(probabilities[one]), "judged": float(found.worth[one]),
         "image": found.images[one], "text": found.texts[one]}
        for one in surest
    ]  # fmt: skip


def _calibration(found: JudgedComments, probabilities: np.ndarray) -> list[Row]:
    """Return what the probabilities promise in each tenth of them, and what people say."""
    tenths = np.minimum((probabilities * 10).astype(int), 9)
    rows = []
    for tenth in np.unique(tenths):
        own = tenths == tenth
        means = {"promised": float(probabilities[own].mean()), "judged": float(found.informative[own].mean())}
        rows.append({"from": float(tenth / 10), "comments": int(own.sum()), **means})
    return rows

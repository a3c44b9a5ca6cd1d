"""Which comments people grade: those that the filter is least sure of, and some of all."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from photocritic import tables
from photocritic.core.errors import PhotocriticError
from photocritic.filtering.filters.score import BELOW
from photocritic.filtering.score_threshold import valley
from photocritic.studies.study_kinds import ACCEPTED, DISCARDED, RANDOM, UNCERTAIN
from photocritic.studies.trial_plan import Candidate, Line, Plan, Trial
from photocritic.text.words import caption_tokens

_AT_RANDOM = 0.25  # share of the comments that is drawn from all, whatever their scores: they stand for the corpus
# Share of either side of the threshold from which the others are drawn. The very nearest score all the same: a filter
# would learn from them neither what a higher score means nor how many comments are worth keeping.
_BAND = 0.25
_AN_IMAGE = 2  # comments of an image, at most
_ALIKE = 90.0  # per cent of the characters that two texts share in order; one of them is enough
_SPARE = 20  # comments looked at for each that is wanted: some repeat others

Rows = NDArray[np.int64]  # places among the comments in no style
Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]


def propose(captions: Path, view: tables.TableView, source: str, *, comments: int, training: int, seed: int) -> Plan:
    """Draw the comments of a study that grades them.

    Parameters
    ----------
    captions : Path
        The captions table.
    view : TableView
        The comments that may be drawn.
    source : str
        `uncertain`: three in four are drawn near the filter's threshold, from the nearest quarter of either side as
        many, and the rest at random; `random`: all are. At random means from all comments, also those that another
        filter rejected.
    comments, training : int
        Comments whose grades count, and comments to get used to it, at random.
    seed : int
        The same seed and table give the same plan.

    Returns
    -------
    Plan
        A trial a comment; at most two of an image, and texts that are nearly the same once.

    Raises
    ------
    PhotocriticError
        There are too few comments, or no threshold to be near to.
    """
    near = round((1 - _AT_RANDOM) * comments) if source == UNCERTAIN else 0
    scores, kept, low = _verdicts(captions, view)
    generator = np.random.default_rng(seed)
    order = generator.permutation(len(scores))
    below, above = _sides(captions, scores, kept, low, generator) if near else (order[:0], order[:0])
    below, above, anywhere = below[: _SPARE * near], above[: _SPARE * near], order[: _SPARE * (comments + training)]
    found = _read(captions, view, np.unique(np.concatenate([anywhere, below, above])))
    drawn = _Drawn()
    drawn.take((found[row] for row in anywhere.tolist()), comments + training - near, RANDOM)
    for side, most in ((below, near // 2), (above, near), (below, near)):  # where one side has too few, the other's
        drawn.take((found[row] for row in side.tolist()), most, UNCERTAIN)
    if len(drawn.trials) < comments + training:
        raise PhotocriticError(
            f"{captions}: {comments + training} comments are asked for, but only {len(drawn.trials)} differ enough, at "
            f"most {_AN_IMAGE} of an image; lower --images or --training"
        )
    return _plan(drawn.trials, training, Random(seed))


class _Drawn:
    """The comments drawn so far."""

    def __init__(self) -> None:
        self.trials: list[Trial] = []
        self._counts: Counter[str] = Counter()  # by source
        self._images: Counter[str] = Counter()
        self._comments: set[str] = set()
        self._texts: list[str] = []

    def take(self, rows: Iterable[dict[str, Any]], most: int, source: str) -> None:
        """Take rows until there are `most` of a source, passing over those that repeat others."""
        for row in rows:
            if self._counts[source] >= most:
                return
            text = " ".join(row["text"].split())
            if text and self._is_new(row, " ".join(caption_tokens(text)) or text):
                self._counts[source] += 1
                line = Line(f"{source}-{DISCARDED if row['reason'] else ACCEPTED}", text, row["comment_id"])
                self.trials.append(Trial(row["image_id"], (line,)))

    def _is_new(self, row: dict[str, Any], words: str) -> bool:
        from rapidfuzz import fuzz, process

        if row["comment_id"] in self._comments or self._images[row["image_id"]] >= _AN_IMAGE:
            return False
        if process.extractOne(words, self._texts, scorer=fuzz.ratio, score_cutoff=_ALIKE):
            return False
        self._comments.add(row["comment_id"])
        self._images[row["image_id"]] += 1
        self._texts.append(words)
        return True


def _verdicts(captions: Path, view: tables.TableView) -> tuple[Numbers, Mask, Mask]:
    """Read each comment's score, whether it was kept, and whether its score was too low."""
    scores, kept, low = [np.empty(0)], [np.empty(0, np.bool_)], [np.empty(0, np.bool_)]
    for batch in tables.scan("captions", captions, ["score", "kept", "reason"], view):
        scores.append(batch["score"].to_numpy())
        kept.append(np.asarray(tables.KEPT.mask(batch)))
        low.append(pc.equal(batch["reason"], BELOW).to_numpy(zero_copy_only=False))
    return np.concatenate(scores), np.concatenate(kept), np.concatenate(low)


def _sides(captions: Path, scores: Numbers, kept: Mask, low: Mask, generator: np.random.Generator) -> tuple[Rows, Rows]:
    """Return the rows whose score decided, below the threshold and from it on: the nearest quarter shuffled first."""
    decided = kept | low
    if not decided.any() or np.ptp(scores[decided]) == 0.0:
        raise PhotocriticError(
            f"{captions}: no score has decided here, so the filter is as sure of any comment as of others; put 'score' "
            "into filter.chain, or take --sources random"
        )
    # The least score kept is the threshold. Where all or nothing is kept, what would be it without a wish of anybody's.
    threshold = scores[kept].min() if kept.any() and low.any() else valley(scores[decided])
    nearest = np.argsort(np.abs(scores - threshold), kind="stable")
    nearest = nearest[decided[nearest]]
    sides = nearest[scores[nearest] < threshold], nearest[scores[nearest] >= threshold]
    for side in sides:
        generator.shuffle(side[: round(_BAND * len(side))])
    return sides


def _read(captions: Path, view: tables.TableView, wanted: Rows) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    start = 0
    for batch in tables.scan("captions", captions, ["comment_id", "image_id", "text", "reason"], view):
        inside = wanted[(wanted >= start) & (wanted < start + batch.num_rows)]
        found |= zip(inside.tolist(), batch.take(pa.array(inside - start)).to_pylist(), strict=True)
        start += batch.num_rows
    return found


def _plan(trials: list[Trial], training: int, random: Random) -> Plan:
    """Shuffle what counts, after the training; the first were drawn at random."""
    counted = trials[training:]
    random.shuffle(counted)
    images = list(dict.fromkeys(trial.image_id for trial in trials))
    random.shuffle(images)
    tried = [replace(trial, training=True) for trial in trials[:training]]
    return Plan([Candidate(image_id, "", {}) for image_id in images], tried + counted)

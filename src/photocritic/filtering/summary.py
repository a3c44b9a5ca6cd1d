"""Numbers and the picture of one filter run."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from photocritic.filtering.contract import CommentBatch
from photocritic.filtering.informativeness import Vocabulary
from photocritic.outcome import Outcome
from photocritic.params import FilterParams

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH = 2  # of a bin of the score's histogram
_LAST = 120  # what scores higher is in the last bin; AIC's authors capped the score here


class Summary:
    """Watches judged batches go by and counts.

    Parameters
    ----------
    params : FilterParams
        The thresholds, for the figure.
    reasons : list of str
        Every reason there can be, so that one which never came up is reported as 0.
    """

    def __init__(self, params: FilterParams, reasons: list[str]) -> None:
        self._params, self._reasons = params, reasons
        self._found: Counter[str] = Counter()
        self._bins: Counter[tuple[int, bool]] = Counter()
        self._styled, self._kept_tokens, self._score = 0, 0, 0.0

    def watch(self, batches: Iterable[CommentBatch]) -> Iterator[CommentBatch]:
        """Pass batches on and count their rows."""
        for batch in batches:
            self._found.update(batch.reasons)
            for score, reason, tokens, styled in zip(
                batch.scores, batch.reasons, batch.tokens, batch.styled, strict=True
            ):
                self._bins[min(int(score), _LAST) // _WIDTH * _WIDTH, not reason] += 1
                self._styled += styled
                self._score += score
                self._kept_tokens += 0 if reason else len(tokens)
            yield batch

    def outcome(self, rows: int, vocabulary: Vocabulary) -> Outcome:
        """Give the stage's outcome.

        Parameters
        ----------
        rows : int
            Comments written.
        vocabulary : Vocabulary
            The corpus's n-grams.
        """
        kept = self._found[""]
        metrics = {
            "comments": rows,
            "kept": kept,
            "kept_share": kept / rows,
            "styled": self._styled,
            "mean_score": self._score / rows,
            "mean_kept_tokens": self._kept_tokens / max(kept, 1),
            "unigrams": vocabulary.size(1),
            "bigrams": vocabulary.size(2),
        }
        metrics |= {f"rejected_{reason}": self._found[reason] for reason in self._reasons}
        return Outcome(
            metrics={name: float(value) for name, value in metrics.items()},
            plots={"scores": self._histogram(), "reasons": self._reason_rows(kept)},
            figures={"scores": self._figure()},
        )

    def _histogram(self) -> list[dict[str, Any]]:
        return [
            {"score": score, "kept": self._bins[score, True], "rejected": self._bins[score, False]}
            for score in range(0, _LAST + 1, _WIDTH)
        ]

    def _reason_rows(self, kept: int) -> list[dict[str, Any]]:
        rows = [{"verdict": reason, "comments": self._found[reason]} for reason in self._reasons]
        return [{"verdict": "kept", "comments": kept}, *rows]

    def _figure(self) -> "Figure":
        from matplotlib.figure import Figure

        rows = self._histogram()
        figure = Figure(figsize=(6.4, 3.2), layout="constrained")
        axes = figure.subplots()
        scores, kept = [row["score"] for row in rows], [row["kept"] for row in rows]
        axes.bar(scores, kept, _WIDTH, align="edge", label="kept", color="tab:blue")
        axes.bar(
            scores, [row["rejected"] for row in rows], _WIDTH, kept, align="edge", label="rejected", color="lightgray"
        )
        axes.axvline(self._params.threshold, color="tab:red", label=f"threshold {self._params.threshold:g}")
        if self._params.upper is not None:
            axes.axvline(self._params.upper, color="tab:red", linestyle="--", label=f"upper {self._params.upper:g}")
        axes.set(
            xlabel=f"informativeness ({_LAST} and above in the last bar)", ylabel="comments", xlim=(0, _LAST + _WIDTH)
        )
        axes.legend(frameon=False)
        return figure

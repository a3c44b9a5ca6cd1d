"""Numbers and examples of one filter run."""

import logging
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from photocritic import tables
from photocritic.core.outcome import Outcome
from photocritic.filtering.filter_interface import Filter
from photocritic.filtering.funnel_shares import funnel_shares
from photocritic.filtering.informativeness import Vocabulary

LAST = 120  # of the score's histogram; what scores higher is in the last bin. AIC's authors capped the score here
_EXAMPLES = 10  # comments shown a reason
_DRAWN = 30  # comments drawn at random from those kept, and from those rejected
_SAMPLE = 3_000  # comments from which the examples by score are taken
_SHOWN = 3  # comments shown a decile
_DECILES = 10
_COLUMNS = ["comment_id", "text", "cleaned", "score", "reason"]  # of a comment that is shown

Row = dict[str, Any]
_LOG = logging.getLogger(__name__)


class Summary:
    """Counts judged comments as they are written.

    Parameters
    ----------
    chain : list of Filter
        The filters, so that a reason which never came up is reported as 0.
    threshold : float or None
        The least score that was kept; None where no score decides.
    unit : str
        comment or sentence (`filter.unit`): what a row is.
    """

    def __init__(self, chain: list[Filter], threshold: float | None, unit: str = "comment") -> None:
        self._chain, self._threshold, self._unit = chain, threshold, unit
        self._comments = self._kept_comments = 0
        self._found: Counter[str] = Counter()
        self._counted = {name: 0 for rule in chain for name in rule.counted}
        self._bins = np.zeros((LAST + 1, 2), np.int64)  # by score, and by whether kept
        self._styled, self._kept_tokens, self._score = 0, 0, 0.0
        self._examples: dict[str, _Sample] = {}
        self._sample = _Sample(_SAMPLE)
        self._drawn = {True: _Sample(_DRAWN), False: _Sample(_DRAWN)}

    def watch(self, judged: Iterable[pa.Table]) -> Iterator[pa.Table]:
        """Yield captions and count their rows."""
        for table in map(self._count, judged):
            reasons = table.column("reason").combine_chunks().dictionary_encode()
            scores = table.column("score").to_numpy()
            kept, plain = (np.asarray(view.mask(table)) for view in (tables.KEPT, tables.UNSTYLED))
            hashes = _hashes(table)
            first = table.column("sentence").to_numpy() == 0
            self._comments += int(first.sum())
            self._kept_comments += len(np.unique(np.cumsum(first)[kept]))  # a batch has whole comments
            found = reasons.indices.to_numpy(zero_copy_only=False)
            for place, reason in enumerate(reasons.dictionary.to_pylist()):
                self._found[reason] += int((found == place).sum())
                self._examples.setdefault(reason, _Sample(_EXAMPLES)).offer(table, hashes, found == place)
            self._sample.offer(table, hashes, plain)
            for verdict, sample in self._drawn.items():
                sample.offer(table, hashes, plain & (kept == verdict))
            self._bins += _histogram(scores, kept)
            self._styled += int((~plain).sum())
            self._score += float(scores.sum())
            self._kept_tokens += len(table.column("tokens").combine_chunks().filter(pa.array(kept)).flatten())
            yield table

    def _count(self, table: pa.Table) -> pa.Table:
        """Return a table without the columns that filters have counted (`Filter.counted`)."""
        for name in self._counted:
            self._counted[name] += int(pc.sum(table.column(name)).as_py() or 0)
        return table.drop_columns(list(self._counted))

    def outcome(self, rows: int, vocabulary: Vocabulary) -> Outcome:
        """Return the stage's outcome.

        Parameters
        ----------
        rows : int
            Comments, or sentences, written.
        vocabulary : Vocabulary
            The corpus's n-grams.
        """
        kept = self._found[""]
        metrics: dict[str, float] = {
            "comments": self._comments,
            "kept": kept,
            "kept_share": kept / rows,
            "styled": self._styled,
            "mean_score": self._score / rows,
            "mean_kept_tokens": self._kept_tokens / max(kept, 1),
            "unigrams": vocabulary.size(1),
            "bigrams": vocabulary.size(2),
        }
        if self._unit == "sentence":
            metrics |= {"sentences": rows, "kept_comments": self._kept_comments}
        if self._threshold is not None:
            metrics["threshold"] = self._threshold
        reasons = [reason for rule in self._chain for reason in rule.reasons]
        metrics |= {f"rejected_{reason}": self._found[reason] for reason in reasons} | self._counted
        self._log_counted(rows)
        funnel = self._funnel(rows)
        outcome = Outcome(
            metrics={name: float(value) for name, value in metrics.items()},
            plots={
                "scores": self._histogram(),
                "reasons": self._reason_rows(reasons, kept),
                "funnel": funnel,
            },
            tables={
                "rejected_examples": self._rejected(reasons),
                "score_deciles": self._deciles(),
                "random_examples": self._random(),
            },
        )
        if shares := funnel_shares(funnel):
            outcome.tables["funnel_shares"] = shares
        return outcome

    def _log_counted(self, rows: int) -> None:
        for rule in self._chain:
            for name, meaning in rule.counted.items():
                if count := self._counted[name]:
                    _LOG.warning("%s: %s of %s comments %s", _name(rule), f"{count:,}", f"{rows:,}", meaning)

    def _histogram(self) -> list[Row]:
        """Return numbers of kept and rejected comments by score, and the share that a threshold there would keep."""
        total = int(self._bins.sum())
        rows, above = [], total
        for score, (rejected, kept) in enumerate(self._bins.tolist()):
            rows.append({"score": score, "kept": kept, "rejected": rejected, "share_above": above / total})
            above -= kept + rejected
        return rows

    def _reason_rows(self, reasons: list[str], kept: int) -> list[Row]:
        rows = [{"verdict": reason, "comments": self._found[reason]} for reason in reasons]
        return [{"verdict": "kept", "comments": kept}, *rows]

    def _funnel(self, rows: int) -> list[Row]:
        """Return what each filter of the chain has let through, in order."""
        funnel, left = [{"filter": "read", "rejected": 0, "left": rows}], rows
        for rule in self._chain:
            rejected = sum(self._found[reason] for reason in rule.reasons)
            left -= rejected
            funnel.append({"filter": _name(rule), "rejected": rejected, "left": left})
        return funnel

    def _rejected(self, reasons: list[str]) -> list[Row]:
        return [
            {"reason": reason, "rejected": self._found[reason], "text": row["text"], "cleaned": row["cleaned"]}
            for reason in reasons
            if reason in self._examples
            for row in self._examples[reason].rows()
        ]

    def _random(self) -> list[Row]:
        """Return comments drawn at random, of those kept and of those rejected, to judge the filters by."""
        return [
            {"kept": kept, "reason": row["reason"], "score": round(row["score"], 2), "text": row["text"]}
            for kept, sample in self._drawn.items()
            for row in sample.rows()
        ]

    def _deciles(self) -> list[Row]:
        """Return a few comments from each tenth of the scores, the lowest first."""
        rows = sorted(self._sample.rows(), key=lambda row: (row["score"], row["comment_id"]))
        shown = []
        for decile in range(_DECILES):
            tenth = rows[decile * len(rows) // _DECILES : (decile + 1) * len(rows) // _DECILES]
            spread = tenth[:: max(1, len(tenth) // _SHOWN)][:_SHOWN]
            shown += [{"decile": decile + 1, "score": round(row["score"], 2), "text": row["text"]} for row in spread]
        return shown


def _name(rule: Filter) -> str:
    return type(rule).__module__.rpartition(".")[2]


def _hashes(table: pa.Table) -> NDArray[np.int64]:
    """Return a hash of each row by which it is drawn: of the comment's id and, from the second on, of the sentence."""
    names, places = (table.column(name).to_pylist() for name in ("comment_id", "sentence"))
    keys = (f"{name} {place}" if place else name for name, place in zip(names, places, strict=True))
    return np.array([zlib.crc32(key.encode()) for key in keys])


def _histogram(scores: NDArray[np.float64], kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    places = np.minimum(scores, LAST).astype(np.int64) * 2 + kept
    return np.bincount(places, minlength=2 * (LAST + 1)).reshape(-1, 2)


class _Sample:
    """A random sample of rows that depends on nothing but their ids: those with the smallest hashes.

    Parameters
    ----------
    size : int
        Rows, at most.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._rows: list[tuple[int, str, Row]] = []

    def offer(self, table: pa.Table, hashes: NDArray[np.int64], wanted: NDArray[np.bool_]) -> None:
        """Add some rows of a table to the sample, as far as their hashes are small enough."""
        largest = self._rows[-1][0] if len(self._rows) == self._size else None
        places = np.flatnonzero(wanted if largest is None else wanted & (hashes <= largest))
        if len(places) > self._size:
            places = places[np.argsort(hashes[places], kind="stable")[: self._size]]
        if len(places):
            found = table.select(_COLUMNS).take(pa.array(places)).to_pylist()
            mine = [(int(hashes[place]), row["comment_id"], row) for place, row in zip(places, found, strict=True)]
            self._rows = sorted([*self._rows, *mine], key=lambda entry: entry[:2])[: self._size]

    def rows(self) -> list[Row]:
        """Return the sample in the order of the hashes."""
        return [row for _, _, row in self._rows]

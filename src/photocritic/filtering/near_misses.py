"""Comments about which a score says least: those nearest to the threshold, on both sides, and why they are there."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from photocritic import tables
from photocritic.core.errors import ParamsError

NEAREST = 20  # comments shown of each side
BELOW, ABOVE, ASKED = "below", "above", "asked for"
_KEY = "comment_id"
Row = dict[str, Any]


class NearMisses:
    """Collects the comments nearest to the threshold, and those asked for, as judged comments stream by.

    Parameters
    ----------
    threshold : float or None
        The least score that is kept; None where no score decides, and nothing is near.
    reasons : tuple of str
        The reasons by which scores reject; comments that other filters reject are no near misses.
    asked : sequence of str
        Ids of comments to explain wherever they are.
    """

    def __init__(self, threshold: float | None, reasons: tuple[str, ...], asked: Sequence[str]) -> None:
        self._threshold, self._reasons, self._asked = threshold, pa.array(["", *reasons]), set(asked)
        self._wanted = pa.array(sorted(self._asked), pa.string())
        self._nearest: dict[str, list[tuple[float, str, Row]]] = {BELOW: [], ABOVE: []}
        self._found: list[Row] = []

    def watch(self, judged: Iterable[pa.Table]) -> Iterator[pa.Table]:
        """Yield captions and look at them."""
        for table in judged:
            if self._asked:
                self._found += table.filter(pc.is_in(table.column(_KEY), value_set=self._wanted)).to_pylist()
            if self._threshold is not None:
                eligible = pc.and_(
                    pc.is_in(table.column("reason"), value_set=self._reasons), tables.UNSTYLED.mask(table)
                )
                self._offer(table.filter(eligible))
            yield table

    def rows(self) -> list[tuple[str, Row]]:
        """Return the comments with the side on which they are: those asked for, above and below, the nearest first.

        Raises
        ------
        ParamsError
            A comment that was asked for is not there.
        """
        if missing := self._asked - {row[_KEY] for row in self._found}:
            raise ParamsError(f"--explain: no comment has the id {', '.join(sorted(missing))}")
        near = [(side, row) for side in (ABOVE, BELOW) for _, _, row in self._nearest[side]]
        return [*((ASKED, row) for row in self._found), *near]

    def _offer(self, table: pa.Table) -> None:
        assert self._threshold is not None
        distance = table.column("score").to_numpy() - self._threshold
        for side, of_side in ((ABOVE, distance >= 0), (BELOW, distance < 0)):
            places = np.flatnonzero(of_side)
            places = places[np.argsort(np.abs(distance[places]), kind="stable")[:NEAREST]]
            rows = table.take(pa.array(places)).to_pylist()
            offered = [(abs(float(gap)), row[_KEY], row) for gap, row in zip(distance[places], rows, strict=True)]
            self._nearest[side] = sorted([*self._nearest[side], *offered], key=lambda entry: entry[:2])[:NEAREST]

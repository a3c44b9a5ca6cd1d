"""What of a corpus went into which table: its rows, set aside until the tables can be saved whole, and their counts."""

import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import pyarrow as pa

from photocritic import tables, validation
from photocritic.ingest import splits
from photocritic.ingest.admission import Checked
from photocritic.ingest.records import Rejected, shown

logger = logging.getLogger(__name__)

BATCH = 10_000  # rows held in memory before they go to disk
TABLES = ("images", "comments", "references", "quarantine")

# Not an error of the corpus: images that are not in the folder, and their comments.
ABSENT = ("no such image file", "not downloaded", "its image is quarantined", "unknown kind of image file")

NAMING = ("unknown image",)  # reasons whose rows begin with the image's name, which a message may show


@dataclass
class Tally:
    """Count what went where.

    Attributes
    ----------
    tables, splits, reasons : Counter of str
        Rows by table, images by split, and rejected rows by reason.
    first_of : dict of str to Rejected
        The first row of each reason.
    styled, text_only : int
        Comments with a style, and images that are known by name alone.
    image : str
        The name of the first image, escaped for messages.
    bad : Counter of (str, str)
        Rejected rows by kind and reason, without those that were merely absent.
    """

    tables: Counter[str] = field(default_factory=Counter)
    splits: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    first_of: dict[str, Rejected] = field(default_factory=dict)
    styled: int = 0
    text_only: int = 0
    image: str = ""
    bad: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, table: str, row: dict[str, Any], verdict: Checked) -> None:
        """Count a record that became a row of a table."""
        self.tables[table] += 1
        if isinstance(verdict, Rejected):
            phrase = verdict.reason.partition(":")[0]
            self.reasons[phrase] += 1
            self.first_of.setdefault(phrase, verdict)
            if phrase not in ABSENT:
                self.bad[verdict.kind, phrase] += 1
        elif table == "images":
            self.image = self.image or shown(row["image_id"])
            self.splits[row["split"]] += 1
            self.text_only += not row["path"]
        elif table == "comments":
            self.styled += row["style"] is not None

    def metrics(self, beyond: int, comments: int) -> dict[str, float]:
        """Return all counts by name; `beyond` rows were not read, and `comments` were admitted."""
        read = sum(self.tables.values())
        values: dict[str, float] = {table: self.tables[table] for table in TABLES}
        values |= {
            "styled_comments": self.styled,
            "text_only_images": self.text_only,
            "rows_read": read,
            "rows_kept": read - self.tables["quarantine"],
            "rows_quarantined": sum(self.reasons.values()),
            "rows_beyond_limit": beyond,
            "comments_per_image": comments / self.tables["images"],
        }
        values |= {f"share_{split}": self.splits[split] / self.tables["images"] for split in splits.SPLITS}
        values |= {f"quarantined_{_slug(phrase)}": count for phrase, count in sorted(self.reasons.items())}
        return {name: float(value) for name, value in values.items()}

    def refuse_too_many_bad(self, most: float, quarantine: Path) -> None:
        """Log the rejected rows as warnings, and refuse a corpus with too many of them.

        Parameters
        ----------
        most : float
            The largest share of the images, of the comments and of the references that may be bad, in 0..1.
        quarantine : Path
            The table of the rejected rows.

        Raises
        ------
        GateFailed
            More of them are.
        """
        for phrase, count in self.reasons.most_common():
            logger.warning("quarantined: %s", self._describe(phrase, count))
        failures = [found for kind in ("image", "comment", "reference") if (found := self._failure(kind, most))]
        if failures:
            validation.refuse("quarantine", quarantine, failures)

    def _failure(self, kind: str, most: float) -> validation.Failure | None:
        reasons = Counter({phrase: count for (of, phrase), count in self.bad.items() if of == kind})
        bad = reasons.total()
        seen = bad + self.tables[f"{kind}s"]
        if bad <= most * seen:
            return None
        return validation.Failure(
            f"at most {most:.0%} of the {kind}s rejected (ingest.max_quarantined)",
            f"{kind}s",
            f"{bad} of {seen} ({bad / seen:.0%}), most for: {reasons.most_common(1)[0][0]}",
            tuple(self._describe(phrase, count) for phrase, count in reasons.most_common(validation.SHOWN_ROWS)),
        )

    def commonest(self) -> str:
        """Return the most frequent reason of rejection, with an example and a hint."""
        phrase, count = min(self.reasons.items(), key=lambda item: (-item[1], item[0]))
        hint = f"; the images are named such as '{self.image}'" if phrase == "unknown image" and self.image else ""
        return self._describe(phrase, count) + hint

    def _describe(self, phrase: str, count: int) -> str:
        """Return a message with the place of a reason's first row, and never with what somebody wrote there."""
        first = self.first_of[phrase]
        reason = shown(first.reason if count == 1 else phrase, 300)
        place = f"{shown(first.source)}, {shown(first.position)}"
        name = f": {shown(first.content)}" if first.kind == "image" else ""
        named = f": {shown(first.content.partition(': ')[0])}" if phrase in NAMING else name
        return f"{count} rows: {reason}, such as {place}{named}"


def _slug(phrase: str) -> str:
    return "_".join("".join(char if char.isalnum() else " " for char in phrase.lower()).split())


class Spool:
    """Collect the rows of one table while others are being collected too, in bounded memory.

    Parameters
    ----------
    table : str
        The table's name, which gives the schema.
    folder : Path
        An existing folder for the spooled rows.
    """

    def __init__(self, table: str, folder: Path) -> None:
        self.table = table
        self.rows = 0
        self._path = folder / f"{table}.arrow"
        self._waiting: list[dict[str, Any]] = []
        self._writer = pa.ipc.new_file(self._path, tables.from_rows(table, []).schema)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def append(self, row: dict[str, Any]) -> None:
        """Add a row."""
        self._waiting.append(row)
        self.rows += 1
        if len(self._waiting) >= BATCH:
            self._flush()

    def save(self, path: Path) -> None:
        """Write the rows, in the order in which they came, as the table they belong to.

        Parameters
        ----------
        path : Path
            The Parquet file.
        """
        self._flush()
        self._writer.close()
        tables.save(self.table, path, self._batches(), rows=self.rows)

    def _flush(self) -> None:
        self._writer.write_table(tables.from_rows(self.table, self._waiting))
        self._waiting = []

    def _batches(self) -> Iterator[pa.RecordBatch | pa.Table]:
        with pa.memory_map(str(self._path)) as mapped, pa.ipc.open_file(mapped) as reader:
            if not reader.num_record_batches:
                yield tables.from_rows(self.table, [])
            for number in range(reader.num_record_batches):
                yield reader.get_batch(number)

"""The stage ingest: any supported corpus becomes tables, shards of images, and a quarantine."""

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from photocritic.config import IngestParams
from photocritic.core import logs
from photocritic.core.errors import CorpusError
from photocritic.core.files import atomic_dir
from photocritic.core.generation import aside, generation
from photocritic.core.outcome import Outcome
from photocritic.images.shards import ShardWriter
from photocritic.ingest import readers, splits
from photocritic.ingest.admission import Admission, Checked, CheckedImage
from photocritic.ingest.checked_images import checked
from photocritic.ingest.parsing.parsing_process import parsed
from photocritic.ingest.records import Comment, Image, Record, Reference, Rejected, printable
from photocritic.ingest.tally import TABLES, Spool, Tally
from photocritic.tables.comments_table import COMMENTS
from photocritic.tables.quarantine_table import QUARANTINE
from photocritic.tables.references_table import REFERENCES

JOURNAL = ".ingest.json"  # of the generation that is written into a folder
WRITTEN = frozenset({"shards", *(f"{table}.parquet" for table in TABLES)})  # all that it contains then

logger = logging.getLogger(__name__)


def ingest(params: IngestParams, out: Path, text_only: bool = False) -> Outcome:
    """Read a corpus into tables and shards.

    Every row of the corpus becomes a row of images, comments or references, or one of quarantine with the reason. Rows
    keep the order in which the reader gives them; the same corpus and parameters give the same bytes.

    Parameters
    ----------
    params : IngestParams
        The format, where the corpus is, which files are which, the shares and the seed of the splits, and `limit` (0:
        all).
    out : Path
        The folder that receives images.parquet, comments.parquet, references.parquet, quarantine.parquet, and shards/
        (empty where only text is at hand): all of them together, or none.
    text_only : bool
        Whether images are known by name alone, whatever the corpus has: none is decoded, and shards/ is not written.

    Returns
    -------
    Outcome
        Counts by table and by reason of rejection (`quarantined_*`), `rows_read` = `rows_kept` + `rows_quarantined`,
        `rows_beyond_limit` (which are not among those read), shares of the images by split (`share_*`), and comments an
        image. The plot `comments_per_image` has the number of images by their number of comments.

    Raises
    ------
    CorpusError
        The corpus cannot be read at all, or has no image or no comment that can be used.
    GateFailed
        A written table fails its checks.
    OutputError
        The system refuses to write into `out`.
    PhotocriticError
        Another run writes into `out`.
    """
    reader = readers.get(params.reader)
    limit = _Limit(params.limit, reader.INTERLEAVED)
    corpus = parsed(params, params.sample_seed)
    records = limit.apply(corpus)
    tally = Tally()
    admission = Admission(splits.Splits(params.split_seed, params.val_share, params.test_share))
    with ExitStack() as stack:
        stack.enter_context(closing(corpus))
        stack.enter_context(generation(out / JOURNAL))
        images = aside(out / "shards")
        spool_folder = Path(stack.enter_context(TemporaryDirectory(dir=images.parent, prefix=".spool.")))
        spools = {table: stack.enter_context(Spool(table, spool_folder)) for table in TABLES}
        with nullcontext() if text_only else _shards(images) as shards:
            found = map(_by_name, records) if text_only else checked(records)
            for record in logs.progress(found, "reading the corpus"):
                verdict = admission.check(record)
                table, row = _row(verdict, shards)
                spools[table].append(row)
                tally.add(table, row, verdict)
            _refuse_without(spools, params, tally)
            tally.refuse_too_many_bad(params.max_quarantined, out / "quarantine.parquet")
        for table, spool in spools.items():
            spool.save(aside(out / f"{table}.parquet"))
    if tally.text_only == tally.tables["images"]:
        logger.warning("%s: no image files found; the corpus is one of text only", params.source)
    return Outcome(
        metrics=tally.metrics(limit.beyond, sum(admission.comments_of.values())),
        plots={"comments_per_image": _histogram(admission)},
    )


@dataclass
class _Limit:
    """Stop after some images; the comments of images that were not read are left out with them."""

    images: int
    interleaved: bool
    beyond: int = 0
    _read: int = 0
    _left_out: set[str] = field(default_factory=set)

    def apply(self, records: Iterator[Record]) -> Iterator[Record]:
        for record in records:
            if not self.images or not self._is_beyond(record):
                yield record
            elif self.interleaved:
                return
            else:
                self.beyond += 1

    def _is_beyond(self, record: Record) -> bool:
        if not isinstance(record, Image):
            return record.image_id in self._left_out
        self._read += 1
        if self._read > self.images:
            self._left_out.add(record.image_id)
        return self._read > self.images


@contextmanager
def _shards(folder: Path) -> Iterator[ShardWriter]:
    with atomic_dir(folder) as temporary, ShardWriter(temporary) as shards:
        yield shards


def _by_name(record: Record) -> Checked:
    return CheckedImage(record) if isinstance(record, Image) else record


def _row(record: Checked, shards: ShardWriter | None) -> tuple[str, dict[str, Any]]:
    """Return the table that a record belongs to, and its row there."""
    if isinstance(record, CheckedImage):
        return "images", _image_row(record, shards)
    if isinstance(record, Rejected):
        return "quarantine", {name: printable(getattr(record, name)) for name in QUARANTINE.columns.names}
    if isinstance(record, Comment):
        return "comments", _written(record, COMMENTS.columns.names)
    return "references", _written(record, REFERENCES.columns.names)


def _written(record: Comment | Reference, names: list[str]) -> dict[str, Any]:
    # A file's own name need not be UTF-8.
    return {name: getattr(record, name) for name in names} | {"source": printable(record.source)}


def _image_row(checked_image: CheckedImage, shards: ShardWriter | None) -> dict[str, Any]:
    image = checked_image.image
    return {
        "image_id": image.image_id,
        "path": shards.add(checked_image.data, checked_image.format) if shards and checked_image.data else "",
        "width": checked_image.width,
        "height": checked_image.height,
        "format": checked_image.format,
        "sha256": checked_image.sha256,
        "phash": checked_image.phash,
        "split": image.split,
        "labels": list(image.labels),
    }


def _refuse_without(spools: dict[str, Spool], params: IngestParams, tally: Tally) -> None:
    for table in ("images", "comments"):
        if spools[table].rows:
            continue
        message = f"{params.source}: no usable {table}"
        if tally.reasons:
            message += f"; {tally.commonest()}"
        raise CorpusError(message)


def _histogram(admission: Admission) -> list[dict[str, Any]]:
    images = Counter(admission.comments_of[image_id] for image_id in admission.images)
    return [{"comments": count, "images": images[count]} for count in sorted(images)]

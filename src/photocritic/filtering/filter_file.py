"""One file of comments, judged without a corpus around it."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq

from photocritic.config import AssociateParams, FilterFileParams, IngestParams, Params
from photocritic.core.errors import CorpusError, OutputError
from photocritic.core.files import atomic_dir, refuse_foreign
from photocritic.core.generation import aside, generation
from photocritic.core.outcome import Outcome
from photocritic.filtering import filter_interface
from photocritic.filtering.association import GraphFiles, associate
from photocritic.filtering.dataset_statistics import dataset_statistics
from photocritic.filtering.filter_comments import filter_comments
from photocritic.filtering.filters.repeated import Repeated
from photocritic.ingest import ingest
from photocritic.tables.captions_table import CAPTIONS

_PARQUET = b"PAR1"
_BESIDE = (".ngrams.parquet", ".graph", ".quarantine.parquet", ".tables")  # what is written beside the table


def filter_file(comments: Path, out: Path, params: FilterFileParams | Params, asked: Sequence[str] = ()) -> Outcome:
    """Judge every comment of a CSV, TSV or JSON Lines file.

    Parameters
    ----------
    comments : Path
        A file as the folder reader reads it: image, text (or caption), and what else is known.
    out : Path
        The captions table to write: each row kept, or rejected with the reason. Rows that could not be read at all go
        to a quarantine table beside it, the n-grams' counts to a third, examples and statistics to a folder of CSVs,
        and captions that repeat with their images to a folder `.graph` where the chain looks for such.
    params : FilterFileParams or Params
        The `filter` and `language` sections say how to judge.
    asked : sequence of str
        Ids of comments whose scores are explained in the table `near_misses`.

    Returns
    -------
    Outcome
        Counts of ingest and filter.

    Raises
    ------
    CorpusError
        The file is missing, or has no column of images or texts.
    OutputError
        `out` is the input, no file or a file of another kind, what belongs beside it is there without it, or the system
        refuses to write.
    PhotocriticError
        Another run writes `out`.
    """
    if not comments.is_file():
        raise CorpusError(f"{comments}: no such file of comments")
    journal = out.with_name(f".{out.stem}.json")
    _refuse_to_replace(out, comments, journal)
    with TemporaryDirectory(prefix="photocritic-filter-") as folder:
        # None of its rows is held back unless the file says so: all of them are fitted on.
        shares = {} if params.filter.fit == "all" else {"val_share": 0.0, "test_share": 0.0}
        read, counts = ingest_file(comments, Path(folder), **shares)
        with generation(journal):
            return Outcome(metrics=counts) + _judge(read, out, params, bool(counts["rows_quarantined"]), asked)


def ingest_file(comments: Path, folder: Path, **shares: float) -> tuple[Path, dict[str, float]]:
    """Read a file of comments, and nothing beside it, into tables in an empty folder; return their folder and counts.

    Raises
    ------
    CorpusError
        The file is missing, or has no column of images or texts.
    """
    if not comments.is_file():
        raise CorpusError(f"{comments}: no such file of comments")
    alone = folder / comments.name  # away from any images beside it, which nobody asked to read
    alone.symlink_to(comments.absolute())
    try:
        wanted: dict[str, object] = {"reader": "folder", "source": str(alone), "max_quarantined": 1.0}
        read = ingest(IngestParams.model_validate(wanted | shares), folder / "tables", text_only=True)
    except CorpusError as error:
        raise CorpusError(str(error).replace(str(alone), str(comments))) from None
    return folder / "tables", read.metrics


def _refuse_to_replace(out: Path, comments: Path, journal: Path) -> None:
    """Raise where a file lies in the way that this function has not written."""
    refuse_foreign(out, (comments,), begins=_PARQUET)
    if journal.exists():  # one that was interrupted
        return
    if out.exists() and out.stat().st_size:
        if _columns(out) != CAPTIONS.columns.names:
            raise OutputError(f"{out}: is a table of something else, which would be lost; choose another file to write")
        return
    for path in (out.with_suffix(suffix) for suffix in _BESIDE):
        if os.path.lexists(path):
            raise OutputError(f"{path}: is there already, and would be lost; choose another file to write")


def _columns(path: Path) -> list[str]:
    try:
        return list(pq.read_schema(path).names)
    except (pa.ArrowException, OSError):
        return []


def _judge(
    read: Path, out: Path, params: FilterFileParams | Params, quarantined: bool, asked: Sequence[str]
) -> Outcome:
    captions, images = aside(out), read / "images.parquet"
    work = out.with_name(f".{out.name}.work")  # beside the table, so that a run that was killed can go on
    ngrams = aside(out.with_suffix(".ngrams.parquet"))
    outcome = filter_comments(
        read / "comments.parquet", images, captions, ngrams, params.filter, params.language, work, asked
    )
    outcome.tables["dataset_statistics"] = dataset_statistics(captions, images)
    graph, rejected = aside(out.with_suffix(".graph")), aside(out.with_suffix(".quarantine.parquet"))
    if any(isinstance(rule, Repeated) for rule in filter_interface.chain(params.filter)):
        every = AssociateParams(unit="comment", form="canonical", images=1, authors=1)  # that the filter has kept
        outcome += associate(captions, images, GraphFiles.within(graph), every, params.language)
    with atomic_dir(aside(out.with_suffix(".tables"))) as folder:
        outcome.write_tables(folder)
    if quarantined:
        shutil.copy(read / "quarantine.parquet", rejected)
    return outcome

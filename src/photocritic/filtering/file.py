"""One file of comments, judged without a corpus around it."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from photocritic.corpus import ingest
from photocritic.errors import CorpusError
from photocritic.filtering.run import filter_comments
from photocritic.outcome import Outcome
from photocritic.params import IngestParams, Params


def filter_file(comments: Path, out: Path, params: Params) -> Outcome:
    """Judge every comment of a CSV, TSV or JSON Lines file.

    Parameters
    ----------
    comments : Path
        A file as the folder reader reads it: image, text (or caption), and what else is known.
    out : Path
        The captions table to write: each row kept, or rejected with the reason. Rows that could not be read at all go
        to a quarantine table beside it, and the n-grams' counts to a third.
    params : Params
        The `filter` and `language` sections say how to judge.

    Returns
    -------
    Outcome
        Counts of ingest and filter.

    Raises
    ------
    CorpusError
        The file is missing, or has no column of images or texts.
    """
    if not comments.is_file():
        raise CorpusError(f"{comments}: no such file of comments")
    with TemporaryDirectory() as folder:
        alone = Path(folder) / comments.name  # away from any images beside it, which nobody asked to read
        alone.symlink_to(comments.absolute())
        tables = Path(folder) / "tables"
        read = ingest(IngestParams(reader="folder", source=str(alone)), params.seed, tables)
        ngrams = out.with_suffix(".ngrams.parquet")
        judged = filter_comments(tables / "comments.parquet", out, ngrams, params.filter, params.language)
        if read.metrics["rows_quarantined"]:
            shutil.copy(tables / "quarantine.parquet", out.with_suffix(".quarantine.parquet"))
    return Outcome(metrics={**read.metrics, **judged.metrics}, plots=judged.plots, figures=judged.figures)

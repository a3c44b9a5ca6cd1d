"""One file of comments, judged without a corpus around it."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from photocritic.corpus import ingest
from photocritic.errors import CorpusError
from photocritic.files import atomic_dir
from photocritic.filtering import registry
from photocritic.filtering.association import associate
from photocritic.filtering.rules.repeated import Repeated
from photocritic.filtering.run import filter_comments
from photocritic.filtering.statistics import dataset_statistics
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
        to a quarantine table beside it, the n-grams' counts to a third, examples and statistics to a folder of CSVs,
        and captions that repeat with their images to a folder `.graph` where the chain looks for such.
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
        work = out.with_name(f".{out.name}.work")  # beside the table, so that a run that was killed can go on
        alone = Path(folder) / comments.name  # away from any images beside it, which nobody asked to read
        alone.symlink_to(comments.absolute())
        tables = Path(folder) / "tables"
        read = ingest(IngestParams(reader="folder", source=str(alone), max_quarantined=1.0), params.seed, tables)
        ngrams = out.with_suffix(".ngrams.parquet")
        judged = filter_comments(
            tables / "comments.parquet",
            tables / "images.parquet",
            out,
            ngrams,
            params.filter,
            params.language,
            work,
        )
        outcome = Outcome(metrics=read.metrics) + judged
        outcome.tables["dataset_statistics"] = dataset_statistics(out, tables / "images.parquet")
        if any(isinstance(rule, Repeated) for rule in registry.chain(params.filter)):
            outcome += associate(out, tables / "images.parquet", out.with_suffix(".graph"), params.language)
        with atomic_dir(out.with_suffix(".tables")) as shown:
            outcome.write_tables(shown)
        if read.metrics["rows_quarantined"]:
            shutil.copy(tables / "quarantine.parquet", out.with_suffix(".quarantine.parquet"))
    return outcome

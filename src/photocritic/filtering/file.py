"""One file of comments, judged without a corpus around it."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from photocritic.corpus import ingest
from photocritic.errors import CorpusError
from photocritic.files import atomic_dir, refuse_foreign
from photocritic.filtering import registry
from photocritic.filtering.association import associate
from photocritic.filtering.rules.repeated import Repeated
from photocritic.filtering.run import filter_comments
from photocritic.filtering.statistics import dataset_statistics
from photocritic.generation import aside, generation
from photocritic.outcome import Outcome
from photocritic.params import IngestParams, Params

_PARQUET = b"PAR1"


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
    OutputError
        `out` is the input, no file or a file of another kind, or the system refuses to write.
    PhotocriticError
        Another run writes `out`.
    """
    if not comments.is_file():
        raise CorpusError(f"{comments}: no such file of comments")
    refuse_foreign(out, (comments,), begins=_PARQUET)
    with TemporaryDirectory(prefix="photocritic-filter-") as folder:
        alone = Path(folder) / comments.name  # away from any images beside it, which nobody asked to read
        alone.symlink_to(comments.absolute())
        tables = Path(folder) / "tables"
        try:
            read = ingest(IngestParams(reader="folder", source=str(alone), max_quarantined=1.0), params.seed, tables)
        except CorpusError as error:
            raise CorpusError(str(error).replace(str(alone), str(comments))) from None
        with generation(out.with_name(f".{out.stem}.json")):
            return Outcome(metrics=read.metrics) + _judge(tables, out, params, bool(read.metrics["rows_quarantined"]))


def _judge(read: Path, out: Path, params: Params, quarantined: bool) -> Outcome:
    captions, images = aside(out), read / "images.parquet"
    work = out.with_name(f".{out.name}.work")  # beside the table, so that a run that was killed can go on
    ngrams = aside(out.with_suffix(".ngrams.parquet"))
    outcome = filter_comments(read / "comments.parquet", images, captions, ngrams, params.filter, params.language, work)
    outcome.tables["dataset_statistics"] = dataset_statistics(captions, images)
    graph, rejected = aside(out.with_suffix(".graph")), aside(out.with_suffix(".quarantine.parquet"))
    if any(isinstance(rule, Repeated) for rule in registry.chain(params.filter)):
        outcome += associate(captions, images, graph, params.language)
    with atomic_dir(aside(out.with_suffix(".tables"))) as folder:
        outcome.write_tables(folder)
    if quarantined:
        shutil.copy(read / "quarantine.parquet", rejected)
    return outcome

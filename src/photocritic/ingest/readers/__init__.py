"""Readers: one file each, found by its name in ingest.reader; a module with what `Reader` asks for."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, cast

from photocritic.config import IngestParams
from photocritic.core import plugins
from photocritic.core.errors import CorpusError
from photocritic.ingest.parsing.folders import is_there
from photocritic.ingest.records import Record


class Reader(Protocol):
    """Turns one outside format into records.

    Every row of the input comes out as one record, in an order that is the same each time; an image comes before
    its comments and references. A corpus that cannot be read at all raises CorpusError; a row that cannot be read
    is a Rejected. Memory is bounded by one row, besides the names of images.
    """

    INTERLEAVED: bool
    """Whether an image's comments follow it before the next image, so that reading can stop after some images."""

    def read(self, source: Path, params: IngestParams, seed: int, /) -> Iterator[Record]:
        """Stream the corpus.

        Parameters
        ----------
        source : Path
            The corpus: a folder, or the file in it that holds the texts.
        params : IngestParams
            Which files are which.
        seed : int
            `params.sample_seed`, for readers that make what they read.
        """
        ...


def names() -> list[str]:
    """Return the formats that there are readers for."""
    return list(plugins.available("reader"))


def get(name: str) -> Reader:
    """Return a reader; raises ParamsError where there is none of this name."""
    return cast("Reader", plugins.find("reader", name, "ingest.reader"))


def root_of(source: Path) -> Path:
    """Return the corpus's folder, where a user may have named the folder or the file of texts in it.

    Raises
    ------
    CorpusError
        There is no such folder or file.
    """
    if not is_there(source):
        raise CorpusError(f"ingest.source: no folder or file '{source}'; set it to where the corpus is")
    return source if source.is_dir() else source.parent

"""Readers: one file for each outside format, found by the name that params.yaml gives.

A reader is a module of this folder with what `Reader` asks for. A new format is a new file here; nothing else
has to learn about it but the list of names in `IngestParams.reader`.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, cast

from photocritic.config import IngestParams
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
            For readers that make what they read.
        """
        ...


def names() -> list[str]:
    """List the formats that there are readers for."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def get(name: str) -> Reader:
    """Load a reader.

    Raises
    ------
    CorpusError
        There is none of that name.
    """
    if name not in names():
        raise CorpusError(f"ingest.reader: no reader is called '{name}'; there are {', '.join(names())}")
    return cast("Reader", importlib.import_module(f"{__name__}.{name}"))


def root_of(source: Path) -> Path:
    """Give the corpus's folder, where a user may have named the folder or the file of texts in it.

    Raises
    ------
    CorpusError
        There is no such folder or file.
    """
    if not is_there(source):
        raise CorpusError(f"ingest.source: no folder or file '{source}'; set it to where the corpus is")
    return source if source.is_dir() else source.parent

"""The knowledge base: names of people, places and things, and the hypernym of each."""

import csv
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

from photocritic.core.errors import ParamsError
from photocritic.core.files import atomic_file
from photocritic.filtering.hypernyms.common_names import COMMON_NAMES

BUNDLED = "bundled"
LONGEST = 8  # words of a name
_WORD = re.compile(r"[^\W_]+")


def key(name: str) -> str:
    """Return the form in which names are compared: lower-case words without punctuation."""
    return " ".join(_WORD.findall(name.lower()))


class Knowledge:
    """Looks names up in a CSV file or an SQLite file; without a file it knows none.

    Parameters
    ----------
    path : Path or None
        A CSV file with the columns `name` and `hypernym` (such as an extract of Wikidata's labels, aliases and
        "instance of"), held in memory; or an SQLite file that `index` made of one, looked up on disk. Of several rows
        with one name the first counts.

    Raises
    ------
    ParamsError
        The file is missing, or is neither.
    """

    def __init__(self, path: Path | None) -> None:
        if path is not None and not path.is_file():
            raise ParamsError(f"hypernyms.knowledge: there is no file '{path}'; give a CSV or SQLite file of names")
        self._path = path
        self._names: dict[str, str] = {}
        self._connection: sqlite3.Connection | None = None
        if path is not None and path.suffix == ".csv":
            for name, hypernym in _rows(path):
                self._names.setdefault(name, hypernym)
        elif path is not None:
            self._connection = _open(path)
        self._ask = lru_cache(maxsize=1 << 17)(self._look_up)

    @classmethod
    def of(cls, choice: str) -> "Knowledge":
        """Return the knowledge base that an option names: `bundled`, a file's path, or none where it is empty."""
        knowledge = cls(Path(choice) if choice not in {"", BUNDLED} else None)
        if choice == BUNDLED:
            rows = ((name, hypernym) for hypernym, names in COMMON_NAMES.items() for name in names.split(","))
            knowledge._names = {key(name): hypernym for name, hypernym in rows}
        return knowledge

    def hypernym(self, name: str) -> str:
        """Return a name's hypernym; empty where the name is unknown."""
        return self._ask(key(name))

    def _look_up(self, name: str) -> str:
        if self._connection is None:
            return self._names.get(name, "")
        row = self._connection.execute("SELECT hypernym FROM names WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""


def index(source: Path, target: Path) -> int:
    """Write a CSV file of names to an SQLite file, for knowledge bases too large for memory.

    Parameters
    ----------
    source : Path
        The columns `name` and `hypernym`; others are passed over.
    target : Path
        The SQLite file; one that stands there is replaced.

    Returns
    -------
    int
        The number of different names.

    Raises
    ------
    ParamsError
        The file of names is missing, lacks a column, or has a row that cannot be read; what stands at `target` stays.
    """
    if not source.is_file():
        raise ParamsError(f"{source}: no such file of names; give a CSV file with the columns name and hypernym")
    with atomic_file(target) as temporary, closing(sqlite3.connect(temporary)) as connection:
        connection.execute("CREATE TABLE names (name TEXT PRIMARY KEY, hypernym TEXT NOT NULL) WITHOUT ROWID")
        connection.executemany("INSERT OR IGNORE INTO names VALUES (?, ?)", _rows(source))
        connection.commit()
        (count,) = connection.execute("SELECT count(*) FROM names").fetchone()
    return int(count)


def _rows(path: Path) -> Iterator[tuple[str, str]]:
    """Return the names and hypernyms of a CSV file; rows in which either is empty are passed over."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        try:
            if not {"name", "hypernym"} <= set(reader.fieldnames or []):
                raise ParamsError(f"{path}: the columns 'name' and 'hypernym' are needed; found {reader.fieldnames}")
            for row in reader:
                if row["name"] is None or row["hypernym"] is None or None in row:
                    raise ParamsError(f"{path}, line {reader.line_num}: {_misfit(row)}; quote fields that hold commas")
                if key(row["name"]) and row["hypernym"].strip():
                    yield key(row["name"]), " ".join(row["hypernym"].lower().split())
        except (csv.Error, UnicodeDecodeError) as error:
            line = reader.line_num + 1
            raise ParamsError(f"{path}, line {line} or after: {error}; give a CSV file in UTF-8") from None


def _misfit(row: dict[str | None, Any]) -> str:
    """Return how a row differs from the header."""
    columns = len(row) - (None in row)
    fields = columns + len(row.get(None) or []) - sum(value is None for value in row.values())
    return f"{fields} field{'s' * (fields != 1)} under {columns} columns"


def _open(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(f"file:{path.resolve()}?mode=ro", uri=True, check_same_thread=False)
        connection.execute("SELECT hypernym FROM names LIMIT 1")
    except sqlite3.DatabaseError as error:
        raise ParamsError(f"{path}: neither a .csv file nor an SQLite file of names ({error})") from error
    return connection

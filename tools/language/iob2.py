"""Reading entity annotations in IOB2 form, as Universal NER publishes them over a treebank's sentences."""

from pathlib import Path

from photocritic.core.errors import CorpusError

_COLUMNS = 3
_NAME = "# sent_id = "


def read(path: Path) -> dict[str, list[str]]:
    """Read the entity tags of a file's sentences.

    Parameters
    ----------
    path : Path
        The file: a line a word, with the word second and its tag third (O, B-PER, I-PER, ...).

    Returns
    -------
    dict of str to list of str
        The words' tags by the sentence's sent_id.

    Raises
    ------
    CorpusError
        The file is missing or a line has too few columns.
    """
    if not path.is_file():
        raise CorpusError(f"{path}: no such file; name a folder with Universal NER's files over the treebank")
    found: dict[str, list[str]] = {}
    tags: list[str] = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            row = line.rstrip("\n")
            columns = row.split("\t")
            if row.startswith(_NAME):
                tags = found[row.removeprefix(_NAME)] = []
            elif row and len(columns) >= _COLUMNS:
                tags.append(columns[2])
            elif row and not row.startswith("#"):
                raise CorpusError(f"{path}, line {number}: {len(columns)} columns instead of at least {_COLUMNS}")
    return found

"""Reading treebanks in CoNLL-U form."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from photocritic.core.errors import CorpusError

_COLUMNS = 10
_NAME = "# sent_id = "
_FORM, _LEMMA, _UPOS, _XPOS, _FEATURES, _HEAD, _RELATION, _MISC = 1, 2, 3, 4, 5, 6, 7, 9


@dataclass
class Sentence:
    """A sentence of a treebank, one entry a syntactic word.

    Attributes
    ----------
    name : str
        The sentence's sent_id; empty where it has none.
    words, tags : list of str
        Forms as written and Penn Treebank tags.
    lemmas : list of str
        Lemmas; empty for a misspelt word, whose lemma is another word's ("inks" for "links").
    classes : list of str
        Universal part-of-speech tags.
    heads : list of int
        Index of each word's head in the sentence; the root's own.
    relations : list of str
        Universal dependency to the head, in lower case.
    spaces : list of bool
        Whether white space follows the word in the source.
    """

    name: str = ""
    words: list[str] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    spaces: list[bool] = field(default_factory=list)

    def triples(self) -> Iterator[tuple[str, str, str]]:
        """Give form, tag and lemma of each word."""
        return zip(self.words, self.tags, self.lemmas, strict=True)


def read(path: Path) -> Iterator[Sentence]:
    """Stream the sentences of a CoNLL-U file.

    Words inside a multiword token ("do" and "n't" in "don't") are joined without a space; empty nodes are skipped.

    Parameters
    ----------
    path : Path
        The file.

    Yields
    ------
    Sentence
        The sentences in order.

    Raises
    ------
    CorpusError
        The file is missing or a line has not ten columns.
    """
    if not path.is_file():
        raise CorpusError(f"{path}: no such file; name a folder with train.conllu, dev.conllu and test.conllu")
    sentence, joined_until, space_after_joined = Sentence(), 0, True
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            row = line.rstrip("\n")
            if not row:
                if sentence.words:
                    yield sentence
                sentence, joined_until = Sentence(), 0
                continue
            if row.startswith("#"):
                if row.startswith(_NAME):
                    sentence.name = row.removeprefix(_NAME)
                continue
            columns = row.split("\t")
            if len(columns) != _COLUMNS:
                raise CorpusError(f"{path}, line {number}: {len(columns)} columns instead of {_COLUMNS}")
            position, space = columns[0], "SpaceAfter=No" not in columns[_MISC]
            if "-" in position:
                joined_until, space_after_joined = int(position.partition("-")[2]), space
            elif position.isdigit():
                if int(position) < joined_until:
                    space = False
                elif int(position) == joined_until:
                    space = space_after_joined
                _append(sentence, columns, space)
    if sentence.words:
        yield sentence


def _append(sentence: Sentence, columns: list[str], space: bool) -> None:
    sentence.words.append(columns[_FORM])
    sentence.lemmas.append("" if "Typo=Yes" in columns[_FEATURES] else columns[_LEMMA])
    sentence.tags.append(columns[_XPOS])
    sentence.classes.append(columns[_UPOS])
    head = int(columns[_HEAD]) if columns[_HEAD].isdigit() else 0
    sentence.heads.append(head - 1 if head else len(sentence.heads))
    sentence.relations.append(columns[_RELATION].lower())
    sentence.spaces.append(space)

"""Treebanks, and the entities annotated over them, in the forms that training takes."""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, cycle, islice
from pathlib import Path

from spacy.tokens import Doc, DocBin
from spacy.training import biluo_tags_to_spans, iob_to_biluo
from spacy.training.converters.conllu_to_docs import conllu_to_docs
from spacy.vocab import Vocab

from photocritic.core.errors import CorpusError

NAME = "sent_id"  # a sentence's name, in its file and in a document's user data
_NAME = re.compile(rf"^# {NAME} = (.*)$", re.MULTILINE)
_CONLLU_COLUMNS, _IOB2_COLUMNS = 10, 3
_GROUP_SIZES = (1, 2, 1, 3)  # sentences a text, in turn: comments have few, and the parser must learn where one ends
_ATTRIBUTES = ["ORTH", "SPACY", "TAG", "POS", "LEMMA", "HEAD", "DEP", "SENT_START"]

log = logging.getLogger(__name__)


def load(path: Path) -> list[Doc]:
    """Load a CoNLL-U file with spaCy's converter, a sentence a document with its name in the user data.

    A token is a syntactic word: "do" and "n't" in "don't" are two. A misspelt word has no lemma, as the treebank gives
    it that of another word ("inks" for "links").

    Raises
    ------
    CorpusError
        The file is missing, or is not CoNLL-U.
    """
    text = _read(path, "name a folder with train.conllu, dev.conllu and test.conllu").strip()
    for number, row in enumerate(text.split("\n"), 1):
        columns = row.count("\t") + 1
        if row and not row.startswith("#") and columns != _CONLLU_COLUMNS:
            raise CorpusError(f"{path}, line {number}: {columns} columns instead of {_CONLLU_COLUMNS}")
    try:
        docs = list(conllu_to_docs(text, n_sents=1, no_print=True))  # type: ignore[no-untyped-call]
    except (ValueError, IndexError) as error:
        raise CorpusError(f"{path}: not CoNLL-U: {error}") from None
    for doc, block in zip(docs, text.split("\n\n"), strict=True):
        name = _NAME.search(block)
        doc.user_data[NAME] = name[1] if name else ""
        for token in doc:
            if "Yes" in token.morph.get("Typo"):
                token.lemma = 0
            token.dep_ = token.dep_.lower()  # the converter writes ROOT in capitals
            token.set_morph("")  # nothing learns the features; their names would stand in the pipeline's strings
    return docs


def grouped(sentences: Iterable[Doc]) -> Iterator[Doc]:
    """Join consecutive sentences into short texts."""
    stream = iter(sentences)
    for size in cycle(_GROUP_SIZES):
        if not (group := list(islice(stream, size))):
            return
        # spaCy's stub lacks the argument.
        yield Doc.from_docs(group, ensure_whitespace=False, exclude=["user_data"])  # type: ignore[call-arg]


def with_vocab(vocab: Vocab, docs: Iterable[Doc]) -> list[Doc]:
    """Return copies of documents that use the vocabulary of a pipeline."""
    return [Doc(vocab).from_bytes(doc.to_bytes(exclude=["user_data"])) for doc in docs]


def save(sentences: Iterable[Doc], to: Path) -> None:
    """Write sentences in spaCy's format, a few a document."""
    DocBin(attrs=_ATTRIBUTES, docs=grouped(sentences)).to_disk(to)


def with_entities(vocab: Vocab, treebank: Path, entities: Path) -> list[Doc]:
    """Load a part of the treebank, a sentence a document, with the entities that are annotated over it.

    Sentences that the two have in different words, because their versions differ, are left out.

    Parameters
    ----------
    vocab : Vocab
        Of the documents.
    treebank, entities : Path
        A CoNLL-U file, and one that `load_entities` reads.

    Raises
    ------
    CorpusError
        A file is missing or cannot be read, or no sentence is the same in both.
    """
    tags = load_entities(entities)
    sentences = load(treebank)
    same = [doc for doc in sentences if len(tags.get(doc.user_data[NAME], [])) == len(doc)]
    if not same:
        raise CorpusError(f"{entities} annotates none of the sentences of {treebank}; choose files of the same part")
    log.info("%s: %d of %d sentences have entities annotated", entities, len(same), len(sentences))
    annotated = with_vocab(vocab, same)
    for doc, named in zip(annotated, same, strict=True):
        doc.ents = biluo_tags_to_spans(doc, iob_to_biluo(tags[named.user_data[NAME]]))
    return annotated


def load_entities(path: Path) -> dict[str, list[str]]:
    """Load the entity tags (O, B-PER, I-PER, ...) of sentences by their names, in Universal NER's form of IOB2.

    spaCy's converters read no such file: it has the word's number first and the tag third, and names its sentences.

    Raises
    ------
    CorpusError
        The file is missing or a line has too few columns.
    """
    found: dict[str, list[str]] = {}
    tags: list[str] = []
    rows = _read(path, "name a folder with Universal NER's files over the treebank").split("\n")
    for number, row in enumerate(rows, 1):
        columns = row.split("\t")
        if name := _NAME.match(row):
            tags = found[name[1]] = []
        elif row and len(columns) >= _IOB2_COLUMNS:
            tags.append(columns[2])
        elif row and not row.startswith("#"):
            raise CorpusError(f"{path}, line {number}: {len(columns)} columns instead of at least {_IOB2_COLUMNS}")
    return found


def repeated_words(sentences: Iterable[Doc]) -> list[str]:
    """Return the words, in lower case, that occur more than once."""
    counts = Counter(token.text.lower() for doc in sentences for token in doc)
    return [word for word, count in counts.items() if count > 1]


def for_perceptron(sentences: Iterable[Doc]) -> list[list[tuple[str, str]]]:
    """Return words with their tags: sentences as written, and by threes in lower case but for the first letter.

    Comments are sloppily cased and of several sentences; and a capital at the beginning ("Focus is good") must not look
    like that of a name.
    """
    written = [[(token.text, token.tag_) for token in doc] for doc in sentences]
    plain = [[(_plain(word, not i), tag) for i, (word, tag) in enumerate(sentence)] for sentence in written]
    return written + [list(chain.from_iterable(plain[i : i + 3])) for i in range(0, len(plain), 3)]


def _plain(word: str, first: bool) -> str:
    lower = word.lower()
    return lower[0].upper() + lower[1:] if first else lower


def _read(path: Path, advice: str) -> str:
    if not path.is_file():
        raise CorpusError(f"{path}: no such file; {advice}")
    return path.read_text(encoding="utf-8")

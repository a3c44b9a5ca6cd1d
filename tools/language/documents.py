"""Treebanks in the forms that the learners take."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, cycle, islice
from pathlib import Path
from typing import TypeVar

from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from photocritic.core.errors import CorpusError
from tools.language import conllu, iob2
from tools.language.conllu import Sentence

_SIZES = (1, 2, 1, 3)  # sentences a text, in turn: comments have few, and the parser must learn where one ends
log = logging.getLogger(__name__)
Item = TypeVar("Item")
_ATTRIBUTES = ["ORTH", "SPACY", "TAG", "POS", "LEMMA", "HEAD", "DEP", "SENT_START"]


def grouped(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """Put consecutive sentences together into short texts."""
    stream = iter(sentences)
    for size in cycle(_SIZES):
        if not (group := list(islice(stream, size))):
            return
        yield group


def document(vocab: Vocab, sentences: Sequence[Sentence], entities: Sequence[str] | None = None) -> Doc:
    """Make an annotated document of consecutive sentences; the entities are IOB2 tags of all its words."""
    offsets = [sum(len(before.words) for before in sentences[:index]) for index in range(len(sentences))]
    return Doc(
        vocab,
        words=_all(sentence.words for sentence in sentences),
        spaces=_all(sentence.spaces for sentence in sentences),
        tags=_all(sentence.tags for sentence in sentences),
        pos=_all(sentence.classes for sentence in sentences),
        lemmas=_all(sentence.lemmas for sentence in sentences),
        heads=[head + offset for sentence, offset in zip(sentences, offsets, strict=True) for head in sentence.heads],
        deps=_all(sentence.relations for sentence in sentences),
        ents=list(entities) if entities is not None else None,
    )


def texts(vocab: Vocab, treebank: Path) -> list[Doc]:
    """Read a CoNLL-U file, a few sentences a document."""
    return [document(vocab, group) for group in grouped(conllu.read(treebank))]


def save(treebank: Path, to: Path) -> None:
    """Convert a CoNLL-U file to spaCy's format, a few sentences a document."""
    DocBin(attrs=_ATTRIBUTES, docs=texts(Vocab(), treebank)).to_disk(to)


def with_entities(vocab: Vocab, treebank: Path, entities: Path) -> list[Doc]:
    """Read a part of the treebank, a sentence a document, with the entities that are annotated over it.

    Sentences that the two have in different words, because their versions differ, are left out.

    Raises
    ------
    CorpusError
        A file is missing or cannot be read, or no sentence is the same in both.
    """
    tags = iob2.read(entities)
    sentences = list(conllu.read(treebank))
    same = [sentence for sentence in sentences if len(tags.get(sentence.name, [])) == len(sentence.words)]
    if not same:
        raise CorpusError(f"{entities} annotates none of the sentences of {treebank}; take files of the same part")
    log.info("%s: %d of %d sentences have entities annotated", entities, len(same), len(sentences))
    return [document(vocab, [sentence], tags[sentence.name]) for sentence in same]


def repeated_words(path: Path) -> list[str]:
    """Give the forms, in lower case, that a treebank has more than once."""
    counts = Counter(word.lower() for sentence in conllu.read(path) for word in sentence.words)
    return [word for word, count in counts.items() if count > 1]


def for_perceptron(path: Path) -> list[list[tuple[str, str]]]:
    """Give tagged sentences as written, and by threes in lower case but for the first letter.

    Comments are sloppily cased and of several sentences; and a capital at the beginning ("Focus is good") must not look
    like that of a name.
    """
    written = [list(zip(sentence.words, sentence.tags, strict=True)) for sentence in conllu.read(path)]
    plain = [[(_plain(word, not i), tag) for i, (word, tag) in enumerate(sentence)] for sentence in written]
    return written + [list(chain.from_iterable(plain[i : i + 3])) for i in range(0, len(plain), 3)]


def _all(lists: Iterable[list[Item]]) -> list[Item]:
    return list(chain.from_iterable(lists))


def _plain(word: str, first: bool) -> str:
    lower = word.lower()
    return lower[0].upper() + lower[1:] if first else lower

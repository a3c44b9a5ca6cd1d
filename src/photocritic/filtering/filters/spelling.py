"""Elongated words and typos, put right after the corpus's own words."""

from collections import Counter
from pathlib import Path

import pyarrow as pa

from photocritic.config import Block
from photocritic.filtering import arrow_io, counting
from photocritic.filtering.contract import CommentBatch, FittedFilter, Verdicts
from photocritic.filtering.elongation import count_words, shortener
from photocritic.filtering.typos import corrections, corrector
from photocritic.text import known_words

_WORDS, _TYPOS = "words.arrow", "typos.arrow"


class Spelling(FittedFilter):
    """Shortens elongated words ("woooow") and corrects typos by frequency and edit distance; rejects nothing."""

    paper = "AIC 3"

    class Options(Block):
        """What is put right."""

        elongations: bool = True
        typos: bool = True

    options: Options

    def observe(self, batch: CommentBatch) -> pa.Table:
        """Count the words."""
        words: Counter[str] = Counter()
        count_words(batch.texts, words)
        return pa.table({"word": pa.array(words, pa.string()), "count": pa.array(words.values(), pa.int64())})

    def combine(self, observed: list[Path], folder: Path) -> None:
        """Add the counts up, and find what is probably a typo of what."""
        words = counting.merged(arrow_io.stream(observed), "word")
        arrow_io.write(folder / _WORDS, words)
        found = corrections(_counts(words), known_words()) if self.options.typos else {}
        typos = {"typo": pa.array(found, pa.string()), "word": pa.array(found.values(), pa.string())}
        arrow_io.write(folder / _TYPOS, pa.table(typos))

    def load(self, folder: Path) -> None:
        """Get ready to correct."""
        typos = arrow_io.read(folder / _TYPOS)
        found = dict(zip(typos.column("typo").to_pylist(), typos.column("word").to_pylist(), strict=True))
        self._correct = corrector(found)
        self._shorten = shortener(_counts(arrow_io.read(folder / _WORDS)), known_words())

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Put the texts right."""
        texts = batch.texts
        if self.options.elongations:
            texts = [self._shorten(text) for text in texts]
        return Verdicts(texts=[self._correct(text) for text in texts])


def _counts(words: pa.Table) -> dict[str, int]:
    return dict(zip(words.column("word").to_pylist(), words.column("count").to_pylist(), strict=True))

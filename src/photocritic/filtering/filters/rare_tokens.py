"""Texts with words that nobody else writes."""

import re
from collections.abc import Container
from functools import cached_property
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from photocritic.config import Block, Positive
from photocritic.core.errors import ParamsError
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import FittedFilter, Verdicts
from photocritic.filtering.out_of_core import count_values, merge_counts, read_arrow, stream_arrow, write_arrow
from photocritic.text import caption_tokens, web_lexicon

RARE = "rare_token"
_COLUMN = "token"
_JOINTS = re.compile(r"[-/&'_]+")


class RareTokens(FittedFilter):
    """Rejects texts with a token that large web texts lack, or a vocabulary of your own, or the rest of the corpus."""

    paper = "CC 3"
    reasons = (RARE,)

    class Options(Block):
        """The vocabulary: CC's own holds the types that the English Wikipedia has at least 5 times.

        `web` stands in for it: the tokens of large web texts (`text.web_lexicon`, cut at about the same rarity)
        and all words of English. `corpus` counts the corpus itself: tokens that it has at least `min_count` times.
        `file` names a list of your own, a lower-case token a line, which counts instead of both. A compound is known
        where its parts are. Tokens with digits are not looked up: ever new dates and numbers are no sign of undesirable
        text.
        """

        vocabulary: Literal["web", "corpus"] = "web"
        min_count: Positive = 5  # CC
        file: str = ""

    options: Options

    def observe(self, batch: CommentBatch) -> pa.Table:
        """Count the tokens of every text, of rejected ones too: what is a word does not depend on other filters."""
        found = [token for text in batch.texts for token in _words(text)] if self._counts_corpus else []
        return count_values(pa.array(found, pa.string()), _COLUMN)

    def combine(self, observed: list[Path], folder: Path) -> None:
        """Add up the counts, and keep the tokens that are frequent enough."""
        if self._counts_corpus:
            counts = merge_counts(stream_arrow(observed), _COLUMN)
            frequent = counts.filter(pc.greater_equal(counts.column("count"), self.options.min_count))
            write_arrow(folder / "vocabulary.arrow", frequent.select([_COLUMN]))

    def load(self, folder: Path) -> None:
        """Read the vocabulary."""
        self._folder = folder

    @property
    def _counts_corpus(self) -> bool:
        return self.options.vocabulary == "corpus" and not self.options.file

    @cached_property
    def _vocabulary(self) -> Container[str]:
        if self._counts_corpus:
            return frozenset(read_arrow(self._folder / "vocabulary.arrow").column(_COLUMN).to_pylist())
        if not self.options.file:
            return web_lexicon()
        try:
            return frozenset(Path(self.options.file).read_text(encoding="utf-8").split())
        except OSError as error:
            raise ParamsError(f"rare_tokens.file: cannot read '{self.options.file}' ({error.strerror})") from error

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Look up every token."""
        return Verdicts(["" if all(map(self._knows, _words(text))) else RARE for text in batch.texts])

    def _knows(self, token: str) -> bool:
        if token in self._vocabulary:
            return True
        parts = [part for part in _JOINTS.split(token) if part]
        return len(parts) > 1 and all(map(self._knows, parts))


def _words(text: str) -> list[str]:
    return [token for token in caption_tokens(text) if token[-1].isalpha() and not any(map(str.isdigit, token))]

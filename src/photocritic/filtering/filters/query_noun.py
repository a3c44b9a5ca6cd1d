"""Captions that name something which photographs show: nouns of physical objects, such as Déjà searched Flickr with."""

from collections import Counter
from pathlib import Path

import pyarrow as pa

from photocritic.config import Block, FilterParams, Positive
from photocritic.core.errors import ParamsError
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import FittedFilter, Verdicts
from photocritic.filtering.out_of_core import read_arrow, stream_arrow, write_arrow
from photocritic.text import Tagged, american, base, coarse, physical_nouns

NO_QUERY_NOUN = "no_query_noun"

_SCHEMA = pa.schema([pa.field("noun", pa.string()), pa.field("count", pa.int64())])
_FILE = "queries.arrow"


class QueryNoun(FittedFilter):
    """Rejects texts without any of the corpus's most frequent nouns for physical objects, or of those of a list."""

    paper = "Déjà 2"
    reasons = (NO_QUERY_NOUN,)

    class Options(Block):
        """The corpus's so many most frequent nouns (693 in the paper), or a file of nouns, one a line, in their place.

        The paper's were those of another corpus, of a million captions under photographs. In critique the most frequent
        nouns are "shot", "color" and "idea", which every comment has; hence physical objects alone, as the paper's
        section 5 counts them.
        """

        nouns: Positive = 693
        file: str = ""

    options: Options

    def __init__(self, options: Block, params: FilterParams) -> None:
        super().__init__(options, params)
        self._given = _read(Path(self.options.file)) if self.options.file else None
        self._queries: frozenset[str] = frozenset()

    def observe(self, batch: CommentBatch) -> pa.Table:
        """Count the nouns for physical objects in the texts that earlier filters let through."""
        if self._given is not None:
            return _SCHEMA.empty_table()
        tagged, styled, physical = batch.tagged(), batch.styled, physical_nouns()
        nouns = (noun for row in batch.remaining if not styled[row] for noun in _common_nouns(tagged[row]))
        found = Counter(noun for noun in nouns if noun in physical)
        return pa.table([pa.array(found.keys(), pa.string()), pa.array(found.values(), pa.int64())], schema=_SCHEMA)

    def combine(self, observed: list[Path], folder: Path) -> None:
        """Choose the most frequent nouns; of equally frequent ones, the first of the alphabet."""
        counts: Counter[str] = Counter()
        for table in stream_arrow(observed):
            for noun, count in zip(*(column.to_pylist() for column in table.columns), strict=True):
                counts[noun] += count
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[: self.options.nouns]
        rows = self._given or dict(ranked)
        write_arrow(folder / _FILE, pa.table([list(rows), list(rows.values())], schema=_SCHEMA))

    def load(self, folder: Path) -> None:
        """Read the chosen nouns."""
        self._queries = frozenset(read_arrow(folder / _FILE).column("noun").to_pylist())

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by base forms of all words but verbs: taggers take "bananas" for an adjective, and titles for names."""
        return Verdicts(["" if self._has_query(tagged) else NO_QUERY_NOUN for tagged in batch.tagged()])

    def _has_query(self, tagged: Tagged) -> bool:
        words = (base(word, lemma) for word, tag, lemma in zip(*tagged, strict=True) if not tag.startswith("VB"))
        return not self._queries.isdisjoint(words)


def _common_nouns(tagged: Tagged) -> list[str]:
    return [base(word, lemma) for word, tag, lemma in zip(*tagged, strict=True) if coarse(tag) == "NOUN"]


def _read(path: Path) -> dict[str, int]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ParamsError(
            f"query_noun.file: {path} cannot be read ({error}); give a file of nouns, one a line"
        ) from None
    nouns = dict.fromkeys((american(line.strip().lower()) for line in lines if line.strip()), 0)
    if not nouns:
        raise ParamsError(f"query_noun.file: {path} has no nouns; give a file of nouns, one a line")
    return nouns

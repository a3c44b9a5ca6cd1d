"""CC's text transformation: names become what they name, and what no captioner can learn goes."""

from functools import cached_property
from typing import ClassVar

import pyarrow as pa

from photocritic.config import Block, Positive
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts
from photocritic.filtering.hypernyms import (
    BUNDLED,
    INCONSISTENT,
    TOO_SHORT,
    UNRESOLVED,
    Fallbacks,
    Knowledge,
    Transformed,
    flaw,
    transform,
    without_dates_and_titles,
)
from photocritic.text import Tagged, american, base

ENTITIES = "entities"  # the types of the entities that each text names


class Hypernyms(Filter):
    """Rewrites texts: names to hypernyms, dates, places and numbers dropped, "actor and actor" to "actors"."""

    paper = "CC 3"
    reasons = (UNRESOLVED, TOO_SHORT, INCONSISTENT)
    adds: ClassVar = {ENTITIES: pa.list_(pa.string())}

    class Options(Block):
        """The knowledge base, what unknown names become, and the fewest words that are left.

        `knowledge` is `bundled` (countries, cities, and a few hundred people, characters, teams and companies), a CSV
        file with the columns name and hypernym (CC asks Google's Knowledge Graph; an extract of Wikidata does), or an
        SQLite file that `photocritic knowledge` made of one; empty: none. A place that it
        knows becomes its hypernym ("in a city"), one that it lacks is dropped with its preposition. Without a word for
        a kind, texts with such names are rejected.
        """

        knowledge: str = BUNDLED
        person: str = "person"  # CC, Table 1
        organization: str = "organization"
        place: str = ""  # a place that no preposition leads to: "Paris glitters at night"
        min_words: Positive = 3  # CC drops what becomes "too short" and gives no number

    options: Options

    @cached_property
    def _knowledge(self) -> Knowledge:
        return Knowledge.of(self.options.knowledge)

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Transform the rows that are still kept; the types of a text are its hypernyms and its common nouns."""
        rows = batch.remaining
        parsed = batch.annotator.parse([without_dates_and_titles(batch.texts[row]) for row in rows])
        fallbacks = Fallbacks(self.options.person, self.options.organization, self.options.place)
        transformed = [transform(words, self._knowledge, fallbacks) for words in parsed]
        tagged = batch.annotator.tag([one.text for one in transformed])
        reasons, texts = [""] * len(batch), list(batch.texts)
        entities = list(batch.column(ENTITIES, missing=[]))
        for row, one, tags in zip(rows, transformed, tagged, strict=True):
            texts[row] = one.text
            reasons[row] = one.reason or flaw(one.text, tags, self.options.min_words)
            if not reasons[row]:
                entities[row] = _types(one, tags)
        return Verdicts(reasons, texts, {ENTITIES: entities})


def _types(transformed: Transformed, tagged: Tagged) -> list[str]:
    """Return the types of the entities that a text names, each once: CC counts "actor" and "dog" alike."""
    parts = {part for hypernym in transformed.hypernyms for part in hypernym.split()}
    nouns = [_cluster(word, lemma) for word, tag, lemma in zip(*tagged, strict=True) if tag in {"NN", "NNS"}]
    others = [noun for noun in nouns if noun not in parts and noun.isalpha()]
    return list(dict.fromkeys([*transformed.hypernyms, *others]))


def _cluster(word: str, lemma: str) -> str:
    """Return the type under which a noun counts: with its plural, however it was tagged, and with other spellings.

    CC clusters resolved entities without saying how.
    """
    form = word.lower()
    if form in {"people", "persons"}:
        return "person"
    return base(word, lemma) if form.endswith("s") else american(lemma)

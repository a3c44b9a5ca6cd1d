"""Language: words, tags, lemmas, stop words; the one place that knows spaCy."""

from photocritic.language.bases import base
from photocritic.language.canonical import PREPOSITION, canonical_form
from photocritic.language.captions import caption_tokens
from photocritic.language.fast import FastTagger
from photocritic.language.lexicon import known_words
from photocritic.language.parser import Parser, Word
from photocritic.language.spacy_tagger import SpacyTagger
from photocritic.language.spelling import american
from photocritic.language.stopwords import STOPWORDS
from photocritic.language.syntax import Syntax, heads, seen_again, syntax
from photocritic.language.tagged import Tagged, Tags
from photocritic.language.tags import Coarse, coarse

__all__ = [
    "PREPOSITION", "STOPWORDS", "Coarse", "FastTagger", "Parser", "SpacyTagger", "Syntax", "Tagged", "Tags", "Word",
    "american", "base", "canonical_form", "caption_tokens", "coarse", "heads", "known_words", "seen_again", "syntax",
    "tagger",
]  # fmt: skip


def tagger(model: str = "bundled") -> Tags:
    """Give the tagger of a model: the fast one for `bundled`, else a spaCy pipeline by name or folder.

    Raises
    ------
    ParamsError
        There is no such pipeline, or it gives no tags.
    """
    return FastTagger() if model == "bundled" else SpacyTagger(model)

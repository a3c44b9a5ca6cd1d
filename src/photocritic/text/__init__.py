"""Language: words, tags, lemmas, stop words; the one place that knows spaCy."""

from photocritic.text.bases import base
from photocritic.text.canonical import PREPOSITION, canonical_form
from photocritic.text.captions import caption_tokens
from photocritic.text.fast import FastTagger
from photocritic.text.lexicon import known_words
from photocritic.text.parser import Parser, Word
from photocritic.text.spacy_tagger import SpacyTagger
from photocritic.text.spelling import american
from photocritic.text.stopwords import STOPWORDS
from photocritic.text.syntax import Syntax, heads, seen_again, syntax
from photocritic.text.tagged import Tagged, Tags
from photocritic.text.tags import Coarse, coarse

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

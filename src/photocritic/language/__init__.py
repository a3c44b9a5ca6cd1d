"""Language: words, tags, lemmas, stop words; the one place that knows spaCy."""

from photocritic.language.captions import caption_tokens
from photocritic.language.fast import FastTagger
from photocritic.language.lexicon import known_words
from photocritic.language.parser import Parser, Word
from photocritic.language.spacy_tagger import SpacyTagger
from photocritic.language.spelling import american
from photocritic.language.stopwords import STOPWORDS
from photocritic.language.tagged import Tagged, Tags
from photocritic.language.tags import Coarse, coarse
from photocritic.language.tokens import Tagger, Token

__all__ = [
    "STOPWORDS", "Coarse", "FastTagger", "Parser", "SpacyTagger", "Tagged", "Tagger", "Tags", "Token", "Word",
    "american", "caption_tokens", "coarse", "known_words", "tagger",
]  # fmt: skip


def tagger(model: str = "bundled") -> Tags:
    """Give the tagger of a model: the fast one for `bundled`, else a spaCy pipeline by name or folder.

    Raises
    ------
    ParamsError
        There is no such pipeline, or it gives no tags.
    """
    return FastTagger() if model == "bundled" else SpacyTagger(model)

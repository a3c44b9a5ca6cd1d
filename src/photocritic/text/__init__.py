"""Language: words, tags, lemmas, stop words; the only package that imports spaCy."""

from photocritic.text.canonical import PREPOSITION, canonical_form
from photocritic.text.lemmas import base
from photocritic.text.parser import Parser, Word
from photocritic.text.spacy_pipeline import SpacyTagger
from photocritic.text.syntax import Syntax, heads, syntax, tag_titles_again
from photocritic.text.tagging import Coarse, FastTagger, Tagged, Tagger, coarse, tagger
from photocritic.text.words import STOPWORDS, american, caption_tokens, known_words

__all__ = [
    "PREPOSITION", "STOPWORDS", "Coarse", "FastTagger", "Parser", "SpacyTagger", "Syntax", "Tagged", "Tagger", "Word",
    "american", "base", "canonical_form", "caption_tokens", "coarse", "heads", "known_words", "syntax",
    "tag_titles_again", "tagger",
]  # fmt: skip

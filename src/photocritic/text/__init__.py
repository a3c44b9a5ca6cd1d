"""Language: words, tags, lemmas, stop words; the only package that imports spaCy."""

from photocritic.text.canonical import PREPOSITION, canonical_form, content_form
from photocritic.text.lemmas import base
from photocritic.text.lexicon import english_lexicon, physical_nouns, web_lexicon
from photocritic.text.parser import Parser, Word
from photocritic.text.sentences import split_sentences
from photocritic.text.spacy_pipeline import SpacyTagger
from photocritic.text.syntax import Syntax, heads, syntax, tag_titles_again
from photocritic.text.tagging import Coarse, FastTagger, Tagged, Tagger, coarse, tagger
from photocritic.text.words import MARKS, STOPWORDS, american, caption_tokens, known_words

__all__ = [
    "MARKS", "PREPOSITION", "STOPWORDS", "Coarse", "FastTagger", "Parser", "SpacyTagger", "Syntax", "Tagged", "Tagger",
    "Word", "american", "base", "canonical_form", "caption_tokens", "coarse", "content_form", "english_lexicon",
    "heads", "known_words", "physical_nouns", "split_sentences", "syntax", "tag_titles_again", "tagger", "web_lexicon",
]  # fmt: skip

"""Language: tokens, tags, lemmas, stop words; the one place that knows spaCy."""

from photocritic.language.captions import caption_tokens
from photocritic.language.lexicon import known_words
from photocritic.language.spelling import american
from photocritic.language.stopwords import STOPWORDS
from photocritic.language.tagger import Tagger, Token
from photocritic.language.tags import Coarse, coarse

__all__ = ["STOPWORDS", "Coarse", "Tagger", "Token", "american", "caption_tokens", "coarse", "known_words"]

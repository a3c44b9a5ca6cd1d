"""Comments in other languages: unknown words and a language identifier together, since either errs on short texts."""

import re
from typing import TYPE_CHECKING

from photocritic.config import Block, FilterParams
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts
from photocritic.text import known_words

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

NOT_ENGLISH = "not_english"

# Among 12,000 English comments and captions of photographs 0.2% have fewer known words than this; foreign sentences
# reach about a third through names and cognates.
_LEAST_KNOWN = 0.4
_LEAST_PROBABILITY = 0.02  # of English, among 97 languages
_WORD = re.compile(r"[^\W\d_]+")
_FOREIGN_LETTER = re.compile(r"[^\W\d_\u0000-\u024f]")  # beyond the Latin scripts


class English(Filter):
    """Rejects texts that are most probably in another language."""

    paper = "AIC 3"
    reasons = (NOT_ENGLISH,)
    rejects_styled = True

    def __init__(self, options: Block, params: FilterParams) -> None:
        super().__init__(options, params)
        self._known = known_words()
        self._identifier: LanguageIdentifier | None = None

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by the script, the share of known words, and then by the language identifier."""
        return Verdicts(["" if self._is_english(text) else NOT_ENGLISH for text in batch.texts])

    def _is_english(self, text: str) -> bool:
        words = [word.lower() for word in _WORD.findall(text)]
        if len(_FOREIGN_LETTER.findall(text)) * 2 > sum(map(len, words)):
            return False
        # No identifier can be trusted on a single word: "Brilliant!" is English and French.
        if len(words) < 2 or sum(word in self._known for word in words) >= _LEAST_KNOWN * len(words):
            return True
        return self._probability(text) >= _LEAST_PROBABILITY

    def _probability(self, text: str) -> float:
        if self._identifier is None:
            from py3langid.langid import MODEL_FILE, LanguageIdentifier

            self._identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
        return float(dict(self._identifier.rank(text))["en"])

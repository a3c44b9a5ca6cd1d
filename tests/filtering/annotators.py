"""Annotators for tests of the transformation: with everything, and with tags alone."""

from photocritic.config import LanguageParams
from photocritic.filtering.comment_batch import Annotator
from photocritic.text import Word


class TagsAlone(Annotator):
    """Knows neither syntax nor entities, as a parser that errs on every word: the transformation must do without."""

    def parse(self, texts):
        return [_words(text, tagged) for text, tagged in zip(texts, self.tag(texts), strict=True)]


def _words(text, tagged):
    words, at = [], 0
    for place, (word, tag, lemma) in enumerate(zip(tagged.words, tagged.tags, tagged.lemmas, strict=True)):
        at = text.index(word, at) + len(word)
        words.append(Word(word, lemma, tag, "", "dep", place, "", text[at : at + 1] == " "))
    return words


ANNOTATORS = {"parser": Annotator(LanguageParams()), "tags alone": TagsAlone(LanguageParams())}

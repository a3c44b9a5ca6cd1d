"""Tagged texts token by token, for rules that look at each token's class."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from photocritic.language.spacy_tagger import SpacyTagger
from photocritic.language.stopwords import STOPWORDS
from photocritic.language.tags import Coarse, coarse

_WORD = re.compile(r"['’]?[^\W_]")


class Token(NamedTuple):
    """A token of a tagged text.

    Attributes
    ----------
    text : str
        As written.
    lemma : str
        Base form in lower case, as WordNet would give it: colors -> color, leaves -> leaf.
    tag : str
        Penn Treebank tag.
    coarse : {"NOUN", "ADJ", "ADV", "OTHER"}
        Class of the tag; proper names are OTHER.
    is_stop : bool
        Whether it is on the stop word list (`STOPWORDS`).
    is_word : bool
        Whether it is a word, clitic or number rather than punctuation or a symbol.
    """

    text: str
    lemma: str
    tag: str
    coarse: Coarse
    is_stop: bool
    is_word: bool


class Tagger:
    """Part-of-speech tags and lemmas of English texts.

    Parameters
    ----------
    model : str
        `bundled`, or a spaCy pipeline with a tagger: the name of an installed one, such as en_core_web_sm, or a folder.

    Raises
    ------
    ParamsError
        There is no such pipeline, or it gives no tags.
    """

    def __init__(self, model: str = "bundled") -> None:
        self._tagger = SpacyTagger(model)

    def tag(self, texts: Iterable[str]) -> Iterator[list[Token]]:
        """Tag texts in order, streaming; a repeated text is tagged once.

        Parameters
        ----------
        texts : iterable of str
            English texts, cleaned.

        Yields
        ------
        list of Token
            The tokens of each text; white space is none.
        """
        for tagged in self._tagger.stream(texts):
            yield [_token(*triple) for triple in zip(tagged.words, tagged.lemmas, tagged.tags, strict=True)]


def _token(text: str, lemma: str, tag: str) -> Token:
    return Token(text, lemma, tag, coarse(tag), text.lower() in STOPWORDS, _WORD.match(text) is not None)

"""Tagged texts, and the bundled tagger: hundreds of thousands of words a second, for filters that need no syntax."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from photocritic.text import perceptron
from photocritic.text.decoder import Decoder
from photocritic.text.lemmas import Lemmatizer
from photocritic.text.words import BUNDLED, split_for_tagging

Coarse = Literal["NOUN", "ADJ", "ADV", "OTHER"]

# Common nouns only: AIC's unigrams are NN and NNS; a proper name says nothing about a photograph's aesthetics.
_COARSE: dict[str, Coarse] = {
    "NN": "NOUN", "NNS": "NOUN",
    "JJ": "ADJ", "JJR": "ADJ", "JJS": "ADJ",
    "RB": "ADV", "RBR": "ADV", "RBS": "ADV",
}  # fmt: skip

_CHARACTERS = 300_000  # texts are tagged in batches of about so many characters, whose scores fit the cache
_LEMMAS = 1 << 17  # lemmas that are remembered by word and tag


def coarse(tag: str) -> Coarse:
    """Return the class of a Penn Treebank tag: NOUN (common), ADJ, ADV or OTHER."""
    return _COARSE.get(tag, "OTHER")


class Tagged(NamedTuple):
    """A text in words.

    Attributes
    ----------
    words : list of str
        As written.
    tags : list of str
        Penn Treebank tags.
    lemmas : list of str
        Base forms in lower case, as WordNet would give them: colors -> color, leaves -> leaf.
    """

    words: list[str]
    tags: list[str]
    lemmas: list[str]


class Tagger(Protocol):
    """What tags texts in batches."""

    def tag(self, texts: Sequence[str]) -> list[Tagged]:
        """Return each text's words with their tags and lemmas; a text that comes repeatedly is tagged once."""
        ...


class FastTagger:
    """Part-of-speech tags and lemmas of English texts by NLTK's perceptron, in numpy.

    Parameters
    ----------
    pipeline : Path, optional
        A pipeline's folder, as the training of the pipeline writes it; the bundled one by default.
    """

    def __init__(self, pipeline: Path = BUNDLED) -> None:
        self._weights = perceptron.load(pipeline / perceptron.FILE)
        self._decoder = Decoder(self._weights)
        self._lemmas = _Lemmas(Lemmatizer.load(pipeline))

    def tag(self, texts: Sequence[str]) -> list[Tagged]:
        """Tag texts; one that comes repeatedly is tagged once.

        Parameters
        ----------
        texts : sequence of str
            English texts, cleaned.

        Returns
        -------
        list of Tagged
            Each text's words in order, with tags and lemmas; none where there is but white space.
        """
        found: dict[str, Tagged] = {}
        for batch in _batches(list(dict.fromkeys(texts))):
            split = [split_for_tagging(text) for text in batch]
            tagged = zip(split, self.tag_words(split), strict=True)
            found |= zip(batch, (self._with_lemmas(*pair) for pair in tagged), strict=True)
        return [found[text] for text in texts]

    def tag_words(self, texts: Sequence[Sequence[str]]) -> list[list[str]]:
        """Tag texts that are split into words already."""
        tags = map(self._decoder.classes.__getitem__, self._decoder.decode(texts).tolist())
        return [list(islice(tags, len(text))) for text in texts]

    def as_dicts(self) -> tuple[dict[str, dict[str, float]], dict[str, str], list[str]]:
        """Return the weights as ``nltk.tag.perceptron.PerceptronTagger.decode_json_params`` takes them."""
        return self._weights.as_dicts()

    def _with_lemmas(self, split: list[str], tags: list[str]) -> Tagged:
        return Tagged(split, tags, list(map(self._lemmas.__getitem__, zip(split, tags, strict=True))))


class _Lemmas(dict[tuple[str, str], str]):
    """A cache of lemmas by word and tag; it is emptied when there are too many."""

    def __init__(self, lemmatizer: Lemmatizer) -> None:
        super().__init__()
        self._lemma = lemmatizer.lemma

    def __missing__(self, key: tuple[str, str]) -> str:
        if len(self) >= _LEMMAS:
            self.clear()
        self[key] = lemma = self._lemma(*key)
        return lemma


def _batches(texts: list[str]) -> Iterator[list[str]]:
    """Yield batches of about `_CHARACTERS` in total."""
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= _CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def tagger(model: str = "bundled") -> Tagger:
    """Return the tagger of a model: the fast one for `bundled`, else a spaCy pipeline by name or folder.

    Raises
    ------
    ParamsError
        There is no such pipeline, or it gives no tags.
    """
    if model == "bundled":
        return FastTagger()
    from photocritic.text.spacy_pipeline import SpacyTagger

    return SpacyTagger(model)

"""Words, tags and lemmas for filters that need no syntax, hundreds of thousands of words a second."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from photocritic.text.fast import weights
from photocritic.text.fast.decode import Decoder
from photocritic.text.fast.tokens import words
from photocritic.text.folder import BUNDLED
from photocritic.text.lemmas import Lemmatizer
from photocritic.text.tagged import Tagged

_CHARACTERS = 300_000  # texts are tagged in batches of about so many characters, whose scores fit the cache
_LEMMAS = 1 << 17  # lemmas that are remembered by word and tag


class FastTagger:
    """Part-of-speech tags and lemmas of English texts by NLTK's perceptron, in numpy.

    Parameters
    ----------
    pipeline : Path, optional
        A pipeline's folder, as tools.language.train writes it; the bundled one by default.
    """

    def __init__(self, pipeline: Path = BUNDLED) -> None:
        self._weights = weights.load(pipeline / weights.FILE)
        self._decoder = Decoder(self._weights)
        self._lemmas = _Lemmas(Lemmatizer.read(pipeline))

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
            split = [words(text) for text in batch]
            tagged = zip(split, self.tag_words(split), strict=True)
            found |= zip(batch, (self._with_lemmas(*pair) for pair in tagged), strict=True)
        return [found[text] for text in texts]

    def tag_words(self, texts: Sequence[Sequence[str]]) -> list[list[str]]:
        """Tag texts that are split into words already."""
        tags = map(self._decoder.classes.__getitem__, self._decoder.decode(texts).tolist())
        return [list(islice(tags, len(text))) for text in texts]

    def as_dicts(self) -> tuple[dict[str, dict[str, float]], dict[str, str], list[str]]:
        """Give the weights as ``nltk.tag.perceptron.PerceptronTagger.decode_json_params`` takes them."""
        return self._weights.as_dicts()

    def _with_lemmas(self, split: list[str], tags: list[str]) -> Tagged:
        return Tagged(split, tags, list(map(self._lemmas.__getitem__, zip(split, tags, strict=True))))


class _Lemmas(dict[tuple[str, str], str]):
    """Lemmas by word and tag, made when first asked for; all are forgotten when there are too many."""

    def __init__(self, lemmatizer: Lemmatizer) -> None:
        super().__init__()
        self._lemma = lemmatizer.lemma

    def __missing__(self, key: tuple[str, str]) -> str:
        if len(self) >= _LEMMAS:
            self.clear()
        self[key] = lemma = self._lemma(*key)
        return lemma


def _batches(texts: list[str]) -> Iterator[list[str]]:
    """Cut a list into batches of about `_CHARACTERS`."""
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

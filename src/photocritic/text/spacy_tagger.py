"""Tagging texts with a spaCy pipeline."""

from collections.abc import Iterable, Iterator, Sequence

from photocritic.text import pipeline
from photocritic.text.tagged import Tagged

_NOT_NEEDED = ["upos", "parser", "ner", "entity_linker", "textcat", "senter", "sentencizer"]


class SpacyTagger:
    """Part-of-speech tags and lemmas of English texts by a spaCy pipeline.

    Parameters
    ----------
    model : str
        `bundled`, or a spaCy pipeline with a tagger: the name of an installed one, such as en_core_web_sm, or a folder.

    Raises
    ------
    ParamsError
        There is no such pipeline, or it gives no tags.
    """

    def __init__(self, model: str) -> None:
        self._nlp = pipeline.load(model, needs=["tagger"], without=_NOT_NEEDED)

    def tag(self, texts: Sequence[str]) -> list[Tagged]:
        """Tag texts; one that comes repeatedly is tagged once."""
        return list(self.stream(texts))

    def stream(self, texts: Iterable[str]) -> Iterator[Tagged]:
        """Tag texts in order, a batch at a time."""
        return pipeline.once(texts, self._tag_batch)

    def _tag_batch(self, texts: list[str]) -> Iterator[Tagged]:
        for parts in pipeline.docs(self._nlp, texts):
            tokens = [token for doc in parts for token in doc if not token.is_space]
            yield Tagged(
                [token.text for token in tokens],
                [token.tag_ for token in tokens],
                [(token.lemma_ or token.text).lower() for token in tokens],
            )

"""Load spaCy pipelines, run texts through them, and tag with them; nothing outside this package imports spaCy."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from photocritic.core.errors import ParamsError
from photocritic.text.tagging import Tagged
from photocritic.text.words import BUNDLED

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_BATCH = 1_000  # texts that go through the pipeline together
_REMEMBERED = 20_000  # repeated texts are looked up among the last so many
_REPEATABLE = 100  # characters; what many people write under many photographs is short
_LONGEST = 10_000  # characters; longer texts are cut at white space, so that one text cannot fill the memory
_GIVEN_BY_TRANSFORMERS = "transformer"  # some pipelines give everything in this one component
_NOT_FOR_TAGS = ["upos", "parser", "ner", "entity_linker", "textcat", "senter", "sentencizer"]

Found = TypeVar("Found")


def load(model: str, needs: Sequence[str], without: Sequence[str] = ()) -> "Language":
    """Load a spaCy pipeline.

    Parameters
    ----------
    model : str
        `bundled`, or the name or folder of a pipeline.
    needs : sequence of str
        Components that it must have.
    without : sequence of str
        Components that need not be loaded.

    Raises
    ------
    ParamsError
        There is no such pipeline, or it lacks a component.
    """
    import spacy

    from photocritic.text import components  # noqa: F401 - makes the bundled lemmatizer known to spaCy

    try:
        nlp = spacy.load(BUNDLED if model == "bundled" else model, exclude=without)
    except (OSError, ValueError) as error:
        reason = str(error).split(". ")[0].replace("\n", " ")
        raise ParamsError(
            f"language.model: '{model}' cannot be loaded ({reason}); "
            "use bundled, an installed spaCy pipeline such as en_core_web_sm, or a pipeline's folder"
        ) from None
    missing = [name for name in needs if not nlp.has_pipe(name) and not nlp.has_pipe(_GIVEN_BY_TRANSFORMERS)]
    if missing:
        raise ParamsError(f"language.model: '{model}' has no {' and no '.join(missing)}; use bundled or one that has")
    return nlp


def once(texts: Iterable[str], find: Callable[[list[str]], Iterable[Found]]) -> Iterator[Found]:
    """Compute something for each text in order, streaming; a repeated text is looked up.

    Parameters
    ----------
    texts : iterable of str
        Any number of texts.
    find : callable
        Computes it for each of a list of distinct texts.
    """
    known: OrderedDict[str, Found] = OrderedDict()
    stream = iter(texts)
    while batch := list(islice(stream, _BATCH)):
        new = [text for text in dict.fromkeys(batch) if text not in known]
        found = dict(zip(new, find(new), strict=True))
        for text in batch:
            yield found[text] if text in found else known[text]
        known.update((text, result) for text, result in found.items() if len(text) <= _REPEATABLE)
        while len(known) > _REMEMBERED:
            known.popitem(last=False)


def docs(nlp: "Language", texts: Sequence[str]) -> Iterator[list["Doc"]]:
    """Yield what a pipeline makes of each text; an overlong text comes in several parts.

    The string store forgets the words afterwards, so that memory does not grow: take what you need of a document before
    the next one.
    """
    pieces = [list(_pieces(text)) for text in texts]
    with nlp.memory_zone():
        stream = nlp.pipe(piece for parts in pieces for piece in parts)
        for parts in pieces:
            yield list(islice(stream, len(parts)))


def _pieces(text: str) -> Iterator[str]:
    """Yield the pieces of a text, an overlong one cut at white space, or anywhere where it has none."""
    while len(text) > _LONGEST:
        cut = text.rfind(" ", 1, _LONGEST)
        cut = cut if cut > 0 else _LONGEST
        yield text[:cut]
        text = text[cut:]
    yield text


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
        self._nlp = load(model, needs=["tagger"], without=_NOT_FOR_TAGS)

    def tag(self, texts: Sequence[str]) -> list[Tagged]:
        """Tag texts; one that comes repeatedly is tagged once."""
        return list(self.stream(texts))

    def stream(self, texts: Iterable[str]) -> Iterator[Tagged]:
        """Yield the tagged texts in order, a batch at a time."""
        return once(texts, self._tag_batch)

    def _tag_batch(self, texts: list[str]) -> Iterator[Tagged]:
        for parts in docs(self._nlp, texts):
            tokens = [token for doc in parts for token in doc if not token.is_space]
            yield Tagged(
                [token.text for token in tokens],
                [token.tag_ for token in tokens],
                [(token.lemma_ or token.text).lower() for token in tokens],
            )

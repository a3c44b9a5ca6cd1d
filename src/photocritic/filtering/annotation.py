"""Tags and parses for the filters: made when a filter asks, with the pipeline that params.yaml names."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from photocritic.config import LanguageParams
from photocritic.text import Tagged, Tagger, tagger

if TYPE_CHECKING:
    from photocritic.text import Parser, Word


class Annotator:
    """The language pipeline of a chain of filters; each part is loaded at its first use.

    Parameters
    ----------
    params : LanguageParams
        Which pipeline.

    Raises
    ------
    ParamsError
        At first use, where the pipeline cannot be loaded or lacks what is asked of it.
    """

    def __init__(self, params: LanguageParams) -> None:
        self._model = params.model

    @cached_property
    def _tagger(self) -> Tagger:
        return tagger(self._model)

    @cached_property
    def _parser(self) -> "Parser":
        from photocritic.text import Parser

        return Parser(self._model)

    def tag(self, texts: Sequence[str]) -> list[Tagged]:
        """Give words, Penn Treebank tags and lemmas of each text."""
        return self._tagger.tag(texts) if texts else []

    def parse(self, texts: Sequence[str]) -> "list[list[Word]]":
        """Give the dependency parse and the named entities of each text."""
        return list(self._parser.parse(texts)) if texts else []

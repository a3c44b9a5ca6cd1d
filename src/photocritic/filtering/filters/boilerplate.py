"""What web pages write around an image's description: prefixes and suffixes that are cropped."""

import re
from collections.abc import Iterable
from functools import cached_property

from photocritic.config import Block
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts

ONLY_BOILERPLATE = "only_boilerplate"

# CC names "click to enlarge picture" and "stock photo", and Table 1 shows "- Stock Image"; the rest is of their kind.
_PREFIXES = """click to enlarge picture|click to enlarge image|click to enlarge photo|click to enlarge|click to zoom|
click to view larger image|click here to enlarge|click image to enlarge|click on image to enlarge|enlarge image|
enlarge this image|view larger image|view full size image|stock photo of|stock photo|stock photograph of|
stock photograph|stock image of|stock image|stock footage of|stock illustration of|stock vector of|
royalty free stock photo of|royalty free stock image of|royalty free|free photo of|photo gallery|image gallery|
file photo|file photograph|image may contain"""
_SUFFIXES = """click to enlarge picture|click to enlarge image|click to enlarge photo|click to enlarge|click to zoom|
click image to enlarge|click for larger image|click for details|stock photo|stock photos|stock photograph|
stock photography|stock image|stock images|stock picture|stock pictures|stock illustration|stock footage|stock video|
stock vector|vector stock|royalty free stock photo|royalty free stock image|royalty free stock photography|
royalty free image|royalty free images|royalty-free stock photo|free stock photo|free photo|free download|
photo credit|image credit|image source|getty images|shutterstock|istock|alamy|image courtesy of|photo courtesy of"""
_EDGE = r"[\s\-–—|:;,.()\[\]#/]*"  # punctuation between boilerplate and text


class Boilerplate(Filter):
    """Crops prefixes and suffixes such as "click to enlarge picture" and "- Stock Image"."""

    paper = "CC 3"
    reasons = (ONLY_BOILERPLATE,)
    rejects_styled = True

    class Options(Block):
        """The sequences to crop, in any case; punctuation between them and the text goes as well."""

        prefixes: tuple[str, ...] = tuple(re.split(r"\|\s*", _PREFIXES))
        suffixes: tuple[str, ...] = tuple(re.split(r"\|\s*", _SUFFIXES))

    options: Options

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Crop again and again until nothing is left to crop; a text of nothing else is rejected."""
        texts = [self._cropped(text) for text in batch.texts]
        emptied = [not new and bool(old.strip()) for old, new in zip(batch.texts, texts, strict=True)]
        return Verdicts([ONLY_BOILERPLATE if gone else "" for gone in emptied], texts=texts)

    @cached_property
    def _prefix(self) -> re.Pattern[str]:
        return re.compile(rf"^{_EDGE}(?:{_any(self.options.prefixes)})(?!\w){_EDGE}", re.IGNORECASE)

    @cached_property
    def _suffix(self) -> re.Pattern[str]:
        # As the object of a phrase it is no boilerplate: "she sells a stock photo".
        phrases = [suffix for suffix in self.options.suffixes if " " in suffix]
        parted = rf"\s*[\-–—|:;,.()\[\]#/]{_EDGE}(?:{_any(self.options.suffixes)})"
        follows = rf"(?<!\b(?:an|of|is))(?<!\b(?:the))(?<!\ba)\s+(?:{_any(phrases)})"
        alone = rf"^{_EDGE}(?:{_any(self.options.suffixes)})"
        return re.compile(rf"(?:{parted}|{follows}|{alone}){_EDGE}$", re.IGNORECASE)

    def _cropped(self, text: str) -> str:
        while True:
            shorter = self._suffix.sub("", self._prefix.sub("", text, count=1), count=1)
            if shorter == text:
                return text
            text = shorter.strip()


def _any(sequences: Iterable[str]) -> str:
    longest_first = sorted((one for one in sequences if one.strip()), key=len, reverse=True)
    return "|".join(r"\s+".join(map(re.escape, one.split())) for one in longest_first) or r"(?!)"

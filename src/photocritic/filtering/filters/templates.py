"""Texts that a web page's template made."""

import re
from collections.abc import Iterable
from functools import cached_property

from photocritic.config import Block
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts

TEMPLATE = "template"

# CC names "embedded image permalink" and "profile photo"; the rest is of the same kind.
_BEGINNINGS = """embedded image permalink|profile photo|profile picture|profile image|avatar|user avatar|logo of|
image result for|photo of the day|screenshot of|screen shot of|screen capture|thumbnail|picture of the day|
this image has an empty alt|image not found|no image available|photo not available|default image|placeholder|
related image|embedded video|video thumbnail|share on|follow us|like us on|tap to view|instagram post by|
instagram photo by|tweet media|uploaded by"""
_ENDINGS = """embedded image permalink|profile photo|profile picture|profile image|avatar|logo|thumbnail|screenshot|
's instagram photo|'s profile photo|on instagram|on twitter|on pinterest|on facebook|on flickr|read more|see more|
wallpaper|wallpapers|clipart|clip art|for sale|coming soon|image not found|no image available"""


class Templates(Filter):
    """Rejects texts that begin or end in patterns such as "embedded image permalink" or "profile photo"."""

    paper = "CC 3"
    reasons = (TEMPLATE,)

    class Options(Block):
        """What rejected texts begin or end with, in any case."""

        beginnings: tuple[str, ...] = tuple(re.split(r"\|\s*", _BEGINNINGS))
        endings: tuple[str, ...] = tuple(re.split(r"\|\s*", _ENDINGS))

    options: Options

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by the first and the last words."""
        return Verdicts([TEMPLATE if self._pattern.search(text) else "" for text in batch.texts])

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        first, last = _any(self.options.beginnings), _any(self.options.endings)
        return re.compile(rf"^\W*(?:{first})(?!\w)|(?<!\w)(?:{last})\W*$", re.IGNORECASE)


def _any(sequences: Iterable[str]) -> str:
    return "|".join(r"\s+".join(map(re.escape, one.split())) for one in sequences if one.strip()) or r"(?!)"

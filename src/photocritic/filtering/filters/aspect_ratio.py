"""Photographs of an extreme shape, such as banners."""

from typing import Annotated

from pydantic import Field

from photocritic.config import Block
from photocritic.filtering.comment_batch import CommentBatch, ImageRecord
from photocritic.filtering.filter_interface import Filter, Verdicts

TOO_LONG = "image_too_long"


class AspectRatio(Filter):
    """Rejects comments on images whose larger side is more than twice the smaller."""

    paper = "CC 3"
    reasons = (TOO_LONG,)
    rejects_styled = True

    class Options(Block):
        """The highest ratio of larger to smaller side, inclusive; CC: 2."""

        max_ratio: Annotated[float, Field(ge=1.0)] = 2.0

    options: Options

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by width and height; where they are unknown, as in corpora of text only, the comment passes."""
        return Verdicts([self._reason(batch.images.get(image_id)) for image_id in batch.image_ids])

    def _reason(self, image: ImageRecord) -> str:
        smaller, larger = sorted((image.width, image.height))
        return TOO_LONG if larger > self.options.max_ratio * smaller else ""

"""Photographs too small to learn from."""

from photocritic.config import Block, Positive
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts

TOO_SMALL = "image_too_small"


class ImageSize(Filter):
    """Rejects comments on images with a side of 400 pixels or less."""

    paper = "CC 3"
    reasons = (TOO_SMALL,)
    rejects_styled = True

    class Options(Block):
        """How many pixels both sides must exceed; CC: more than 400."""

        over: Positive = 400

    options: Options

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by the shorter side; where the size is unknown, as in corpora of text only, the comment passes."""
        images = map(batch.images.get, batch.image_ids)
        shorter = [min(image.width, image.height) for image in images]
        return Verdicts([TOO_SMALL if 0 < side <= self.options.over else "" for side in shorter])

"""Photographs that are stored in another format than JPEG."""

from photocritic.config import Block
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts

NOT_JPEG = "not_jpeg"


class JpegOnly(Filter):
    """Rejects comments on images that are not JPEG: on the web these are mostly drawings, logos and buttons."""

    paper = "CC 3"
    reasons = (NOT_JPEG,)
    rejects_styled = True

    class Options(Block):
        """Formats that are kept, as Pillow names them; CC keeps JPEG only."""

        formats: tuple[str, ...] = ("JPEG",)

    options: Options

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by the image's format; where it is unknown, as in corpora of text only, the comment passes."""
        formats = [batch.images.get(image_id).format for image_id in batch.image_ids]
        return Verdicts([NOT_JPEG if known and known not in self.options.formats else "" for known in formats])

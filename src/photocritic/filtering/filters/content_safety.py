"""Photographs with offensive content, by a classifier of the user's own."""

import logging
from functools import cached_property
from typing import Literal

from photocritic.config import Block, Name, Share
from photocritic.filtering import plugin
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts

UNSAFE = "unsafe_image"
_LOG = logging.getLogger(__name__)


class ContentSafety(Filter):
    """Rejects comments on images that a classifier calls pornographic or offensive; without one it rejects nothing."""

    paper = "CC 3"
    reasons = (UNSAFE,)
    rejects_styled = True

    class Options(Block):
        """The classifier, and the highest probability of offence that passes.

        The classifier is the name of a file in plugins/classifiers, or of what an installed package offers: given image
        ids, it gives for each the probability that the image offends. How it comes by it (a model on the pixels, a
        table made beforehand) is its own affair.
        """

        classifier: Literal[""] | Name = ""
        max_probability: Share = 0.5  # CC names its detectors but no threshold

    options: Options

    @cached_property
    def _classifier(self) -> plugin.Ask | None:
        if not self.options.classifier:
            _LOG.warning("content_safety: no classifier is configured, so no image is rejected")
            return None
        return plugin.load(self.options.classifier, "content_safety.classifier")

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Ask the classifier about the images of rows that are still kept, each image once."""
        if self._classifier is None:
            return Verdicts()
        images = sorted({batch.image_ids[row] for row in batch.remaining})
        unsafe = {
            image
            for image, probability in zip(images, self._classifier(images), strict=True)
            if probability > self.options.max_probability
        }
        return Verdicts([UNSAFE if image in unsafe else "" for image in batch.image_ids])

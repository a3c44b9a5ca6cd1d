"""Texts none of whose words names what the image shows."""

from functools import cached_property, lru_cache
from typing import ClassVar, Literal

import pyarrow as pa

from photocritic.config import Block, Name
from photocritic.filtering import plugin
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts
from photocritic.text import STOPWORDS, caption_tokens

NO_OVERLAP = "no_label_in_text"
UNLABELLED = "without_labels"


class ImageText(Filter):
    """Rejects texts none of whose words maps to a class label of the image; images without labels pass."""

    paper = "CC 3"
    reasons = (NO_OVERLAP,)
    adds: ClassVar = {UNLABELLED: pa.bool_()}
    counted: ClassVar = {UNLABELLED: "are on images without labels, and passed unchecked"}

    class Options(Block):
        """Where the labels come from: the images table, or a classifier of your own.

        The classifier is the name of a file in plugins/classifiers, or of what an installed package offers: given image
        ids, it gives each a list of labels (CC: 5 to 20 of about 100,000).
        """

        classifier: Literal[""] | Name = ""

    options: Options

    @cached_property
    def _classifier(self) -> plugin.Ask | None:
        return plugin.load(self.options.classifier, "image_text.classifier") if self.options.classifier else None

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Compare the stems of the labels' words with those of the text, for rows that are still kept."""
        labels = self._labels(batch)
        reasons, unlabelled = [""] * len(batch), [False] * len(batch)
        for row in batch.remaining:
            named = labels[batch.image_ids[row]]
            unlabelled[row] = not named
            if named and named.isdisjoint(_stems(batch.texts[row])):
                reasons[row] = NO_OVERLAP
        return Verdicts(reasons, columns={UNLABELLED: unlabelled})

    def _labels(self, batch: CommentBatch) -> dict[str, frozenset[str]]:
        images = sorted({batch.image_ids[row] for row in batch.remaining})
        if self._classifier is not None:
            labels = self._classifier(images)
        else:
            labels = [batch.images.get(image).labels for image in images]
        return {image: _stems(" ".join(own).replace("_", " ")) for image, own in zip(images, labels, strict=True)}


def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(token) for token in caption_tokens(text.replace("-", " ")) if token not in STOPWORDS)


@lru_cache(maxsize=1 << 17)
def _stem(token: str) -> str:
    from nltk.stem.snowball import EnglishStemmer

    return str(EnglishStemmer().stem(token))

"""Batches of comments for tests of single filters."""

import pyarrow as pa

from photocritic.config import FilterParams, LanguageParams
from photocritic.core.errors import PhotocriticError
from photocritic.filtering import filter_interface
from photocritic.filtering.comment_batch import Annotator, CommentBatch, ImageRecord, ImageTable
from photocritic.filtering.filter_interface import Filter, FittedFilter, apply, observe
from photocritic.filtering.out_of_core import write_arrow

ANNOTATOR = Annotator(LanguageParams())


class KnownImages(ImageTable):
    """Images whose records the test has."""

    def __init__(self, records: dict[str, ImageRecord]) -> None:
        super().__init__(None)
        self._of_test = records

    def get(self, image_id: str) -> ImageRecord:
        return self._of_test.get(image_id) or super().get(image_id)


def image(**known) -> ImageRecord:
    """Return the record of a JPEG of 800 x 600 pixels but for what is said."""
    usual = {"width": 800, "height": 600, "format": "JPEG", "split": "train", "labels": [], "phash": None}
    return ImageRecord(**usual | known)


def batch(texts, images=None, authors=None, styles=None, known=None, start=0, sentences=None) -> CommentBatch:
    """Return a batch of texts, by default each a comment under an image of its own by an author of its own."""
    count = len(texts)
    rows = pa.table(
        {
            "comment_id": [f"c{start + row}" for row in range(count)],
            "image_id": images or [f"i{start + row}" for row in range(count)],
            "author_id": pa.array(authors or [f"a{start + row}" for row in range(count)], pa.string()),
            "text": list(texts),
            "style": pa.array(styles or [None] * count, pa.string()),
            "source": ["test"] * count,
            "sentence": pa.array(sentences or [0] * count, pa.int32()),
        }
    )
    table = KnownImages(known) if known else ImageTable(None)
    return CommentBatch(start, rows, ANNOTATOR, table, list(texts), [""] * count)


def make(name, **options) -> Filter:
    """Return a filter as params.yaml would make it, after one that adds what it reads."""
    before = ["hypernyms"] if "entities" in filter_interface.find(name).reads else []
    return filter_interface.chain(FilterParams(chain=[*before, {name: options}]))[-1]


def judge(rule: Filter, *batches: CommentBatch, folder=None) -> list[CommentBatch]:
    """Fit a filter on batches where it must be, and apply it to them."""
    if isinstance(rule, FittedFilter):
        if folder is None:
            raise PhotocriticError("a filter that is fitted needs a folder")
        observed = [write_arrow(folder / f"{place}.arrow", observe(rule, one)) for place, one in enumerate(batches)]
        fitted = folder / "fitted"
        fitted.mkdir()
        rule.combine(observed, fitted)
        rule.load(fitted)
    return [apply(rule, one) for one in batches]


def reasons(name, texts, folder=None, **options) -> list[str]:
    """Judge texts by one filter and return the reasons."""
    (judged,) = judge(make(name, **options), batch(texts), folder=folder)
    return judged.reasons

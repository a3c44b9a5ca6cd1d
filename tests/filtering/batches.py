"""Batches of comments for tests of single filters."""

import pyarrow as pa

from photocritic.config import FilterParams, LanguageParams
from photocritic.core.errors import PhotocriticError
from photocritic.filtering import registry
from photocritic.filtering.annotation import Annotator
from photocritic.filtering.arrow_io import write
from photocritic.filtering.contract import CommentBatch, Filter, FittedFilter, apply
from photocritic.filtering.pictures import Picture, Pictures

ANNOTATOR = Annotator(LanguageParams())


class KnownPictures(Pictures):
    """Pictures given by the test."""

    def __init__(self, pictures: dict[str, Picture]) -> None:
        super().__init__(None)
        self._known = pictures

    def of(self, image_id: str) -> Picture:
        return self._known.get(image_id) or super().of(image_id)


def picture(**known) -> Picture:
    """Give a JPEG of 800 x 600 pixels but for what is said."""
    usual = {"width": 800, "height": 600, "format": "JPEG", "split": "train", "labels": [], "phash": None}
    return Picture(**usual | known)


def batch(texts, images=None, authors=None, styles=None, pictures=None, start=0) -> CommentBatch:
    """Make a batch of texts, by default each under an image of its own by an author of its own."""
    count = len(texts)
    rows = pa.table(
        {
            "comment_id": [f"c{start + row}" for row in range(count)],
            "image_id": images or [f"i{start + row}" for row in range(count)],
            "author_id": pa.array(authors or [f"a{start + row}" for row in range(count)], pa.string()),
            "text": list(texts),
            "style": pa.array(styles or [None] * count, pa.string()),
            "source": ["test"] * count,
        }
    )
    known = KnownPictures(pictures) if pictures else Pictures(None)
    blank = [""] * count
    return CommentBatch(start, rows, ANNOTATOR, known, list(texts), [0.0] * count, blank, blank, [[] for _ in texts])


def make(name, **options) -> Filter:
    """Make a filter as params.yaml would."""
    (made,) = registry.chain(FilterParams(chain=[{name: options}]))
    return made


def judge(rule: Filter, *batches: CommentBatch, folder=None) -> list[CommentBatch]:
    """Fit a filter on batches where it must be, and apply it to them."""
    if isinstance(rule, FittedFilter):
        if folder is None:
            raise PhotocriticError("a filter that is fitted needs a folder")
        observed = [write(folder / f"{place}.arrow", rule.observe(one)) for place, one in enumerate(batches)]
        fitted = folder / "fitted"
        fitted.mkdir()
        rule.combine(observed, fitted)
        rule.load(fitted)
    return [apply(rule, one) for one in batches]


def reasons(name, texts, folder=None, **options) -> list[str]:
    """Judge texts by one filter and give the reasons."""
    (judged,) = judge(make(name, **options), batch(texts), folder=folder)
    return judged.reasons

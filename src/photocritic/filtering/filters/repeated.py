"""Captions in repetition: what several people write under distinctly different photographs (Déjà's key idea)."""

from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import Field

from photocritic.config import Block, FilterParams, Positive
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import FittedFilter, Verdicts
from photocritic.filtering.out_of_core import ROW, decide_by_group, load_decisions
from photocritic.filtering.repetition import MAX_DISTANCE, count_repetition
from photocritic.text import canonical_form

NO_FORM, UNREPEATED, SAME_IMAGE = "no_canonical_form", "not_repeated", "repeated_on_one_image"

_DECIDED = [ROW, "form", "reason"]
_OBSERVED = pa.schema(
    [
        pa.field(ROW, pa.int64()),
        pa.field("form", pa.string()),
        pa.field("author", pa.string()),
        pa.field("image", pa.string()),
        pa.field("phash", pa.int64()),
        pa.field("fits", pa.bool_()),
    ]
)


class Repeated(FittedFilter):
    """Rejects texts whose canonical form is not repeated by several authors under several images.

    Where authors are unknown, each different image stands for one. Where `filter.fit` is `train`, only the authors and
    images of the training split count.
    """

    paper = "Déjà 2"
    reasons = (NO_FORM, UNREPEATED, SAME_IMAGE)
    adds: ClassVar = {"form": pa.string()}
    decides = True

    class Options(Block):
        """How many authors and images must repeat a form, and how alike two images are that count as one.

        `max_distance` is in bits of the 64 of a perceptual hash: copies of a photograph differ in few, different
        photographs in half of them.
        """

        authors: Positive = 2
        images: Positive = 2
        max_distance: Annotated[int, Field(ge=0, le=64)] = MAX_DISTANCE

    options: Options

    def __init__(self, options: Block, params: FilterParams) -> None:
        super().__init__(options, params)
        self._folder = Path()

    def observe(self, batch: CommentBatch) -> pa.Table:
        """Return the canonical forms of the texts that earlier filters let through, with their authors and images."""
        tagged, styled = batch.tagged(), batch.styled
        rows = [row for row in batch.remaining if not styled[row]]
        images = [batch.image_ids[row] for row in rows]
        hashes = {image: batch.images.get(image).phash for image in dict.fromkeys(images)}
        fits = self.learns_from(batch)
        columns = [
            pa.array([batch.start + row for row in rows], pa.int64()),
            pa.array([canonical_form(tagged[row]) for row in rows], pa.string()),
            batch.rows.column("author_id").take(pa.array(rows, pa.int64())).combine_chunks(),
            pa.array(images, pa.string()),
            pa.array([hashes[image] for image in images], pa.int64()),
            pa.array([fits[row] for row in rows], pa.bool_()),
        ]
        return pa.table(columns, schema=_OBSERVED)

    def combine(self, observed: list[Path], folder: Path) -> None:
        """Decide on each form with all of its texts."""
        decide_by_group(observed, "form", self._decide, folder)

    def load(self, folder: Path) -> None:
        """Keep the folder of the decisions; each batch reads its own."""
        self._folder = folder

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Look up each text's form and what was decided on it."""
        forms: list[str | None] = [None] * len(batch)
        reasons = [""] * len(batch)
        decided = load_decisions(self._folder, batch.start, len(batch))
        if decided is not None:
            rows, *values = (column.to_pylist() for column in decided.columns)
            for row, form, reason in zip(rows, *values, strict=True):
                forms[row - batch.start], reasons[row - batch.start] = form or None, reason
        return Verdicts(reasons, columns={"form": forms})

    def _decide(self, table: pa.Table) -> pa.Table:
        """Decide on whole groups: every row of a form has the same reason."""
        coded = table.column("form").combine_chunks().dictionary_encode()
        forms = coded.indices.to_numpy().astype(np.int64)
        fits, options = table.column("fits"), self.options
        learned = table.filter(fits)
        authors, images = count_repetition(
            forms[fits.to_numpy()], len(coded.dictionary),
            learned.column("author"), learned.column("image"), learned.column("phash"),
            (options.authors, options.images), options.max_distance,
        )  # fmt: skip
        verdict = np.where(authors < self.options.authors, 1, np.where(images < self.options.images, 2, 0))
        verdict[pc.equal(coded.dictionary, "").to_numpy(zero_copy_only=False)] = 3
        reasons = pa.array(["", UNREPEATED, SAME_IMAGE, NO_FORM]).take(pa.array(verdict[forms]))
        return pa.table([table.column(ROW), table.column("form"), reasons], _DECIDED)

"""What is judged: comments, or each of their sentences (`filter.unit`)."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import pyarrow as pa

from photocritic import tables
from photocritic.text import Tagged, split_sentences

Unit = Literal["comment", "sentence"]

_MOST = 200  # sentences of a comment; the last one has all that follows, so that memory is bounded by the batch


def split_comments(comments: pa.Table, unit: Unit, tag: Callable[[Sequence[str]], list[Tagged]]) -> pa.Table:
    """Return the rows that are judged, a row a comment or a sentence.

    Stylised captions stay whole: they are no factual captions, and what is learned from them is their style.

    Parameters
    ----------
    comments : pyarrow.Table
        Rows of the comments table.
    unit : str
        comment or sentence.
    tag : callable
        Returns words and tags of texts (`Annotator.tag`).

    Returns
    -------
    pyarrow.Table
        The columns of the comments table and `sentence` (int32), the place in the comment from 0 on; `text` is the
        sentence as it was written. Each comment has a row at least.
    """
    split = [[text] for text in comments.column("text").to_pylist()]
    if unit == "sentence":
        plain = np.flatnonzero(tables.UNSTYLED.mask(comments))
        for row, sentences in zip(plain, split_sentences([split[row][0] for row in plain], tag, _MOST), strict=True):
            split[row] = sentences
    counts = np.array([len(sentences) for sentences in split], np.int64)
    places = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    repeated = comments.take(pa.array(np.repeat(np.arange(len(split)), counts)))
    texts = pa.array([sentence for some in split for sentence in some], pa.string())
    place, field = comments.schema.get_field_index("text"), comments.schema.field("text")
    return (
        repeated.set_column(place, field, texts)
        .append_column("sentence", pa.array(places, pa.int32()))
        .combine_chunks()
    )

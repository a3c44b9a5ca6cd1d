"""The captions of a corpus with their forms: what captions that say the same share."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from photocritic import tables
from photocritic.config import CaptionForm
from photocritic.filtering.out_of_core import ROW, write_arrow
from photocritic.text import Tagger, canonical_form, content_form, tag_titles_again

OBSERVED = pa.schema(
    [
        pa.field(ROW, pa.int64()),
        *(pa.field(name, pa.string()) for name in ("form", "image_id", "author_id", "comment_id", "text")),
    ]
)
_COLUMNS = ["comment_id", "image_id", "author_id", "cleaned", "form"]
_BATCH = 10_000  # captions that are tagged together


def write_observed(captions: Path, form: CaptionForm, tagger: Tagger, folder: Path) -> Iterator[Path]:
    """Write the kept captions in no style that have a form to Arrow files, and yield these.

    Parameters
    ----------
    captions : Path
        The captions table. Its canonical forms are taken where it has them.
    form : {"canonical", "content"}
        `text.canonical_form` or `text.content_form`.
    tagger : Tagger
        Tags the captions whose forms are computed.
    folder : Path
        Where the files are written; their schema is `OBSERVED`.
    """
    start = 0
    for number, batch in enumerate(tables.scan("captions", captions, _COLUMNS, tables.FACTUAL, rows=_BATCH)):
        forms = _content_forms(batch, tagger) if form == "content" else _canonical_forms(batch, tagger)
        rows = pa.array(np.arange(start, start + batch.num_rows))
        start += batch.num_rows
        others = (batch[name] for name in ("image_id", "author_id", "comment_id", "cleaned"))
        table = pa.table([rows, forms, *others], schema=OBSERVED)
        yield write_arrow(folder / f"{number:06d}.arrow", table.filter(pc.not_equal(forms, "")))


def _canonical_forms(captions: pa.RecordBatch, tagger: Tagger) -> pa.Array:
    """Return the forms (B,), those that the filter `repeated` has left as they are."""
    known = captions["form"]
    computed = [canonical_form(tagged) for tagged in tagger.tag(_texts(captions.filter(known.is_null())))]
    return pc.replace_with_mask(known, known.is_null(), pa.array(computed, pa.string()))


def _content_forms(captions: pa.RecordBatch, tagger: Tagger) -> pa.Array:
    """Return the forms (B,); they are made of tags, which capitals of titles mislead."""
    texts = _texts(captions)
    tagged = tag_titles_again(texts, tagger.tag(texts), tagger.tag)
    return pa.array([content_form(one) for one in tagged], pa.string())


def _texts(captions: pa.RecordBatch) -> Sequence[str]:
    texts: list[str] = captions["cleaned"].to_pylist()
    return texts

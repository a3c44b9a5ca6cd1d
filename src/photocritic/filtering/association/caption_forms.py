"""The captions of a corpus with their forms: what captions that say the same share."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from photocritic import tables
from photocritic.config import AssociateParams
from photocritic.filtering.out_of_core import ROW, write_arrow
from photocritic.text import Tagger, canonical_form, content_form, split_sentences, tag_titles_again

OBSERVED = pa.schema(
    [
        pa.field(ROW, pa.int64()),
        *(pa.field(name, pa.string()) for name in ("form", "image_id", "author_id", "comment_id", "text")),
    ]
)
_COLUMNS = ["comment_id", "image_id", "author_id", "cleaned", "form"]
_BATCH = 10_000  # captions that are tagged together


def write_observed(captions: Path, params: AssociateParams, tagger: Tagger, folder: Path) -> Iterator[Path]:
    """Write the kept captions in no style, or their sentences, that have a form to Arrow files, and yield these.

    Parameters
    ----------
    captions : Path
        The captions table. Its canonical forms are taken where it has them.
    params : AssociateParams
        Whether sentences have forms of their own, and which: `text.canonical_form` or `text.content_form`.
    tagger : Tagger
        Tags the captions whose forms are computed.
    folder : Path
        Where the files are written; their schema is `OBSERVED`.
    """
    start = 0
    for number, batch in enumerate(tables.scan("captions", captions, _COLUMNS, tables.FACTUAL, rows=_BATCH)):
        units = _sentences(batch, tagger) if params.unit == "sentence" else batch
        forms = _content_forms(units, tagger) if params.form == "content" else _canonical_forms(units, tagger)
        rows = pa.array(np.arange(start, start + units.num_rows))
        start += units.num_rows
        others = (units[name] for name in ("image_id", "author_id", "comment_id", "cleaned"))
        table = pa.table([rows, forms, *others], schema=OBSERVED)
        yield write_arrow(folder / f"{number:06d}.arrow", table.filter(pc.not_equal(forms, "")))


def _sentences(captions: pa.RecordBatch, tagger: Tagger) -> pa.RecordBatch:
    """Return a row a sentence; where a caption has several, none has a canonical form yet."""
    split = split_sentences(_texts(captions), tagger.tag)
    counts = np.array([len(sentences) for sentences in split], np.int64)
    repeated = captions.take(pa.array(np.repeat(np.arange(len(split)), counts)))
    texts = pa.array([sentence for sentences in split for sentence in sentences], pa.string())
    forms = pc.if_else(pa.array(np.repeat(counts, counts) == 1), repeated["form"], pa.scalar(None, pa.string()))
    others = (repeated[name] for name in ("comment_id", "image_id", "author_id"))
    return pa.RecordBatch.from_arrays([*others, texts, forms], _COLUMNS)


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

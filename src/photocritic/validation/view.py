"""What a suite looks at: a bounded sample of a table, with nested columns told in plain ones."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from photocritic.validation import conspicuous

if TYPE_CHECKING:
    import pandas as pd
    from great_expectations.expectations.expectation import Expectation

MAX_ROWS = 100_000  # rows of a sample; Great Expectations is slow on more
SOURCES = 20  # that comments may have, however few their authors are
BATCH = 50_000  # rows looked at together ...
NUMBERS = 8_000_000  # ... and the numbers of their vectors and grids: 32 MB


def view(path: Path, keys: Sequence[str] = (), suite: "Sequence[Expectation]" = ()) -> "pd.DataFrame":
    """Read the part of a Parquet file that its suite checks.

    Parameters
    ----------
    path : Path
        The Parquet file.
    keys : sequence of str
        The columns that tell its rows apart.
    suite : sequence of Expectation
        Its checks.

    Returns
    -------
    pandas.DataFrame
        All rows of a table of at most `MAX_ROWS`; of a larger one so many evenly spread rows, and a few of those that
        fail a check (see `conspicuous`), so that one bad row among millions is among them. A vector column `v` becomes
        `v_min`, `v_max` and `v_sum` (null where a number is not finite), and a list its length (null where it or a
        value of it is null). Columns of truth values are added where they can tell something:
        `grid_is_finite`, which holds where there is none; `verdict_is_consistent`: exactly the rejected rows have a
        reason; `phash_is_of_an_image`: nothing but an image at hand has a perceptual hash; `tokens_are_of_the_text`: no
        word of a caption is from elsewhere; `texts_are_more_than_sources`, `sources_are_few`: the columns are not
        swapped; `text_is_decoded_rightly`: it is not UTF-8 that was read as something else. `not_utf8` names the column
        whose text is not UTF-8.

    Raises
    ------
    pyarrow.ArrowException, OSError
        The file is damaged.
    """
    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        rows = file.metadata.num_rows
        step = -(-rows // MAX_ROWS) if rows else 1
        twice = conspicuous.repeated(path, keys) if step > 1 and keys else np.empty(0, np.int64)
        first = next(file.iter_batches(batch_size=1), None)
        pieces, seen = [_plain(file.schema_arrow.empty_table(), first)], 0
        for batch in file.iter_batches(batch_size=_at_once(file.schema_arrow)):
            piece = _plain(pa.table(batch), first)
            if step > 1:
                odd = twice[(twice >= seen) & (twice < seen + batch.num_rows)] - seen
                even = np.arange((-seen) % step, batch.num_rows, step)
                piece = piece.take(np.union1d(np.union1d(even, odd), conspicuous.places(piece, suite)))
            seen += batch.num_rows
            pieces.append(piece)
    frame: pd.DataFrame = _with_sources(_with_vectors(pa.concat_tables(pieces))).to_pandas()
    return frame


def _at_once(schema: pa.Schema) -> int:
    """Give how many rows are looked at together, so that their numbers fit into memory."""
    numbers = sum(_width(field.type) for field in schema)
    return max(1, min(BATCH, NUMBERS // max(1, numbers)))


def _width(kind: pa.DataType) -> int:
    """Count the numbers of a row in a column of vectors or grids; other columns have none."""
    if not pa.types.is_fixed_size_list(kind):
        return 0
    return int(kind.list_size) * max(1, _width(kind.value_type))


def _plain(table: pa.Table, first: pa.RecordBatch | None) -> pa.Table:
    """Tell nested columns in plain ones, without any list; `first` is the file's first row."""
    table = _with_words(_with_fingerprints(_with_verdicts(_with_readable_texts(table))))
    if "vector" in table.column_names:
        table = _with_grid(_with_difference(table, first))
    for name in table.column_names:
        column = table.column(name)
        if pa.types.is_fixed_size_list(column.type):
            table = _told_in_numbers(table.drop_columns(name), name, _numbers(column.combine_chunks()))
        elif pa.types.is_list(column.type):
            table = table.set_column(table.column_names.index(name), name, _lengths(column.combine_chunks()))
    return table


def _told_in_numbers(table: pa.Table, name: str, matrix: NDArray[np.floating]) -> pa.Table:
    finite = np.isfinite(matrix).all(axis=1)
    for suffix, numbers in (("min", matrix.min(axis=1)), ("max", matrix.max(axis=1)), ("sum", matrix.sum(axis=1))):
        table = table.append_column(f"{name}_{suffix}", pa.array(numbers, type=pa.float64(), mask=~finite))
    return table


def _with_difference(table: pa.Table, first: pa.RecordBatch | None) -> pa.Table:
    """Tell which vectors differ from the first row's."""
    vectors = _numbers(table.column("vector").combine_chunks())
    differ = np.empty(0, np.bool_) if first is None else (vectors != _numbers(first["vector"])).any(axis=1)
    return table.append_column("vector_differs", pa.array(differ, pa.bool_()))


def _with_vectors(table: pa.Table) -> pa.Table:
    """Tell of the table whether any two of its vectors differ, where a row told whether it differs from the first."""
    if "vector_differs" not in table.column_names:
        return table
    differ = table.num_rows < 2 or bool(pc.any(table.column("vector_differs")).as_py())
    column = pa.array(np.full(table.num_rows, differ))
    return table.drop_columns("vector_differs").append_column("vectors_differ", column)


def _numbers(lists: pa.FixedSizeListArray) -> NDArray[np.floating]:
    """Give the numbers of each row, nested ones side by side; those of a null are not numbers."""
    inner, there = lists.flatten(), np.asarray(lists.is_valid())
    nested = pa.types.is_fixed_size_list(inner.type)
    flat = _numbers(inner) if nested else np.asarray(inner.to_numpy(zero_copy_only=False)).reshape(-1, 1)
    width = lists.type.list_size * flat.shape[1]
    found = np.full((len(lists), width), np.nan, flat.dtype)
    found[there] = flat.reshape(-1, width)
    return found


def _lengths(lists: pa.ListArray) -> pa.Array:
    has_null = np.zeros(len(lists), dtype=bool)
    if lists.flatten().null_count:
        has_null[np.asarray(pc.list_parent_indices(lists).filter(pc.is_null(lists.flatten())))] = True
    return pc.if_else(pa.array(has_null), None, pc.list_value_length(lists))


def _with_grid(table: pa.Table) -> pa.Table:
    finite = np.ones(table.num_rows, dtype=bool)
    if "grid" in table.column_names:
        finite = np.isfinite(_numbers(table.column("grid").combine_chunks())).all(axis=1)
        table = table.drop_columns("grid")
    return table.append_column("grid_is_finite", pa.array(finite))


def _with_readable_texts(table: pa.Table) -> pa.Table:
    """Write bytes that are not UTF-8 as escapes, and tell which columns have such."""
    wrong = [""] * table.num_rows
    for place, name in enumerate(table.column_names):
        column = table.column(name)
        if not pa.types.is_string(column.type) or _is_utf8(column):
            continue
        texts = column.cast(pa.binary()).to_pylist()
        told = [text if text is None else text.decode(errors="backslashreplace") for text in texts]
        table = table.set_column(place, table.schema.field(place), pa.array(told, pa.string()))
        for row, (text, shown) in enumerate(zip(texts, told, strict=True)):
            wrong[row] = name if text is not None and text != (shown or "").encode() else wrong[row]
    return table.append_column("not_utf8", pa.array(wrong, pa.string()))


def _is_utf8(column: pa.ChunkedArray) -> bool:
    try:
        column.cast(pa.binary()).cast(pa.string())
    except pa.ArrowInvalid:
        return False
    return True


def _with_verdicts(table: pa.Table) -> pa.Table:
    for verdict in ("kept", "accepted"):
        if verdict in table.column_names and "reason" in table.column_names:
            kept = pc.fill_null(table.column(verdict), False)
            silent = pc.equal(pc.fill_null(table.column("reason"), ""), "")
            table = table.append_column("verdict_is_consistent", pc.equal(kept, silent))
    return table


def _with_fingerprints(table: pa.Table) -> pa.Table:
    if {"phash", "path"}.issubset(table.column_names):
        is_text_only = pc.equal(pc.fill_null(table.column("path"), ""), "")
        has_none = pc.is_null(table.column("phash"))
        table = table.append_column("phash_is_of_an_image", pc.or_(pc.invert(is_text_only), has_none))
    return table


def _with_words(table: pa.Table) -> pa.Table:
    """Tell whether a caption's words stand in its text, but for apostrophes, which are written in several ways."""
    if "tokens" not in table.column_names or not pa.types.is_list(table.column("tokens").type):
        return table  # the number of a caption's words
    texts = ((text or "").lower().replace("’", "'") for text in table.column("cleaned").to_pylist())
    words = table.column("tokens").to_pylist()
    own = [all(word in text for word in some or () if word) for text, some in zip(texts, words, strict=True)]
    return table.append_column("tokens_are_of_the_text", pa.array(own, pa.bool_()))


def _with_sources(table: pa.Table) -> pa.Table:
    """Tell whether what was written differs more than where it was written, as it does unless the two are swapped."""
    if not {"text", "source"}.issubset(table.column_names):
        return table
    from ftfy.badness import is_bad

    texts = (text or "" for text in table.column("text").to_pylist())
    table = table.append_column("text_is_decoded_rightly", pa.array([not is_bad(text) for text in texts], pa.bool_()))
    different = {name: len(table.column(name).unique().drop_null()) for name in table.column_names}
    told = {"texts_are_more_than_sources": different["text"] >= different["source"]}
    if different.get("author_id"):
        told["sources_are_few"] = different["source"] <= max(SOURCES, different["author_id"])
    for name, holds in ({"sources_are_few": True} | told).items():
        table = table.append_column(name, pa.array(np.full(table.num_rows, holds)))
    return table

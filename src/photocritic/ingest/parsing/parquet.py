"""Image-text pairs in Parquet, as img2dataset and data set hubs write them.

A few bytes of Parquet can stand for gigabytes of rows: a value is written once and repeated by its number. So texts are
read with their repetitions as numbers, images one row at a time, and no value is made a row of that is too long.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from photocritic.core.errors import CorpusError
from photocritic.core.limits import BATCH_BYTES, IMAGE_BYTES, MIB, ROW_BYTES
from photocritic.ingest.parsing.encoding import open_regular
from photocritic.ingest.records import Comment, Image, Kind, Record, Rejected, described, printable

_IMAGES = ("jpg", "jpeg", "png", "webp", "image")  # columns of bytes, or of a structure with bytes
_CAPTIONS = ("caption", "text")
_DOWNLOAD = {"key", "url", "status", "error_message"}  # in which img2dataset records how the download of a row went
_BATCH = 1_024  # rows of texts held at a time; of those with images one
_BUFFER = 1 << 20  # bytes of a column that are read ahead


@dataclass(frozen=True, slots=True)
class _Unusable:
    """A value that is neither a text nor an image where one is expected, and the reason."""

    reason: str
    content: str

    def rejected(self, path: Path, position: str, kind: Kind, image_id: str | None = None) -> Rejected:
        return Rejected(
            source=path.name,
            position=position,
            kind=kind,
            reason=self.reason,
            content=self.content,
            image_id=image_id,
        )


def has_images(path: Path) -> bool:
    """Return whether a Parquet file holds images, and not only addresses or how downloads went."""
    return not _columns(path).isdisjoint(_IMAGES)


def read_pairs(path: Path) -> Iterator[Record]:
    """Stream a Parquet file with an image's bytes and caption in each row."""
    found = _columns(path)
    images = next(name for name in _IMAGES if name in found)
    captions = next((name for name in _CAPTIONS if name in found), "")
    suffix = "jpg" if images == "image" else images
    for row, values in _rows(path, sorted(found & {images, captions, *_DOWNLOAD}), images):
        data, position = values[images], f"row {row}"
        key = _text(values.get("key")) or f"{path.stem}-{row:06d}"
        image_id = f"{key}.{suffix}"
        if isinstance(data, _Unusable):
            yield data.rejected(path, position, "image", image_id)
        elif data is None:
            yield _not_downloaded(path, key, values)
        else:
            yield Image(image_id=image_id, data=data, source=path.name, position=position)
            yield from _comment(values.get(captions), image_id, path, position)


def _comment(caption: Any, image_id: str, path: Path, position: str) -> Iterator[Comment | Rejected]:
    if isinstance(caption, _Unusable):
        yield caption.rejected(path, position, "comment")
    elif caption is not None:
        yield Comment(image_id=image_id, text=_text(caption), source=path.name, position=position)


def read_failures(path: Path) -> Iterator[Rejected]:
    """Stream from the Parquet file beside a shard the images that could not be downloaded."""
    columns = _columns(path) & _DOWNLOAD
    if "status" not in columns:
        return
    for row, values in _rows(path, sorted(columns)):
        if _text(values["status"]) != "success":
            yield _not_downloaded(path, _text(values.get("key")) or f"row {row}", values)


def read_addresses(path: Path) -> Iterator[tuple[str, str, str] | Rejected]:
    """Stream the position, caption and address of each row of a Parquet file without images.

    Raises
    ------
    CorpusError
        It has no columns of captions and addresses.
    """
    found = _columns(path)
    captions = next((name for name in _CAPTIONS if name in found), None)
    if captions is None or "url" not in found:
        raise CorpusError(f"{path}: no columns 'caption' and 'url', and no images; found {_listed(found)}")
    for row, values in _rows(path, [captions, "url"]):
        position = f"row {row}"
        bad = next((value for value in values.values() if isinstance(value, _Unusable)), None)
        if bad:
            yield bad.rejected(path, position, "comment")
        else:
            yield position, _text(values[captions]), _text(values["url"])


def _listed(columns: set[str]) -> str:
    return printable(", ".join(sorted(columns)))[:500]


def _columns(path: Path) -> set[str]:
    open_regular(path).close()
    try:
        return set(pq.read_schema(path).names)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise CorpusError(f"{path}: not a readable Parquet file: {_line(error)}") from None


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]


def _rows(path: Path, columns: list[str], images: str = "") -> Iterator[tuple[int, dict[str, Any]]]:
    row = 0
    try:
        metadata = pq.read_metadata(path)
        numbered = _repeatable(metadata, {*columns, f"{images}.bytes"})
        with pq.ParquetFile(path, metadata=metadata, read_dictionary=numbered, buffer_size=_BUFFER) as file:
            for batch in file.iter_batches(batch_size=_batch(metadata), columns=columns, use_threads=False):
                found = {name: _values(batch.column(name), name == images) for name in columns}
                for place in range(batch.num_rows):
                    yield row, {name: values[place] for name, values in found.items()}
                    row += 1
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        what = "its rows need too much memory" if isinstance(error, MemoryError) else f"damaged: {_line(error)}"
        raise CorpusError(f"{path}: after row {row}: {what}") from None


def _repeatable(metadata: Any, wanted: set[str]) -> list[str]:
    """List the columns of texts or bytes, whose values may be written once and repeated by their number."""
    columns = (metadata.schema.column(number) for number in range(metadata.num_columns))
    return [column.path for column in columns if column.path in wanted and column.physical_type == "BYTE_ARRAY"]


def _batch(metadata: Any) -> int:
    """Choose how many rows are read at a time, of what the file says about their sizes."""
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    largest = max((group.total_byte_size / max(group.num_rows, 1) for group in groups), default=1.0)
    return int(min(max(BATCH_BYTES / max(largest, 1.0), 1), _BATCH))


def _values(column: pa.Array, is_image: bool) -> list[Any]:
    """Return the values of a column as bytes, numbers or None; what is too long or of another kind is unusable."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        used = pc.unique(column.indices.drop_null())
        known = dict(zip(used.to_pylist(), _values(column.dictionary.take(used), is_image), strict=True))
        return [None if place is None else known[place] for place in column.indices.to_pylist()]
    if is_image and pa.types.is_struct(kind):
        names = [field.name for field in kind]
        return _values(pc.struct_field(column, "bytes"), True) if names.count("bytes") == 1 else [None] * len(column)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        # As bytes, so that a text that is not UTF-8 costs one row and not the file.
        column = column.cast(pa.large_binary() if pa.types.is_large_string(kind) else pa.binary())
    if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
        return _bounded(column, is_image)
    if pa.types.is_null(kind) or (pa.types.is_integer(kind) and not is_image):
        return list(column.to_pylist())
    return [_other(column, place, is_image) for place in range(len(column))]


def _bounded(column: pa.Array, is_image: bool) -> list[Any]:
    lengths = pc.binary_length(column)
    most = IMAGE_BYTES if is_image else ROW_BYTES
    if (pc.max(lengths).as_py() or 0) <= most:
        return list(column.to_pylist())
    what = f"{'image too large' if is_image else 'text too long'}: more than {most // MIB} MB"
    beginnings = pc.binary_slice(column, 0, 200)
    return [
        _Unusable(what, "" if is_image else printable(_text(beginnings[place].as_py())))
        if (length or 0) > most
        else column[place].as_py()
        for place, length in enumerate(lengths.to_pylist())
    ]


def _other(column: pa.Array, place: int, is_image: bool) -> Any:
    if not column[place].is_valid or is_image:
        return None
    content = described(column[place].as_py()) if column.nbytes <= ROW_BYTES else "too long to show"
    return _Unusable(f"malformed row: its text is of the type {printable(str(column.type))[:100]}", content)


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode(errors="surrogateescape")
    return "" if value is None or isinstance(value, _Unusable) else str(value)


def _not_downloaded(path: Path, position: str, values: dict[str, Any]) -> Rejected:
    detail = _text(values.get("error_message")) or _text(values.get("status")) or "no bytes"
    return Rejected(
        source=path.name,
        position=printable(position),
        kind="image",
        reason=f"not downloaded: {printable(detail)}",
        content=printable(_text(values.get("url")) or position),
    )

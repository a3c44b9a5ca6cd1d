"""Image-text pairs in Parquet, as img2dataset and data set hubs write them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from photocritic.corpus.records import Comment, Image, Record, Rejected, printable
from photocritic.errors import CorpusError

_IMAGES = ("jpg", "jpeg", "png", "webp", "image")  # columns of bytes, or of a structure with bytes
_CAPTIONS = ("caption", "text")
_DOWNLOAD = {"key", "url", "status", "error_message"}  # how img2dataset tells what became of a row
_BATCH = 64  # rows, each with an image, held at a time


def has_images(path: Path) -> bool:
    """Tell whether a Parquet file holds images, and not only addresses or how downloads went."""
    return not _columns(path).isdisjoint(_IMAGES)


def read_pairs(path: Path) -> Iterator[Record]:
    """Stream a Parquet file with an image's bytes and caption in each row."""
    found = _columns(path)
    images = next(name for name in _IMAGES if name in found)
    captions = next((name for name in _CAPTIONS if name in found), "")
    suffix = "jpg" if images == "image" else images
    for row, values in _rows(path, sorted(found & {images, captions, *_DOWNLOAD})):
        data = _bytes(values[images])
        key = _text(values.get("key")) or f"{path.stem}-{row:06d}"
        if data is None:
            yield _not_downloaded(path, key, values)
            continue
        image_id = f"{key}.{suffix}"
        yield Image(image_id=image_id, data=data, source=path.name, position=f"row {row}")
        if values.get(captions) is not None:
            caption = _text(values[captions])
            yield Comment(image_id=image_id, text=caption, source=path.name, position=f"row {row}")


def read_failures(path: Path) -> Iterator[Rejected]:
    """Stream from the Parquet file beside a shard the images that could not be downloaded."""
    columns = _columns(path) & _DOWNLOAD
    if "status" not in columns:
        return
    for row, values in _rows(path, sorted(columns)):
        if _text(values["status"]) != "success":
            yield _not_downloaded(path, _text(values.get("key")) or f"row {row}", values)


def read_addresses(path: Path) -> Iterator[tuple[str, str, str]]:
    """Stream the position, caption and address of each row of a Parquet file without images.

    Raises
    ------
    CorpusError
        It has no columns of captions and addresses.
    """
    found = _columns(path)
    captions = next((name for name in _CAPTIONS if name in found), None)
    if captions is None or "url" not in found:
        raise CorpusError(f"{path}: no columns 'caption' and 'url', and no images; found {', '.join(sorted(found))}")
    for row, values in _rows(path, [captions, "url"]):
        yield f"row {row}", _text(values[captions]), _text(values["url"])


def _columns(path: Path) -> set[str]:
    try:
        return set(pq.read_schema(path).names)
    except (pa.ArrowException, OSError) as error:
        raise CorpusError(f"{path}: not a readable Parquet file: {' '.join(str(error).split())}") from None


def _rows(path: Path, columns: list[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    row = 0
    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=_BATCH, columns=columns):
                for values in _as_bytes(batch).to_pylist():
                    yield row, values
                    row += 1
    except (pa.ArrowException, OSError) as error:
        raise CorpusError(f"{path}: damaged after row {row}: {' '.join(str(error).split())}") from None


def _as_bytes(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Take texts as bytes, so that one that is not UTF-8 costs one row and not the file."""
    texts = [pa.types.is_string(kind) or pa.types.is_large_string(kind) for kind in batch.schema.types]
    columns = [column.cast(pa.binary()) if text else column for column, text in zip(batch.columns, texts, strict=True)]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode(errors="surrogateescape")
    return "" if value is None else str(value)


def _bytes(value: Any) -> bytes | None:
    data = value.get("bytes") if isinstance(value, dict) else value
    return data if isinstance(data, bytes) else None


def _not_downloaded(path: Path, position: str, values: dict[str, Any]) -> Rejected:
    detail = _text(values.get("error_message")) or _text(values.get("status")) or "no bytes"
    return Rejected(
        source=path.name,
        position=printable(position),
        kind="image",
        reason=f"not downloaded: {printable(detail)}",
        content=printable(_text(values.get("url")) or position),
    )

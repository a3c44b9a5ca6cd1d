"""The table of photographs."""

import pyarrow as pa
import pyarrow.compute as pc

from photocritic.core.paths import IMAGES as PATH
from photocritic.tables.table import Table
from photocritic.validation.checks import among, between, has_rows, holds, matches, not_blank
from photocritic.validation.duplicates import find_leaks


def _is_phash_of_an_image(table: pa.Table) -> pa.Array:
    is_text_only = pc.equal(pc.fill_null(table.column("path"), ""), "")
    return pc.or_(pc.invert(is_text_only), pc.is_null(table.column("phash")))


IMAGES = Table(
    name="images",
    row="a photograph, or what text names as one; sizes are 0 only where just text is at hand",
    columns=pa.schema(
        [
            pa.field("image_id", pa.string(), nullable=False),
            pa.field("path", pa.string(), nullable=False),  # shard/member; empty where only text is at hand
            pa.field("width", pa.int32(), nullable=False),  # pixels; 0 where only text is at hand
            pa.field("height", pa.int32(), nullable=False),
            pa.field("format", pa.string(), nullable=False),  # Pillow's name: JPEG, PNG, ...; empty without image
            pa.field("sha256", pa.string(), nullable=False),
            pa.field("phash", pa.int64()),  # 64 bits, perceptual; null where only text is at hand
            pa.field("split", pa.string(), nullable=False),  # train, val or test
            pa.field("labels", pa.list_(pa.string()), nullable=False),
        ]
    ),
    key=("image_id",),
    checks=(
        has_rows(),
        *not_blank("image_id"),
        among("split", ["train", "val", "test"]),
        matches("path", r"^(?:[^/]+\.tar/[^/]+)?$"),
        matches("format", r"^[A-Z0-9]*$"),
        matches("sha256", r"^[0-9a-f]*$"),
        between("width", 0, 1_000_000),
        between("height", 0, 1_000_000),
        holds("phash_is_of_an_image", "a perceptual hash of images alone", _is_phash_of_an_image),
    ),
    find_failures=lambda path: find_leaks(
        path, {"sha256": "the same bytes", "phash": "look alike, by phash"}, key="image_id"
    ),
    public=("image_id", "path", "format", "sha256", "split"),
    path=PATH,
)

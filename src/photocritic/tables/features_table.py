"""The table of features: an image as regions, (R, C) numbers, of which a pooled vector is one."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from photocritic.core import paths
from photocritic.core.errors import TableError
from photocritic.tables.relations import wrong_width
from photocritic.tables.table import GRID, VECTOR, ForeignKey, Table
from photocritic.tables.table_store import scan
from photocritic.validation import Failure
from photocritic.validation.checks import between, has_rows, not_blank

if TYPE_CHECKING:
    from photocritic.config import Params

Stored = Literal["pooled", "grid"]  # one vector an image, or one a cell of its grid
View = Literal["pooled", "grid", "pixels"]  # what a captioner is shown: a table's features, or the photograph itself
Regions = NDArray[np.float32]
Read = Literal["pooled", "grid", "views"]  # what can be read of a table

_ROWS = 1024  # images read at once: a grid may hold a hundred thousand numbers


def network_width(network: Path) -> int:
    """Return how many numbers a network's pooled features have, or those of networks whose features are fused.

    Raises
    ------
    TableError
        The network's folder is missing or damaged.
    """
    return sum(map(_width, paths.parts_of(network)))


def _width(network: Path) -> int:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(network / "weights.safetensors", framework="np") as file:
            return int(file.get_slice("mean").get_shape()[0])
    except (OSError, SafetensorError) as error:
        raise TableError(f"{network}: damaged model ({error}); run the stage that trains it again") from None


def has_views(path: Path) -> bool:
    """Return whether a features table has the features of random views."""
    return "views" in pq.read_schema(path).names


def read_regions(path: Path, view: Read) -> Iterator[tuple[pa.Array, Regions]]:
    """Stream a features table through its gate.

    Parameters
    ----------
    path : Path
        The features table.
    view : "pooled", "grid" or "views"
        Which of an image's features.

    Yields
    ------
    (pyarrow.Array, ndarray of float32)
        Image ids (B,), and their regions (B, R, C); R is 1 for pooled vectors, and the number of views for `views`.

    Raises
    ------
    TableError
        The file is missing, or has no grid.
    GateFailed
        A check of the table failed.
    """
    column = "vector" if view == "pooled" else view
    try:
        for batch in scan("features", path, ["image_id", column], rows=_ROWS):
            yield batch["image_id"], regions_of(batch[column])
    except KeyError:
        raise TableError(f"{path}: it has no grids; set cnn_pretrain.grid to 2 or more, or view: pooled") from None


def regions_of(column: pa.Array | pa.ChunkedArray) -> Regions:
    """Return a column of vectors, or of several vectors an image, as (B, R, C)."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    width, values = column.type.list_size, column.flatten()
    if pa.types.is_fixed_size_list(values.type):
        shape = (len(column), width, values.type.list_size)
        values = values.flatten()
    else:
        shape = (len(column), 1, width)
    numbers = np.asarray(values.to_numpy(zero_copy_only=False), dtype=np.float32)
    return numbers.reshape(shape)


def _all_alike(path: Path) -> list[Failure]:
    """Return the failure of a network that gives every image the same vector; stops at the first that differs."""
    first, rows = None, 0
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=_ROWS, columns=["vector"]):
            vectors = regions_of(batch["vector"].drop_null())
            first = vectors[:1] if first is None else first
            rows += len(vectors)
            if (vectors != first).any():
                return []
    return [Failure("vectors that are not all alike", "vector", f"{rows} alike")] if rows > 1 else []


def _not_of_the_network(path: Path, params: "Params") -> list[Failure]:
    """Return the failure of features that have another width than the network in `data/cnn_pretrain` gives."""
    del params
    network = paths.CNN / path.relative_to(paths.FEATURES).stem
    return wrong_width(path, "vector", network_width(network), f"the network in {network}")


FEATURES = Table(
    name="features",
    row="a photograph as a CNN describes it: one vector of finite numbers, and a grid of such where one is wanted",
    columns=pa.schema(
        [
            pa.field("image_id", pa.string(), nullable=False),
            pa.field("vector", VECTOR, nullable=False),
            pa.field("grid", GRID, nullable=False),  # row by row
            pa.field("views", GRID, nullable=False),  # of random views; 0 where the photograph is not trained on
        ]
    ),
    optional=("grid", "views"),
    key=("image_id",),
    checks=(
        has_rows(),
        *not_blank("image_id"),
        between("vector_min", -1e6, None),
        between("vector_max", None, 1e6),
    ),
    find_failures=_all_alike,
    public=("image_id",),
    foreign_keys=(ForeignKey("image_id", "images", every=True),),
    fits=_not_of_the_network,
)

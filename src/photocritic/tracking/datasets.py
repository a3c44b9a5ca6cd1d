"""Tables as MLflow's datasets: name, digest, columns and number of rows, without reading a table as a whole."""

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from photocritic.core.files import sha256

if TYPE_CHECKING:
    from mlflow.entities import DatasetInput
    from pyarrow import DataType

_CONTEXT = "mlflow.data.context"  # the tag in which MLflow's pages look for what a dataset was used for
_SPLIT = "split"  # the column of the table of images
_TYPES = {
    "int8": "integer",
    "int16": "integer",
    "int32": "integer",
    "int64": "long",
    "float": "float",
    "double": "double",
    "bool": "boolean",
}


def described(path: Path, context: str, digest: str = "") -> "DatasetInput":
    """Describe a Parquet file as the input of a run.

    Parameters
    ----------
    path : Path
        The file.
    context : str
        What it is used for, such as `training`.
    digest : str
        Of its content, where that is known already.
    """
    from mlflow.entities import Dataset, DatasetInput, InputTag
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path) as table:
        columns = [
            {**_type(field.type), "name": field.name, "required": not field.nullable} for field in table.schema_arrow
        ]
        profile: dict[str, Any] = {"num_rows": table.metadata.num_rows}
        if _SPLIT in table.schema_arrow.names:
            profile |= _shares(table)
    dataset = Dataset(
        name="/".join(path.with_suffix("").parts[-2:]),
        digest=(digest or sha256(path))[:16],
        source_type="local",
        source=json.dumps({"uri": path.as_posix()}),
        schema=json.dumps({"mlflow_colspec": columns}),
        profile=json.dumps(profile),
    )
    return DatasetInput(dataset, [InputTag(_CONTEXT, context)])


def _shares(table: Any) -> dict[str, int]:
    """Count the rows of each split, reading that column alone."""
    found: Counter[str] = Counter()
    for batch in table.iter_batches(columns=[_SPLIT]):
        found.update(batch.column(0).to_pylist())
    return {f"num_{split}": rows for split, rows in sorted(found.items())}


def _type(kind: "DataType") -> dict[str, Any]:
    """Write a column's type as MLflow's schemas do."""
    from pyarrow import types

    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return {"type": "array", "items": _type(kind.value_type)}
    return {"type": _TYPES.get(str(kind), "string")}

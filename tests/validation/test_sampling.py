"""Every table past the size of a gate's sample (C0): it is saved and loaded, and one bad row among them is found."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from photocritic import tables
from photocritic.core.errors import GateFailed
from photocritic.validation import sampling

LARGE = sampling.MAX_ROWS + 1
SIZES = {"topics": {"topics": 4}, "words": {"words": 4}, "features": {"vector": 3, "grid": (2, 2)}}

NUMBERED = object()  # a number of its own in every row
# Columns whose values must be others than those that are made of any column of their type.
OWN = {
    "images": {"path": "00000.tar/1.jpg", "format": "JPEG", "sha256": NUMBERED, "phash": NUMBERED},
    "comments": {"style": "humorous"},
    "captions": {"style": None, "sentence": 0, "cleaned": "the sky and the sea", "kept": True, "reason": ""},
    "augmented": {"accepted": True, "reason": "", "perplexity": 30.0},
    "forms": {"comments": 9, "images": 3},
    "predictions": {"logprob": -1.0},
    "ngrams": {"order": 1, "probability": 0.5},
}


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def schema_of(table: str) -> pa.Schema:
    return tables.schema(table, **SIZES.get(table, {}))


def column_of(table: str, field: pa.Field, rows: int) -> pa.Array:
    """Make a column whose values the table's suite lets pass."""
    own, kind, numbers = OWN.get(table, {}), field.type, np.arange(rows)
    allowed = next(
        (check.arguments["value_set"] for check in tables.find(table).checks
         if "value_set" in check.arguments and check.arguments["column"] == field.name), None,
    )  # fmt: skip
    if own.get(field.name) is NUMBERED:
        return pa.array(numbers).cast(kind)
    if field.name in own:
        return pa.repeat(pa.scalar(own[field.name], kind), rows)
    if allowed:
        return pa.array(allowed, kind).take(pa.array(numbers % len(allowed)))
    if pa.types.is_string(kind):
        return pc.binary_join_element_wise(f"the {field.name} no", pa.array(numbers).cast(pa.string()), " ")
    if pa.types.is_fixed_size_list(kind):
        return vectors(kind, rows)
    if pa.types.is_list(kind):
        return pa.repeat(pa.scalar(["sky", "sea"], kind), rows)
    if pa.types.is_boolean(kind):
        return pa.array(numbers % 2 == 0)
    return pa.array(numbers % 100 + 1).cast(kind) if pa.types.is_integer(kind) else pa.array(numbers % 10 / 10, kind)


def vectors(kind: pa.DataType, rows: int) -> pa.Array:
    """Make shares that add up to 1, another part of them in every second row."""
    if pa.types.is_fixed_size_list(kind.value_type):
        return pa.FixedSizeListArray.from_arrays(vectors(kind.value_type, rows * kind.list_size), kind.list_size)
    shares = np.zeros((rows, kind.list_size), np.float32)
    shares[np.arange(rows), np.arange(rows) % kind.list_size] = 1.0
    return pa.FixedSizeListArray.from_arrays(pa.array(shares.ravel()).cast(kind.value_type), kind.list_size)


def made(table: str, rows: int) -> pa.Table:
    schema = schema_of(table)
    return pa.table([column_of(table, field, rows) for field in schema], schema=schema)


def test_every_table_has_checks_to_make_its_rows_by():
    assert [name for name in tables.available() if not tables.find(name).checks] == []


@pytest.mark.parametrize("table", tables.available())
def test_a_table_past_the_sample_is_saved_and_loaded(table, tmp_path):
    """C0: `dictionary_encode` has no kernel for columns of lists."""
    rows = made(table, LARGE)
    assert tables.save(table, tmp_path / "t.parquet", rows, rows=LARGE) == LARGE
    assert tables.load(table, tmp_path / "t.parquet").equals(rows)


def bad_values(table: str) -> list[tuple[str, object]]:
    """Return, for each check of a row, a column and a value there that fails it."""
    found: list[tuple[str, object]] = []
    for check in tables.find(table).checks:
        kind, column = check.kind, check.arguments.get("column")
        if check.arguments.get("mostly", 1) < 1 or column not in schema_of(table).names:
            continue
        if kind == "ExpectColumnValuesToMatchRegex":
            found += [(column, " \u00a0" if check.arguments["regex"] == r"\S" else "Ä /")]
        elif kind == "ExpectColumnValuesToNotMatchRegex":
            found += [(column, "a\0b"), (column, "a \ufffd")]
        elif kind == "ExpectColumnValuesToBeInSet":
            found.append((column, 7 if table == "ngrams" else "other"))
        elif kind == "ExpectColumnValuesToBeBetween":
            low, high = check.arguments["min_value"], check.arguments["max_value"]
            found += [(column, low - 1)] if low is not None else []
            found += [(column, high + 1)] if high is not None else []
    keys = tables.find(table).key
    return [*dict.fromkeys(found), *([(keys[-1], "twice")] if keys else []), *MORE.get(table, [])]


MORE: dict[str, list[tuple[str, object]]] = {
    "images": [("labels", ["sky", None]), ("phash", "without a picture"), ("not_utf8", "format")],
    "captions": [("tokens", ["elsewhere"]), ("reason", "short"), ("score", float("nan"))],
    "forms": [("images", 10)],
    "augmented": [("reason", "dull"), ("similarity", float("nan"))],
    "topics": [("topics", [0.5, 0.2, 0, 0]), ("topics", [1.5, -0.5, 0, 0]), ("topics", [float("nan"), 1, 0, 0])],
    "words": [("words", [0.5, 0.2, 0, 0]), ("words", [2, -1, 0, 0])],
    "features": [("vector", [float("inf"), 0, 0]), ("vector", [1e7, 0, 0]), ("grid", [[0, 1], [float("nan"), 0]])],
}
TOLD = {  # what the gate calls it
    ("images", "phash"): "phash_is_of_an_image",
    ("captions", "reason"): "verdict_is_consistent",
    ("captions", "tokens"): "tokens_are_of_the_text",
    ("augmented", "reason"): "verdict_is_consistent",
    ("features", "grid"): "grid_is_finite",
}
BAD = [(table, *bad) for table in tables.available() for bad in bad_values(table)]


def spoilt(rows: pa.Table, place: int, column: str, value: object) -> pa.Table:
    """Change one value of a row; a key becomes that of the row before."""
    if value == "twice":
        return pa.concat_tables([rows.slice(0, place), rows.slice(place - 1, 1), rows.slice(place + 1)])
    if value == "without a picture":
        column, value = "path", ""
    if column == "not_utf8":
        column, changed = str(value), pa.array([b"\xff"]).view(pa.string())
    else:
        changed = pa.array([value], rows.schema.field(column).type)
    field = rows.schema.field(column)
    row = rows.slice(place, 1).set_column(rows.column_names.index(column), field, changed)
    return pa.concat_tables([rows.slice(0, place), row, rows.slice(place + 1)])


def seen(table: str, rows: pa.Table) -> int:
    """Count the rows that the gate of a large table looks at."""
    pq.write_table(rows, "t.parquet")
    found = tables.find(table)
    return len(sampling.sample(Path("t.parquet"), found.key, found.all_checks(rows.schema)))


@pytest.fixture
def small_sample(monkeypatch):
    monkeypatch.setattr(sampling, "MAX_ROWS", 50)
    monkeypatch.setattr(sampling, "BATCH", 100)


@pytest.mark.parametrize(("table", "column", "value"), BAD)
def test_each_kind_of_bad_row_is_looked_at(table, column, value, small_sample):
    """C0: as the row is not one of the even sample, which has every ninth."""
    rows = made(table, 401)
    assert seen(table, spoilt(rows, 334, column, value)) > seen(table, rows)


@pytest.mark.parametrize("table", tables.available())
def test_one_bad_row_of_each_kind_is_refused(table, small_sample):
    bad = [(column, value) for name, column, value in BAD if name == table]
    rows = made(table, 401)
    for number, (column, value) in enumerate(bad):
        rows = spoilt(rows, 105 + 9 * number, column, value)
    with pytest.raises(GateFailed) as refusal:
        tables.save(table, Path("t.parquet"), rows)
    first = str(refusal.value).splitlines()[0]
    assert [column for column, _ in bad if TOLD.get((table, column), column) not in first] == []


def test_one_bad_row_of_a_hundred_thousand_captions_is_found():
    rows = spoilt(made("captions", LARGE), 77_777, "tokens", ["elsewhere"])
    with pytest.raises(GateFailed, match=r"captions.parquet: tokens_are_of_the_text: expected words that stand"):
        tables.save("captions", Path("captions.parquet"), rows)


def test_vectors_that_are_alike_in_one_batch_alone_pass(monkeypatch):
    monkeypatch.setattr(sampling, "BATCH", 3)
    rows = pa.table(
        [pa.array(list("abcd")), vectors(pa.list_(pa.float32(), 3), 4)], schema=tables.schema("features", vector=3)
    )
    last = rows.slice(3, 1)
    rows = pa.concat_tables([rows, last.set_column(0, rows.schema.field(0), pa.array(["e"]))])
    assert tables.save("features", Path("features.parquet"), rows) == 5

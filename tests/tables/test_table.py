"""Tables by name: one file has all that is known of one."""

from pathlib import Path

import pytest

from photocritic import tables
from photocritic.core.errors import TableError


def test_a_file_of_the_folder_holds_one_table_of_its_name():
    for name in tables.available():
        module = f"photocritic.tables.{name}_table"
        own = [one for one in vars(__import__(module, fromlist=["_"])).values() if isinstance(one, tables.Table)]
        assert [one.name for one in own] == [name]
        assert tables.find(name) is own[0]


def test_a_name_that_is_none_is_refused_with_those_that_are():
    with pytest.raises(TableError, match="no table is called 'caption'; did you mean 'captions'"):
        tables.find("caption")
    with pytest.raises(TableError, match=r"data/x\.parquet: no table has this name"):
        tables.name_of(Path("data/x.parquet"))


def test_the_name_of_a_table_is_its_files_or_its_folders():
    assert tables.name_of(Path("data/lda/topics.parquet")) == "topics"
    assert tables.name_of(Path("data/features/weak.parquet")) == "features"


def test_vectors_are_as_wide_as_wanted():
    schema = tables.schema("features", vector=8, grid=(4, 16))
    assert schema.field("vector").type.list_size == 8
    assert schema.field("grid").type.list_size == 4
    assert schema.field("grid").type.value_type.list_size == 16
    assert tables.schema("features", vector=3).names == ["image_id", "vector"]
    assert tables.find("features").schema_like(schema).equals(schema)


def test_keys_and_checks_are_about_columns_that_the_table_has():
    for name in tables.available():
        table = tables.find(name)
        columns = set(table.columns.names)
        assert {*table.key, *table.optional, *table.public, *(key.column for key in table.foreign_keys)} <= columns
        for key in table.foreign_keys:
            assert tables.find(key.table).path is not None
            assert len(tables.find(key.table).key) == 1

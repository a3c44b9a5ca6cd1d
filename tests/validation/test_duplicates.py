"""Photographs in two splits."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from photocritic.validation.duplicates import find_leaks

PHOTOGRAPH = 0x0F1E_2D3C_4B5A_6978  # a perceptual hash
HOW = {"sha256": "the same bytes", "phash": "look alike, by phash"}


@pytest.mark.parametrize(
    ("copy", "split", "found"),
    [
        (PHOTOGRAPH, "test", 1),
        (PHOTOGRAPH ^ 0b11_1111, "test", 1),
        (PHOTOGRAPH ^ 0b111_1111, "test", 0),
        (PHOTOGRAPH ^ 0b11_1111, "train", 0),
        (None, "test", 0),
    ],
)
def test_photographs_that_look_alike_are_not_in_two_splits(tmp_path, copy, split, found):
    path = tmp_path / "images.parquet"
    columns = {
        "image_id": ["a", "b", "c", "d"],
        "sha256": ["1", "2", "3", "4"],
        "split": ["train", split, "val", "test"],
    }
    pq.write_table(pa.table(columns | {"phash": pa.array([PHOTOGRAPH, copy, 0, 0], pa.int64())}), path)
    failures = find_leaks(path, HOW, "image_id")
    assert len(failures) == found
    if found:
        assert failures[0].rows == ("a (train) and b (test): look alike, by phash",)

"""CC's Table 3 of a small data set, by hand."""

import pytest

from photocritic import tables
from photocritic.filtering.dataset_statistics import dataset_statistics


def _row(schema, **known):
    blank = {"string": "", "int32": 0, "int64": 0, "double": 0.0, "bool": True}
    row = {field.name: None if field.nullable else blank.get(str(field.type), []) for field in schema}
    return row | known


def _caption(comment_id, image_id, text, kept):
    known = {"comment_id": comment_id, "image_id": image_id, "text": text, "source": "test", "style": None}
    return _row(
        tables.schema("captions"), **known, cleaned=text, tokens=text.split(), kept=kept, reason="" if kept else "empty"
    )


def _tables(folder, captions, images):
    rows = [_caption(f"c{place}", *caption) for place, caption in enumerate(captions)]
    tables.save("captions", folder / "captions.parquet", tables.from_rows("captions", rows))
    shown = [_row(tables.schema("images"), image_id=image, split=split, sha256="") for image, split in images]
    tables.save("images", folder / "images.parquet", tables.from_rows("images", shown))
    return dataset_statistics(folder / "captions.parquet", folder / "images.parquet")


def test_rows_of_the_table(tmp_path):
    captions = [
        ("i0", "a dog", True),
        ("i0", "a dog on a lawn", True),
        ("i1", "the dog runs away", True),
        ("i1", "no caption", False),
        ("i2", "a cat", True),
        ("lost", "an image that is unknown", True),
    ]
    found = _tables(tmp_path, captions, [("i0", "train"), ("i1", "train"), ("i2", "test")])
    train, test = found
    assert train["split"] == "train"
    assert (train["examples"], train["unique_tokens"], train["median"]) == (3, 7, 4.0)
    assert train["mean"] == pytest.approx(11 / 3)
    assert train["std"] == pytest.approx(1.247219)
    assert test == {"split": "test", "examples": 1, "unique_tokens": 2, "mean": 2.0, "std": 0.0, "median": 2.0}


def test_an_even_number_of_captions_has_its_median_in_the_middle(tmp_path):
    captions = [
        ("i0", "a", True),
        ("i0", "a dog", True),
        ("i0", "a dog and a cat", True),
        ("i0", "dogs and cats", True),
    ]
    (train,) = _tables(tmp_path, captions, [("i0", "train")])
    assert train["median"] == 2.5

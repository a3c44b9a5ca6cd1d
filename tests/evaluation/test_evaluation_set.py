"""References, whose words are those of the comments that captioners learn."""

import pytest

from photocritic import tables
from photocritic.evaluation.evaluation_set import load_evaluation_set, load_other_evaluation_set
from tests.evaluation.conftest import save


@pytest.fixture
def written(world):
    """Write a reference that comments are not written like once they are cleaned."""
    world.write_references([{"image_id": "image00", "text": "Great&nbsp;DOF <b>light</b>", "source": "r.csv"}])
    return {name: world.folder / f"{name}.parquet" for name in ("images", "captions", "references")}


def test_reference_captions_are_cleaned_as_comments_are(world, written):
    (example,) = load_evaluation_set(**written, split="test", chain=world.params.filter.chain).examples
    assert example.texts == ("Great depth of field light",)
    assert example.tokens == (("great", "depth", "of", "field", "light"),)


def test_reference_captions_stay_as_they_were_written_where_comments_are_not_cleaned(written):
    (example,) = load_evaluation_set(**written, split="test", chain=["spelling", "score"]).examples
    assert example.texts == ("Great&nbsp;DOF <b>light</b>",)


def test_predictions_are_measured_against_cleaned_references(world, written):
    world.said = {name: ["great depth of field light"] for name in world.said}
    assert world.run().metrics["cws.rouge_l"] == 1.0


def test_comments_of_another_corpus_are_cleaned_too(world, written):
    comment = {"comment_id": "1", "image_id": "image02", "text": "nice bg", "author_id": None, "style": None}
    save(world.folder, "comments", [comment | {"source": "c.csv"}])
    save(world.folder, "references", [])
    nothing = world.folder / "home.parquet"
    (world.folder / "images.parquet").rename(nothing)
    save(world.folder, "images", [row | {"sha256": "new"} for row in tables.load("images", nothing).to_pylist()])
    (example,) = load_other_evaluation_set(world.folder, "test", nothing, world.params.filter.chain).examples
    assert example.texts == ("nice background",)


def test_a_photograph_that_looks_like_one_that_was_trained_on_is_not_new(world):
    seen = 0x0F1E_2D3C_4B5A_6978
    looks = {"image00": seen ^ 0b11_1111, "image02": seen ^ 0b111_1111, "image04": 0, "image06": None}
    (home, elsewhere), rows = (world.folder / name for name in ("home", "elsewhere")), []
    for row in tables.load("images", world.folder / "images.parquet").to_pylist():
        if row["image_id"] in looks:
            rows.append(row | {"sha256": f"of {row['image_id']}", "phash": looks[row["image_id"]]})
    trained = rows[0] | {"image_id": "t", "split": "train", "sha256": "t", "phash": seen}
    save(home, "images", [trained, trained | {"image_id": "flat", "phash": 0}])
    save(elsewhere, "images", rows)
    save(elsewhere, "references", [{"image_id": name, "text": "a dog", "source": "r.csv"} for name in looks])
    found = load_other_evaluation_set(elsewhere, "test", home / "images.parquet")
    assert [example.image_id for example in found.examples] == ["image02", "image04", "image06"]
    assert found.seen == 1

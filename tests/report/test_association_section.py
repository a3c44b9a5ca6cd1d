"""The section of captions in repetition: what the stage has left, or one sentence where nothing is repeated."""

import csv

import pytest

from photocritic.config import AssociateParams
from photocritic.report.association_section import AssociationFiles, association_section
from photocritic.report.blocks import Report, render
from tests.evaluation.conftest import save, write_json

NUMBERS = {"forms": 2, "edges": 5, "associated_images": 4, "images_per_form": 2.0}


@pytest.fixture
def section(world):
    """Write what the stage leaves, and return its section."""
    at = world.folder / "left"

    def shown(metrics=None, photographs=(), rows=None, **options):
        if metrics:
            write_json(at / "metrics" / "associate.json", metrics)
        write_json(at / "plots" / "associate" / "photographs.json", list(photographs))
        for name, some in (rows or {}).items():
            (at / "tables" / "associate").mkdir(parents=True, exist_ok=True)
            with (at / "tables" / "associate" / f"association_{name}.csv").open("w", newline="") as stream:
                writer = csv.DictWriter(stream, list(some[0]))
                writer.writeheader()
                writer.writerows(some)
        files = AssociationFiles(
            at / "metrics", at / "plots", at / "tables", world.folder / "images.parquet", world.folder / "shards"
        )
        return association_section(
            AssociateParams(unit="comment", form="canonical", images=2, authors=3), files, **options
        )

    return shown


def photograph(form, image, text):
    return {"form": form, "caption": f"the {form}", "images": 2, "image_id": image, "text": text}


PHOTOGRAPHS = [
    photograph("tree", "image00", "a tree <b>"),
    photograph("tree", "image01", "trees"),
    photograph("dog", "image00", "the dog"),
]


def test_a_stage_that_has_not_run_is_left_out(section, world):
    assert section() is None
    files = AssociationFiles(None, None, None, world.folder / "images.parquet", world.folder / "shards")
    assert association_section(AssociateParams(), files) is None


def test_an_empty_graph_is_one_sentence(section):
    found = section({"forms": 0, "edges": 0, "associated_images": 0})
    assert found.blocks == []
    assert found.intro == "No comment's canonical form has at least 2 different photographs and 3 authors."


def test_captions_are_shown_with_their_photographs(section):
    found = section(NUMBERS, PHOTOGRAPHS)
    tree, dog = found.blocks[0].groups
    assert (tree.title, tree.small, [one.title for one in tree.pictures]) == (
        "the tree", "2 photographs", ["a tree <b>", "trees"],
    )  # fmt: skip
    assert tree.pictures[0].source == dog.pictures[0].source != tree.pictures[1].source
    assert all(one.source.startswith("data:image/jpeg;base64,") for one in tree.pictures)
    assert "2 captions" in found.intro
    assert "a tree &lt;b&gt;" in render(Report("", "", sections=[found]))


def test_without_photographs_there_are_tables_alone(section, world):
    rows = {
        "percentiles": [
            {"of": of, "statistic": name, "here": 2.5, "paper": 22.4}
            for of in ("images", "tokens")
            for name in ("mean", "max")
        ],
        "syntax": [
            {"type": "none", "captions": 0.25, "images": 0.5, "paper_captions": "", "paper_images": ""}
            | {"top_captions": "the tree (2)"},
        ],
    }
    percentiles, syntax = section(NUMBERS, PHOTOGRAPHS, rows, pictures=False).blocks
    assert [title for title, _ in percentiles.columns] == ["", "mean", "max"]
    assert [(cell.text, cell.note) for cell in percentiles.rows[0].cells] == [("2.5", "22.4")] * 2
    assert [cell.text for cell in syntax.rows[0].cells] == ["25%", "50%", "the tree (2)"]
    text_only = {"path": "", "width": 0, "height": 0, "format": "", "sha256": "", "split": "train", "labels": []}
    save(world.folder, "images", [{"image_id": f"image{n:02}", **text_only} for n in range(2)])
    assert len(section(NUMBERS, PHOTOGRAPHS, rows).blocks) == 2

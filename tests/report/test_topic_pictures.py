"""The topics' section: terms, shares, and the photographs nearest to a topic."""

import numpy as np
import pytest

from photocritic.report.topic_pictures import NEAREST, PICTURED, read_topics, topics_section
from tests.evaluation.conftest import save, vectors, write_json


@pytest.fixture
def show(world):
    """Show a topics table of the world's images; the section's groups."""

    def section(matrix, **options):
        topics, at = world.folder / "topics.parquet", world.folder
        vectors("topics", "topics", topics, [f"image{number:02}" for number in range(len(matrix))], np.array(matrix))
        summary = [{"topic": t, "terms": [["soft_light", 0.2], ["sky", 0.1]]} for t in range(len(matrix[0]))]
        write_json(at / "model" / "topics.json", summary)
        found = topics_section(topics, at / "model", at / "images.parquet", at / "shards", **options)
        return found.blocks[0].groups

    return section


def named(group):
    return [one.title.partition(":")[0] for one in group.pictures]


def test_the_nearest_photographs_come_first(show):
    first = [0.1, 0.9, 0.3, 0.8, 0.2, 0.7, 0.6, 0.4]
    groups = show([[share, 1 - share] for share in first])
    assert named(groups[0]) == ["image01", "image03", "image05", "image06"]
    assert named(groups[1]) == ["image00", "image04", "image02", "image07"]
    assert groups[0].small == f"{np.mean(first):.1%}"
    assert groups[0].terms == [("soft light", 1.0), ("sky", 0.5)]
    sources = [one.source for one in groups[0].pictures]
    assert len(set(sources)) == NEAREST
    assert all(source.startswith("data:image/jpeg;base64,") for source in sources)


def test_one_topic_an_image_shows_the_first_that_bear_it(show):
    groups = show(np.eye(2)[[0, 1, 0, 1, 0, 0, 0, 0]])
    assert named(groups[0]) == ["image00", "image02", "image04", "image05"]
    assert named(groups[1]) == ["image01", "image03"]


def test_only_the_first_topics_are_shown_with_photographs(show):
    shares = np.tile(np.linspace(1, 2, PICTURED + 3), (6, 1))
    groups = show(shares / shares.sum(axis=1, keepdims=True))
    assert [bool(group.pictures) for group in groups] == [True] * PICTURED + [False] * 3


def test_without_a_gallery_and_without_images_there_are_terms_alone(show, world):
    assert not any(group.pictures for group in show(np.eye(2)[[0, 1]], pictures=False))
    rows = [
        {"image_id": f"image{n:02}", "path": "", "width": 0, "height": 0, "format": "", "sha256": ""}
        | {"split": "train", "labels": []}
        for n in range(2)
    ]
    save(world.folder, "images", rows)
    groups = show(np.eye(2)[[0, 1]])
    assert [group.pictures for group in groups] == [[], []]
    assert groups[0].terms


def test_a_table_in_many_batches_is_summed_up_alike(show, world, monkeypatch):
    random = np.random.default_rng(0).dirichlet(np.ones(3), 12)
    show(random)
    path = world.folder / "topics.parquet"
    whole = read_topics(path, 3)
    scan = __import__("photocritic.tables", fromlist=["scan"]).scan
    monkeypatch.setattr("photocritic.tables.scan", lambda table, place: scan(table, place, rows=5))
    parts = read_topics(path, 3)
    np.testing.assert_allclose(parts.share, whole.share)
    assert parts.nearest == whole.nearest

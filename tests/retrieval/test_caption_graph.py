import numpy as np
import pytest

from photocritic.core.errors import TrainingError
from photocritic.retrieval.caption_graph import CAPTIONS, EDGES, CaptionGraph

PAIRS = [
    ("dog run", "a dog runs", "one"),
    ("cat sleep", "a cat sleeps", "two"),
    ("dog run", "the dog is running", "two"),
    ("dog run", "the dog is running", "three"),
    ("cat sleep", "a cat sleeps", "two"),
    ("sky", "the sky", "three"),
]


@pytest.fixture
def graph():
    return CaptionGraph.of(PAIRS)


def members(graph, caption):
    rows = graph.members[graph.offsets[caption] : graph.offsets[caption + 1]]
    return [graph.image_ids[row] for row in rows]


def test_a_caption_has_the_photographs_under_which_it_was_written_once_each(graph):
    assert graph.image_ids == ["one", "two", "three"]
    assert [members(graph, place) for place in range(3)] == [["one", "two", "three"], ["two"], ["three"]]


def test_the_most_frequent_wording_stands_for_all(graph):
    assert graph.captions == ["the dog is running", "a cat sleeps", "the sky"]


def test_captions_of_photographs_come_in_their_order_and_the_most_repeated_first(graph):
    assert graph.captions_of([2, 1]).tolist() == [0, 2, 1]
    assert graph.captions_of([0]).tolist() == [0]
    assert graph.captions_of([]).tolist() == []


def test_photographs_of_captions_are_gathered_one_caption_after_the_other(graph):
    found, starts = graph.photographs_of(np.array([1, 0]))
    assert found.tolist() == [1, 0, 1, 2]
    assert starts.tolist() == [0, 1, 4]


def test_what_is_saved_is_loaded_again(graph, tmp_path):
    graph.save(tmp_path)
    again = CaptionGraph.load(tmp_path)
    assert (again.captions, again.image_ids) == (graph.captions, graph.image_ids)
    np.testing.assert_array_equal(again.members, graph.members)
    np.testing.assert_array_equal(again.offsets, graph.offsets)


@pytest.mark.parametrize(
    ("file", "content"),
    [(CAPTIONS, None), (CAPTIONS, b"{}"), (CAPTIONS, b"["), (EDGES, None), (EDGES, b"noise"), (EDGES, b"")],
)
def test_damaged_files_are_named(graph, tmp_path, file, content):
    graph.save(tmp_path)
    if content is None:
        (tmp_path / file).unlink()
    else:
        (tmp_path / file).write_bytes(content)
    with pytest.raises(TrainingError, match=f"{tmp_path.name}.*damaged index"):
        CaptionGraph.load(tmp_path)


def test_edges_of_another_list_of_captions_are_refused(graph, tmp_path):
    graph.save(tmp_path)
    for edges in (np.zeros((2, 2), int), np.array([[0, 0], [1, 1], [2, 5]]), np.array([[0, -1]])):
        np.save(tmp_path / EDGES, edges)
        with pytest.raises(TrainingError, match="damaged index"):
            CaptionGraph.load(tmp_path)

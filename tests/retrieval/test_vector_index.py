import numpy as np
import pytest

from photocritic.core.errors import TrainingError
from photocritic.retrieval.vector_index import VECTORS, VectorIndex


@pytest.mark.parametrize("queries", [1, 50])  # FAISS computes the distances of few queries otherwise
def test_the_nearest_are_among_what_is_found(queries):
    random = np.random.default_rng(0)
    vectors, asked = random.random((300, 16)).astype(np.float32), random.random((queries, 16)).astype(np.float32)
    found = VectorIndex(vectors).search(asked, 10)
    nearest = np.argsort(((asked[:, None] - vectors) ** 2).sum(2), axis=1)[:, :10]
    assert all(set(near) <= set(rows) for near, rows in zip(nearest.tolist(), found.tolist(), strict=True))


def test_no_more_is_found_than_there_is():
    assert VectorIndex(np.eye(3, dtype=np.float32)).search(np.eye(3, dtype=np.float32), 10).shape == (3, 3)


def test_what_is_saved_is_mapped_into_memory(tmp_path):
    VectorIndex(np.eye(3)).save(tmp_path)
    again = VectorIndex.load(tmp_path)
    assert isinstance(again.vectors, np.memmap)
    np.testing.assert_array_equal(again.vectors, np.eye(3))


@pytest.mark.parametrize("content", [None, b"", b"noise", b"half"])
def test_damaged_files_are_named(tmp_path, content):
    VectorIndex(np.eye(3)).save(tmp_path)
    path = tmp_path / VECTORS
    if content is None:
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-20] if content == b"half" else content)
    with pytest.raises(TrainingError, match=f"{tmp_path.name}.*damaged index"):
        VectorIndex.load(tmp_path)


def test_arrays_of_another_kind_are_refused(tmp_path):
    np.save(tmp_path / VECTORS, np.zeros(3))
    with pytest.raises(TrainingError, match="shape"):
        VectorIndex.load(tmp_path)

"""Targets follow the images table's order, and say in one line what does not fit."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from photocritic import tables
from photocritic.core.errors import CorpusError
from photocritic.vision.targets import from_labels, from_topics, read_corpus


def table(name: str, image_ids: list[str], matrix: np.ndarray) -> pa.Table:
    column = pa.FixedSizeListArray.from_arrays(pa.array(matrix.astype(np.float32).reshape(-1)), matrix.shape[1])
    return pa.table({"image_id": pa.array(image_ids, pa.string()), name: column})


def test_rows_are_aligned_whatever_the_tables_order(squares: Any, tmp_path: Path) -> None:
    topics = tmp_path / "topics.parquet"
    tables.save("topics", topics, table("topics", ["03", "01", "10"], np.array([[1, 0], [0.5, 0.5], [0, 1]])))
    targets = from_topics(read_corpus(squares.images), topics, None)
    assert targets.rows["train"].tolist() == [1, 3]
    assert targets.rows["val"].tolist() == [10]
    assert targets.heads["topics"][[1, 3, 10]].tolist() == [[0.5, 0.5], [1, 0], [0, 1]]
    assert list(targets.heads) == ["topics"]


def test_an_empty_words_table_means_no_second_head(
    squares: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("photocritic.validation.check", lambda *_, **__: None)  # whether it may be empty is the gate's
    words = tmp_path / "words.parquet"
    tables.save("words", words, table("words", [], np.zeros((0, 1))))
    assert list(from_topics(read_corpus(squares.images), squares.topics, words).heads) == ["topics"]


def test_words_alone_are_learned_from_the_same_images(
    squares: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("photocritic.validation.check", lambda *_, **__: None)
    corpus, words = read_corpus(squares.images), tmp_path / "words.parquet"
    tables.save("words", words, table("words", ["03", "35"], np.array([[1, 0], [0.5, 0.5]])))
    both, alone = (from_topics(corpus, squares.topics, words, learn) for learn in (True, False))
    assert (list(both.heads), list(alone.heads)) == (["topics", "words"], ["words"])
    assert {split: rows.tolist() for split, rows in alone.rows.items()} == {
        split: rows.tolist() for split, rows in both.rows.items()
    }
    tables.save("words", words, table("words", [], np.zeros((0, 1))))
    with pytest.raises(CorpusError, match=r"no content words, and cnn_pretrain\.topics_weight is 0"):
        from_topics(corpus, squares.topics, words, learn_topics=False)


def test_topics_of_unknown_images_are_refused(squares: Any, tmp_path: Path) -> None:
    topics = tmp_path / "topics.parquet"
    tables.save("topics", topics, table("topics", ["03", "ghost"], np.full((2, 2), 0.5)))
    with pytest.raises(CorpusError, match="1 of its images are not in the images table"):
        from_topics(read_corpus(squares.images), topics, None)


def test_topics_of_test_images_alone_are_refused(squares: Any, tmp_path: Path) -> None:
    topics = tmp_path / "topics.parquet"
    tables.save("topics", topics, table("topics", ["12"], np.full((1, 2), 0.5)))
    with pytest.raises(CorpusError, match="no training image has topics"):
        from_topics(read_corpus(squares.images), topics, None)


def test_labels_are_spread_evenly(squares: Any, tmp_path: Path) -> None:
    rows = tables.load("images", squares.images).to_pylist()
    rows[0]["labels"] = ["red", "blue"]
    images = tmp_path / "images.parquet"
    tables.save("images", images, tables.from_rows("images", rows))
    targets = from_labels(read_corpus(images), images)
    assert targets.labels == ["blue", "green", "red"]
    assert targets.heads["labels"][:2].tolist() == [[0.5, 0, 0.5], [0, 1, 0]]

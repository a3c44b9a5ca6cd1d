"""The whole stage, on a corpus of two subjects."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from photocritic import tables
from photocritic.config import LdaParams
from photocritic.core.errors import PhotocriticError
from photocritic.core.outcome import Outcome
from photocritic.topics import TopicModel, train_lda

SUBJECTS = (["sea", "wave", "beach", "sand", "boat"], ["city", "street", "neon", "car", "window"])
PARAMS = LdaParams(topics=2, max_share=0.9, min_documents=2, passes=20, words=8)


def caption(number: int, image: str, words: list[str]) -> dict[str, Any]:
    return {
        "comment_id": f"c{number}", "image_id": image, "author_id": None, "text": " ".join(words), "style": None,
        "source": "s", "sentence": 0, "cleaned": " ".join(words), "form": None, "tokens": words, "ngrams": words,
        "score": 30.0, "kept": True, "reason": "",
    }  # fmt: skip


def write(folder: Path, changed: dict[str, list[str]] | None = None, more: tuple[list[str], ...] = ()) -> None:
    """Write a caption an image, with other words where they are changed; and each of `more` under every image."""
    random = np.random.default_rng(0)
    captions: list[dict[str, Any]] = []
    for number in range(60):
        image = f"i{number:02d}"
        words = [*list(random.choice(SUBJECTS[number % 2], size=4)), "photo"]
        captions.append(caption(number, image, (changed or {}).get(image, words)))
        captions += [caption(100 * (place + 1) + number, image, words) for place, words in enumerate(more)]
    splits = {f"i{n:02d}": "test" if n >= 50 else "val" if n >= 44 else "train" for n in range(60)}
    images = [
        {"image_id": i, "path": "", "width": 0, "height": 0, "format": "", "sha256": "", "split": s, "labels": []}
        for i, s in splits.items()
    ]
    known = sorted({word for words in (*SUBJECTS, *more) for word in words})
    ngrams = [{"ngram": word, "order": 1, "count": 9, "probability": 0.1} for word in known]
    for name, rows in (("captions", captions), ("images", images), ("ngrams", ngrams)):
        tables.save(name, folder / f"{name}.parquet", tables.from_rows(name, rows))


def run(folder: Path, params: LdaParams = PARAMS, seed: int = 3) -> Outcome:
    inputs = [folder / f"{name}.parquet" for name in ("images", "captions", "ngrams")]
    return train_lda(*inputs, folder / "topics.parquet", folder / "words.parquet", folder / "model", params, seed)


def test_topics_follow_subjects(tmp_path: Path) -> None:
    write(tmp_path)
    outcome = run(tmp_path)
    table = tables.load("topics", tmp_path / "topics.parquet")
    shares = np.array(table["topics"].to_pylist())
    assert table["image_id"].to_pylist() == [f"i{n:02d}" for n in range(60)]
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, atol=1e-5)
    best = shares.argmax(axis=1)
    assert len(set(best[::2])) == len(set(best[1::2])) == 1
    assert best[0] != best[1]
    assert outcome.metrics["documents"] == 60
    assert len(outcome.plots["topics"]) == 2
    words = np.array(tables.load("words", tmp_path / "words.parquet")["words"].to_pylist())
    np.testing.assert_allclose(words.sum(axis=1), 1.0, atol=1e-5)
    model = TopicModel.load(tmp_path / "model")
    assert model.infer(["sea", "wave"]).argmax() == best[0]
    assert "photo" not in model.vocabulary


def test_the_same_input_and_seed_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write(tmp_path / name)
        run(tmp_path / name)
    for file in ("topics.parquet", "words.parquet", "model/lda.safetensors", "model/topics.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_held_back_images_shape_nothing_and_a_strange_one_gets_no_topics(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    write(tmp_path / "one")
    write(tmp_path / "two", {"i55": ["castle"] * 4, "i45": ["sea", "castle", "castle"]})
    run(tmp_path / "one")
    outcome = run(tmp_path / "two")
    model = [(tmp_path / name / "model" / "lda.safetensors").read_bytes() for name in ("one", "two")]
    assert model[0] == model[1]
    assert outcome.metrics["documents_empty"] == 1
    assert "i55" not in tables.load("topics", tmp_path / "two" / "topics.parquet")["image_id"].to_pylist()


def test_a_word_of_every_image_stays_where_few_comments_have_it(tmp_path: Path) -> None:
    write(tmp_path, more=(["man"], ["shot"], ["shot"], ["shot"]))
    vocabularies = {}
    for texts in ("comments", "documents"):
        run(tmp_path, PARAMS.model_copy(update={"max_share": 0.5, "share_of": texts}))
        vocabularies[texts] = set(TopicModel.load(tmp_path / "model").vocabulary)
    assert vocabularies["comments"] - vocabularies["documents"] == {"man"}
    assert "shot" not in vocabularies["comments"]


def test_one_topic_an_image_where_that_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("photocritic.topics.topic_labels.TERMS", len(SUBJECTS[0]))  # all have ten terms
    write(tmp_path)
    soft = run(tmp_path)
    best = np.array(tables.load("topics", tmp_path / "topics.parquet")["topics"].to_pylist()).argmax(axis=1)
    outcome = run(tmp_path, PARAMS.model_copy(update={"label": "top_topic"}))
    rows = np.array(tables.load("topics", tmp_path / "topics.parquet")["topics"].to_pylist())
    assert set(rows.ravel()) == {0.0, 1.0}
    assert rows.sum(axis=1).tolist() == [1.0] * 60
    assert (rows.argmax(axis=1) == best).all()
    assert outcome.metrics["topics_dropped"] == outcome.metrics["images_unlabelled"] == 0
    assert outcome.metrics["effective_topics"] == soft.metrics["effective_topics"]


def test_images_without_a_usable_topic_have_no_label(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path)
    run(tmp_path)
    first = TopicModel.load(tmp_path / "model").terms.max(axis=1)
    monkeypatch.setattr("photocritic.topics.topic_labels.VAGUE", first.min())
    monkeypatch.setattr("photocritic.topics.topic_labels.CANDIDATES", 1)
    outcome = run(tmp_path, PARAMS.model_copy(update={"label": "top_topic"}))
    table = tables.load("topics", tmp_path / "topics.parquet")
    assert outcome.metrics["topics_dropped"] == 1
    assert 0 < outcome.metrics["images_unlabelled"] == 60 - table.num_rows
    monkeypatch.setattr("photocritic.topics.topic_labels.VAGUE", 1.0)
    with pytest.raises(PhotocriticError, match=r"lda\.label=top_topic: 2 of 2 topics"):
        run(tmp_path, PARAMS.model_copy(update={"label": "top_topic"}))


def test_all_measures_of_coherence_are_told(tmp_path: Path) -> None:
    write(tmp_path)
    metrics = run(tmp_path).metrics
    assert metrics["coherence_u_mass"] < 0
    assert -1 <= metrics["coherence_npmi"] <= 1
    assert 0 < metrics["coherence_c_v"] <= 1
    assert 0 < metrics["topic_diversity"] <= 1


def test_more_topics_than_terms_is_refused_in_one_line(tmp_path: Path) -> None:
    write(tmp_path)
    with pytest.raises(PhotocriticError, match=r"lda\.topics=99 but the vocabulary has 10 terms") as error:
        run(tmp_path, PARAMS.model_copy(update={"topics": 99}))
    assert "\n" not in str(error.value)
    assert not (tmp_path / "topics.parquet").exists()


def test_without_content_words_the_words_table_has_no_rows(tmp_path: Path) -> None:
    write(tmp_path)
    outcome = run(tmp_path, PARAMS.model_copy(update={"words": 0}))
    assert tables.load("words", tmp_path / "words.parquet").num_rows == 0
    assert outcome.metrics["words"] == 0
    assert json.loads((tmp_path / "model" / "vocabulary.json").read_text())

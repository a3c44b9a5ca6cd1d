"""Judges of styles learn from one split and are measured on another; captions for them are read by split."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from photocritic import tables, validation
from photocritic.config import StyleJudgesParams
from photocritic.core.errors import PhotocriticError, TrainingError
from photocritic.styles.judges import Judges, fit_judges
from photocritic.styles.styled_captions import Caption, SplitCaptions, read_styled_captions
from photocritic.training.recipe import TrainingRun

PARAMS = StyleJudgesParams(epochs=8, learning_rate=2e-3, batch_size=16)
MARKS = {"humorous": "hunting bones", "romantic": "in love", "factual": "out there"}


def captions(count: int, seed: int) -> SplitCaptions:
    """Make so many captions of each class, which its mark tells."""
    random = np.random.default_rng(seed)
    nouns = ["dog", "cat", "man", "girl", "boy", "bird"]
    made = {
        style: [Caption(f"i{n}", ["a", str(random.choice(nouns)), "runs", *mark.split()], style) for n in range(count)]
        for style, mark in MARKS.items()
    }
    return SplitCaptions(made["humorous"] + made["romantic"], made["factual"])


NOTHING = SplitCaptions([], [])


@pytest.fixture(scope="module")
def judges(tmp_path_factory: pytest.TempPathFactory) -> Judges:
    return fit_judges(
        captions(30, 0), NOTHING, PARAMS, TrainingRun(5, tmp_path_factory.mktemp("judges") / "checkpoint")
    )


def test_judges_tell_the_styles_and_are_perplexed_by_others(judges: Judges) -> None:
    test = captions(10, 1)
    measured = judges.quality(test, 5)
    assert measured.accuracy == 1.0
    assert measured.by_class == {"factual": 1.0, "humorous": 1.0, "romantic": 1.0}
    assert measured.learned == {"factual": 30, "humorous": 30, "romantic": 30}
    assert measured.tried == {"factual": 10, "humorous": 10, "romantic": 10}
    assert judges.accuracy(test.words("romantic"), "humorous") == 0.0
    assert judges.perplexity(test.words("romantic"), "humorous") > 2 * measured.perplexity["humorous"]


def test_a_wrong_class_counts_against_the_classifier(judges: Judges) -> None:
    jokes = captions(10, 1).words("humorous")
    mistaken = [Caption("i", words, "romantic") for words in jokes[:5]]
    right = [Caption("i", words, "humorous") for words in jokes[5:]]
    measured = judges.quality(SplitCaptions(mistaken + right, []), 5)
    assert measured.accuracy == 0.5
    assert measured.by_class == {"humorous": 1.0, "romantic": 0.0}


def test_training_that_was_killed_goes_on_to_the_same_judges(judges: Judges, tmp_path: Path) -> None:
    class Killed(Exception):
        pass

    def kill(epoch: int, _: dict[str, float]) -> None:
        if epoch == 4:
            raise Killed

    with pytest.raises(Killed):
        fit_judges(captions(30, 0), NOTHING, PARAMS, TrainingRun(5, tmp_path / "checkpoint", on_epoch=kill))
    again = fit_judges(captions(30, 0), NOTHING, PARAMS, TrainingRun(5, tmp_path / "checkpoint"))
    words = captions(4, 2).words("humorous")
    np.testing.assert_array_equal(again.classifier.probabilities(words), judges.classifier.probabilities(words))


def test_saved_judges_judge_alike(judges: Judges, tmp_path: Path) -> None:
    judges.save(tmp_path / "judges")
    loaded = Judges.load(tmp_path / "judges")
    assert loaded is not None
    assert loaded.classifier.classes == judges.classifier.classes
    assert (loaded.learned, loaded.curve) == (judges.learned, judges.curve)
    test = captions(10, 1)
    for style in ("humorous", "romantic"):
        words = test.words(style)
        np.testing.assert_array_equal(loaded.classifier.probabilities(words), judges.classifier.probabilities(words))
        for known, again in zip(judges.classifier.importance(words), loaded.classifier.importance(words), strict=True):
            np.testing.assert_array_equal(known, again)
        assert loaded.perplexity(words, style) == judges.perplexity(words, style)


def test_damaged_judges_are_refused_in_one_line(judges: Judges, tmp_path: Path) -> None:
    for name in ("judges.json", "language_models/humorous.json", "classifier/model.safetensors"):
        judges.save(tmp_path / "judges")
        (tmp_path / "judges" / name).write_bytes(b"{")
        with pytest.raises(TrainingError, match="run style_judges again") as error:
            Judges.load(tmp_path / "judges")
        assert "\n" not in str(error.value)


def test_no_more_factual_captions_than_the_commonest_style_has() -> None:
    some = captions(10, 0)
    fewer = SplitCaptions([one for one in some.styled if one.style == "humorous"][:4], some.factual)
    labelled = fewer.labelled(3)
    assert labelled.labels == ["humorous"] * 4 + ["factual"] * 4
    assert labelled == fewer.labelled(3)
    assert fewer.labelled(3, {"factual"}).labels == ["factual"] * 4


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write two tables: a joke of seven words under a training image, and factual captions of several lengths."""
    monkeypatch.setattr(validation, "check", lambda *args, **facts: None)  # the gates' own tests try them
    images = [
        {"image_id": name, "path": "", "width": 0, "height": 0, "format": "", "sha256": "", "split": name, "labels": []}
        for name in ("train", "val", "test")
    ]
    said = [
        ("train", "humorous", 7, True),
        ("train", "humorous", 3, True),
        ("test", "humorous", 20, True),
        ("test", "humorous", 9, False),
        *((name, None, length, True) for name in ("train", "val", "test") for length in (4, 8, 19)),
    ]
    rows: list[dict[str, Any]] = [
        {
            "comment_id": str(number), "image_id": image, "author_id": None, "text": "t", "style": style, "source": "s",
            "sentence": 0, "cleaned": "word", "tokens": ["word"] * length, "ngrams": [], "form": None, "score": 1.0,
            "kept": kept, "reason": "" if kept else "score",
        }
        for number, (image, style, length, kept) in enumerate(said)
    ]  # fmt: skip
    for table, some in (("images", images), ("captions", rows)):
        tables.save(table, tmp_path / f"{table}.parquet", tables.from_rows(table, some))
    return tmp_path


def test_a_factual_caption_is_as_long_as_the_stylised_ones_of_training_images(corpus: Path) -> None:
    found = read_styled_captions(corpus / "images.parquet", corpus / "captions.parquet")
    assert {name: [len(one.words) for one in some.factual] for name, some in found.items()} == {
        "train": [8], "val": [8], "test": [8],
    }  # fmt: skip
    assert {name: [len(one.words) for one in some.styled] for name, some in found.items()} == {
        "train": [7], "val": [], "test": [20],
    }  # fmt: skip
    chosen = read_styled_captions(corpus / "images.parquet", corpus / "captions.parquet", among={"test"})
    assert [len(chosen[name].factual) for name in ("train", "val", "test")] == [0, 0, 1]


def test_a_style_called_as_what_has_none_is_refused(corpus: Path) -> None:
    rows = tables.load("captions", corpus / "captions.parquet").to_pylist()
    rows[0]["style"] = "factual"
    tables.save("captions", corpus / "captions.parquet", tables.from_rows("captions", rows))
    with pytest.raises(PhotocriticError, match="a style is called 'factual'"):
        read_styled_captions(corpus / "images.parquet", corpus / "captions.parquet")

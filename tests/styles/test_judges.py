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
    assert measured.by_style == {"humorous": 1.0, "romantic": 1.0}
    assert measured.learned == {"humorous": 60, "romantic": 60}
    assert measured.tried == {"humorous": 20, "romantic": 20}
    for style in ("humorous", "romantic"):
        assert judges.accuracy(test.words(style), style) == 1.0
        assert judges.accuracy([one.words for one in test.factual], style) == 0.0
    assert judges.perplexity(test.words("romantic"), "humorous") > 2 * measured.perplexity["humorous"]


def test_a_wrong_class_counts_against_the_classifier(judges: Judges) -> None:
    some = captions(10, 1)
    plain = [Caption("i", one.words, "romantic") for one in some.factual]
    jokes = [one for one in some.styled if one.style == "humorous"]
    measured = judges.quality(SplitCaptions(plain + jokes, some.factual), 5)
    assert measured.by_style == {"humorous": 1.0, "romantic": 0.5}
    assert measured.accuracy == 0.75


def test_a_style_is_learned_without_the_other_ones(judges: Judges, tmp_path: Path) -> None:
    some = captions(30, 0)
    alone = SplitCaptions([one for one in some.styled if one.style == "romantic"], some.factual)
    found = fit_judges(alone, NOTHING, PARAMS, TrainingRun(5, tmp_path / "checkpoint"))
    words = captions(4, 2).words("romantic")
    assert [*found.classifiers] == ["romantic"]
    np.testing.assert_array_equal(
        found.classifiers["romantic"].probabilities(words), judges.classifiers["romantic"].probabilities(words)
    )


@pytest.mark.parametrize("last", [4, 12], ids=["the first style", "the second style"])
def test_training_that_was_killed_goes_on_to_the_same_judges(judges: Judges, tmp_path: Path, last: int) -> None:
    class Killed(Exception):
        pass

    def kill(epoch: int, _: dict[str, float]) -> None:
        if epoch == last:
            raise Killed

    with pytest.raises(Killed):
        fit_judges(captions(30, 0), NOTHING, PARAMS, TrainingRun(5, tmp_path / "checkpoint", on_epoch=kill))
    epochs: list[int] = []
    run = TrainingRun(5, tmp_path / "checkpoint", on_epoch=lambda epoch, _: epochs.append(epoch))
    again = fit_judges(captions(30, 0), NOTHING, PARAMS, run)
    assert epochs == [*range(1, 2 * PARAMS.epochs + 1)]
    words = captions(4, 2).words("humorous")
    for style, classifier in again.classifiers.items():
        np.testing.assert_array_equal(classifier.probabilities(words), judges.classifiers[style].probabilities(words))


def test_saved_judges_judge_alike(judges: Judges, tmp_path: Path) -> None:
    judges.save(tmp_path / "judges")
    loaded = Judges.load(tmp_path / "judges")
    assert loaded is not None
    assert {style: one.style for style, one in loaded.classifiers.items()} == {
        "humorous": "humorous", "romantic": "romantic",
    }  # fmt: skip
    assert (loaded.learned, loaded.curves) == (judges.learned, judges.curves)
    test = captions(10, 1)
    for style in ("humorous", "romantic"):
        words = test.words(style)
        before, after = judges.classifiers[style], loaded.classifiers[style]
        np.testing.assert_array_equal(after.probabilities(words), before.probabilities(words))
        for known, again in zip(before.importance(words), after.importance(words), strict=True):
            np.testing.assert_array_equal(known, again)
        assert loaded.perplexity(words, style) == judges.perplexity(words, style)


def test_damaged_judges_are_refused_in_one_line(judges: Judges, tmp_path: Path) -> None:
    for name in ("judges.json", "language_models/humorous.json", "classifiers/romantic/model.safetensors"):
        judges.save(tmp_path / "judges")
        (tmp_path / "judges" / name).write_bytes(b"{")
        with pytest.raises(TrainingError, match="run style_judges again") as error:
            Judges.load(tmp_path / "judges")
        assert "\n" not in str(error.value)


def test_judges_of_an_earlier_version_are_refused(judges: Judges, tmp_path: Path) -> None:
    judges.save(tmp_path / "judges")
    (tmp_path / "judges" / "judges.json").write_text('{"classes": ["factual", "humorous"], "learned": {}, "curve": []}')
    with pytest.raises(TrainingError, match="run style_judges again"):
        Judges.load(tmp_path / "judges")


def test_as_many_factual_captions_as_the_style_has() -> None:
    some = captions(10, 0)
    rare = [one for one in some.styled if one.style == "humorous"][:4]
    fewer = SplitCaptions([one for one in some.styled if one.style == "romantic"] + rare, some.factual)
    labelled = fewer.labelled("humorous", 3)
    assert labelled.in_style == [True] * 4 + [False] * 4
    assert labelled.sentences[:4] == [one.words for one in rare]
    assert labelled == fewer.labelled("humorous", 3)
    assert fewer.labelled("romantic", 3).in_style == [True] * 10 + [False] * 10
    assert fewer.labelled("sad", 3).sentences == []


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

"""The whole stage: every comment comes out once, with the first reason that rejected it."""

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic import files, tables
from photocritic.errors import ParamsError, PhotocriticError
from photocritic.filtering import filter_comments, registry, score_texts
from photocritic.filtering.contract import apply
from photocritic.filtering.run import annotate, new_batch
from photocritic.language import Tagger
from photocritic.outcome import Outcome
from photocritic.params import FilterParams, LanguageParams

INFORMATIVE = "The soft golden light on the old wooden boat contrasts with the dark stormy sky behind the harbor."
COMMENTS = [
    (INFORMATIVE, None, ""),
    ("nice shot", None, "too_few_tokens"),
    ("I love the colors here", None, "uninformative"),
    ("http://example.org/x :)", None, "empty"),
    ("Très belle photo, j'aime les couleurs et la lumière", None, "not_english"),
    ("Good luck in the challenge, my vote is yours for the lovely composition!", None, "contest_words"),
    ("light " * 100, None, "too_many_tokens"),
    ("woooow, this boat sails to my heart!!!!", "romantic", ""),
    ("my vote goes to the boat", "humorous", ""),
]


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger()


def write(path: Path, texts: list[tuple[str, str | None]]) -> Path:
    rows: list[dict[str, Any]] = [
        {
            "comment_id": f"c{i}",
            "image_id": f"i{i // 3}",
            "author_id": None,
            "text": text,
            "style": style,
            "source": "test",
        }
        for i, (text, style) in enumerate(texts)
    ]
    tables.save("comments", path, tables.from_rows("comments", rows))
    return path


def run(folder: Path, texts: list[tuple[str, str | None]], **params: Any) -> tuple[list[dict[str, Any]], Outcome]:
    comments = write(folder / "comments.parquet", texts)
    outcome = filter_comments(
        comments, folder / "captions.parquet", folder / "ngrams.parquet", FilterParams(**params), LanguageParams()
    )
    return tables.load("captions", folder / "captions.parquet").to_pylist(), outcome


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict[str, Any]], Outcome, Path]:
    folder = tmp_path_factory.mktemp("filter")
    rows, outcome = run(folder, [(text, style) for text, style, _ in COMMENTS], threshold=8.0)
    return rows, outcome, folder


def test_first_reasons(judged: tuple[list[dict[str, Any]], Outcome, Path]) -> None:
    rows, _, _ = judged
    assert [row["reason"] for row in rows] == [reason for _, _, reason in COMMENTS]
    assert all(row["kept"] == (row["reason"] == "") for row in rows)


def test_originals_stay_and_tokens_are_cleaned(judged: tuple[list[dict[str, Any]], Outcome, Path]) -> None:
    rows, _, _ = judged
    assert [row["text"] for row in rows] == [text for text, _, _ in COMMENTS]
    assert rows[7]["tokens"][0] == "wow"
    assert "golden_light" in rows[0]["ngrams"]
    assert "boat" in rows[0]["ngrams"]


def test_counts_add_up(judged: tuple[list[dict[str, Any]], Outcome, Path]) -> None:
    rows, outcome, _ = judged
    metrics = outcome.metrics
    rejected = {
        name.removeprefix("rejected_"): count for name, count in metrics.items() if name.startswith("rejected_")
    }
    assert metrics["comments"] == len(rows) == metrics["kept"] + sum(rejected.values())
    assert +Counter(rejected) == Counter(row["reason"] for row in rows if row["reason"])
    assert sum(row["kept"] + row["rejected"] for row in outcome.plots["scores"]) == len(rows)
    assert metrics["styled"] == 2
    assert outcome.figures["scores"].axes


def test_new_texts_score_as_the_corpus_did(judged: tuple[list[dict[str, Any]], Outcome, Path]) -> None:
    rows, _, folder = judged
    texts = [text for text, style, _ in COMMENTS if style is None]
    again = list(score_texts(texts, folder / "ngrams.parquet", FilterParams(threshold=8.0), LanguageParams()))
    for row, new in zip(rows, again, strict=False):
        assert (new.text, new.tokens, new.reason) == (row["text"], row["tokens"], row["reason"])
        assert new.score == pytest.approx(row["score"])


def test_the_same_input_gives_the_same_bytes(
    judged: tuple[list[dict[str, Any]], Outcome, Path], tmp_path: Path
) -> None:
    run(tmp_path, [(text, style) for text, style, _ in COMMENTS], threshold=8.0)
    for name in ("captions.parquet", "ngrams.parquet"):
        assert files.sha256(tmp_path / name) == files.sha256(judged[2] / name)


def test_switches(tmp_path: Path) -> None:
    texts = [(text, style) for text, style, _ in COMMENTS]
    rows, _ = run(tmp_path, texts, threshold=8.0, upper=9.0, contest_words=False, english_only=False, min_tokens=0)
    reasons = [row["reason"] for row in rows]
    assert reasons[0] == "above_upper"
    assert not {"contest_words", "not_english", "too_few_tokens"} & set(reasons)
    assert reasons[-2:] == ["", ""]


@pytest.mark.parametrize("texts", [[], [(":) !!!", None)]])
def test_nothing_to_judge_is_one_clear_line(tmp_path: Path, texts: list[tuple[str, str | None]]) -> None:
    with pytest.raises(PhotocriticError) as caught:
        run(tmp_path, texts)
    assert "comments" in str(caught.value)
    assert not (tmp_path / "captions.parquet").exists()


def test_an_unknown_filter_is_refused() -> None:
    with pytest.raises(ParamsError, match="nonsense"):
        registry.create("nonsense", FilterParams())
    assert set(registry.available()) == {"contest", "empty", "english", "informative", "length"}


HOSTILE = [
    "\u202eright to left\u202c \u05e9\u05dc\u05d5\u05dd",
    "\x00\x07control\x1f",
    "?!.,;:" * 50,
    "a" * 20_000,
    "soft light " * 2_000,
    "\U0001f600" * 500,
    "<" * 5_000 + "b>",
    "https://" * 2_000,
    "_a_b_ c_d",
    "\ud7ff\ufffd\uffff",
    "o" * 3_000 + "h " + "ab" * 40 + "ccc" * 40,
]


def test_hostile_texts_are_judged_and_none_is_lost(tmp_path: Path) -> None:
    texts = [INFORMATIVE, *HOSTILE, "two dogs"]
    rows, outcome = run(tmp_path, [(text, None) for text in texts], threshold=8.0)
    assert [row["text"] for row in rows] == texts
    assert outcome.metrics["comments"] == len(texts)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_new_text_is_judged(tagger: Tagger, text: str) -> None:
    batch = annotate(new_batch(pa.table({"text": [text], "style": pa.nulls(1, pa.string())})), tagger)
    for rule in registry.chain(FilterParams()):
        apply(rule, batch)
    assert len(batch.reasons) == len(batch.tokens) == len(batch.scores) == 1
    assert batch.scores[0] >= 0.0

"""The whole filter: every comment comes out once, with the first reason that rejected it."""

from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from photocritic import tables
from photocritic.config import FilterParams, LanguageParams
from photocritic.core import files
from photocritic.core.errors import GateFailed
from photocritic.core.outcome import Outcome
from photocritic.filtering import out_of_core, passes
from photocritic.filtering.filter_comments import filter_comments
from photocritic.filtering.funnel_figures import filter_figures

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
TEXTS = [(text, style) for text, style, _ in COMMENTS]
SUBJECTS, PLACES = ["boat", "dog", "church", "bridge", "girl"], ["harbor", "field", "river", "street", "hill"]
MANY = [
    (f"The {light} light on the {subject} by the {place} is {judged}.", None)
    for light, subject, place, judged in product(
        ["soft", "harsh", "golden", "dim"], SUBJECTS, PLACES, ["lovely", "too bright", "just right"]
    )
] + [("nice shot", None), ("wooow", None)]
UNITS = pytest.mark.parametrize("unit", ["comment", "sentence"])
SEVERAL = [(f"{text} Nice shot! i like it. {text}", style) for text, style in MANY[::2]]  # rows a comment: 4


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
        comments,
        None,
        folder / "captions.parquet",
        folder / "ngrams.parquet",
        FilterParams(**params),
        LanguageParams(),
        folder / "work",
    )
    assert not (folder / "work").exists()
    return tables.load("captions", folder / "captions.parquet").to_pylist(), outcome


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict[str, Any]], Outcome]:
    return run(tmp_path_factory.mktemp("filter"), TEXTS, threshold=8.0)


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out_of_core, "SHARD", 40)
    monkeypatch.setattr(out_of_core, "PART", 60)
    monkeypatch.setattr("photocritic.filtering.filters.score._TOGETHER", 2)


def test_first_reasons(judged: tuple[list[dict[str, Any]], Outcome]) -> None:
    rows, _ = judged
    assert [row["reason"] for row in rows] == [reason for _, _, reason in COMMENTS]
    assert all(row["kept"] == (row["reason"] == "") for row in rows)


def test_originals_stay_and_tokens_are_cleaned(judged: tuple[list[dict[str, Any]], Outcome]) -> None:
    rows, _ = judged
    assert [row["text"] for row in rows] == [text for text, _, _ in COMMENTS]
    assert rows[7]["cleaned"] == "wow, this boat sails to my heart!"
    assert rows[7]["tokens"][0] == "wow"
    assert "golden_light" in rows[0]["ngrams"]
    assert "boat" in rows[0]["ngrams"]


def test_counts_add_up(judged: tuple[list[dict[str, Any]], Outcome]) -> None:
    rows, outcome = judged
    metrics = outcome.metrics
    rejected = {
        name.removeprefix("rejected_"): count for name, count in metrics.items() if name.startswith("rejected_")
    }
    assert metrics["comments"] == len(rows) == metrics["kept"] + sum(rejected.values())
    assert +Counter(rejected) == Counter(row["reason"] for row in rows if row["reason"])
    assert sum(row["kept"] + row["rejected"] for row in outcome.plots["scores"]) == len(rows)
    assert metrics["styled"] == 2
    assert (outcome.plots["funnel"][0]["left"], outcome.plots["funnel"][-1]["left"]) == (len(rows), metrics["kept"])
    drawn = filter_figures(outcome, FilterParams(threshold=8.0))
    assert drawn["scores"].axes
    assert drawn["funnel"].axes


def test_examples_of_every_rejection_and_of_every_decile(judged: tuple[list[dict[str, Any]], Outcome]) -> None:
    rows, outcome = judged
    shown = {row["reason"]: row["text"] for row in outcome.tables["rejected_examples"]}
    assert shown == {row["reason"]: row["text"] for row in rows if row["reason"]}
    assert {row["text"] for row in outcome.tables["score_deciles"]} <= {text for text, style in TEXTS if style is None}


@UNITS
def test_the_same_bytes_in_one_batch_and_in_many(tmp_path: Path, small_batches: None, unit: str) -> None:
    chain = ["clean", "spelling", "score", {"repeated": {"authors": 1, "images": 1}}]
    params = {"score": ["informativeness", "agreement"], "threshold": "keep 0.5", "unit": unit}
    params |= {"chain": chain} if unit == "sentence" else {}
    run(tmp_path / "many", MANY + SEVERAL, **params)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(out_of_core, "SHARD", 5000)
        run(tmp_path / "one", MANY + SEVERAL, **params)
    for name in ("captions.parquet", "ngrams.parquet"):
        many, one = (tables.load(name.partition(".")[0], tmp_path / way / name) for way in ("many", "one"))
        assert many.drop_columns(["score"] * ("score" in many.column_names)).equals(
            one.drop_columns(["score"] * ("score" in one.column_names))
        )
    assert sum(tables.load("captions", tmp_path / "many" / "captions.parquet").column("kept").to_pylist()) > 0


@UNITS
def test_a_run_that_broke_off_goes_on_where_it_was(
    tmp_path: Path, small_batches: None, monkeypatch: pytest.MonkeyPatch, unit: str
) -> None:
    texts = MANY if unit == "comment" else SEVERAL + MANY
    run(tmp_path / "whole", texts, unit=unit)
    carry, done = passes.Worker.run, []

    def breaks(worker: passes.Worker, number: int, shard: int) -> int:
        if len(done) == 12:
            raise KeyboardInterrupt
        done.append((number, shard))
        return carry(worker, number, shard)

    monkeypatch.setattr(passes.Worker, "run", breaks)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "broken", texts, unit=unit)
    assert not (tmp_path / "broken" / "captions.parquet").exists()
    first = list(done)
    done.clear()
    monkeypatch.setattr(passes.Worker, "run", lambda *job: done.append(job[1:]) or carry(*job))
    run(tmp_path / "broken", texts, unit=unit)
    assert not set(first) & set(done), "no batch is done twice"
    for name in ("captions.parquet", "ngrams.parquet"):
        assert files.sha256(tmp_path / "whole" / name) == files.sha256(tmp_path / "broken" / name)


def test_sentences_are_judged_each_for_itself(tmp_path: Path) -> None:
    texts = [
        (f"Nice shot! {INFORMATIVE} my vote", None),
        ("wow. I like it.", "romantic"),
        (INFORMATIVE, None),
        ("hm", None),
    ]
    rows, outcome = run(tmp_path, texts, unit="sentence", threshold=8.0)
    found = [(row["comment_id"], row["sentence"], row["text"], row["reason"]) for row in rows]
    assert found == [
        ("c0", 0, "Nice shot!", "too_few_tokens"),
        ("c0", 1, INFORMATIVE, ""),
        ("c0", 2, "my vote", "too_few_tokens"),
        ("c1", 0, "wow. I like it.", ""),
        ("c2", 0, INFORMATIVE, ""),
        ("c3", 0, "hm", "too_few_tokens"),
    ]
    assert [outcome.metrics[name] for name in ("comments", "sentences", "kept", "kept_comments")] == [4, 6, 3, 3]


def test_a_comment_that_is_lost_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    captions = passes._captions
    monkeypatch.setattr(passes, "_captions", lambda batch: captions(batch).slice(2))
    with pytest.raises(GateFailed, match="captions of 2 comments, as many as went in; found 1"):
        run(tmp_path, [("One boat. Two boats.", None), ("A dog.", None)], unit="sentence")
    assert not (tmp_path / "captions.parquet").exists()


def test_stylised_captions_pass_and_switches_switch(tmp_path: Path) -> None:
    rows, _ = run(tmp_path, TEXTS, chain=["clean", "spelling", "empty", "score"], threshold=8.0, upper=9.0)
    reasons = [row["reason"] for row in rows]
    assert reasons[0] == "above_upper"
    assert not {"contest_words", "not_english", "too_few_tokens"} & set(reasons)
    assert reasons[-2:] == ["", ""]


def test_a_chain_without_a_score_scores_nothing(tmp_path: Path) -> None:
    rows, outcome = run(tmp_path, TEXTS, chain=["clean", "length"])
    assert {row["score"] for row in rows} == {0.0}
    assert "threshold" not in outcome.metrics
    assert tables.load("ngrams", tmp_path / "ngrams.parquet").num_rows > 0


@pytest.mark.parametrize("chain", [["clean", "contest"], ["clean", "contest", "score"]])
def test_ngrams_are_counted_over_all_but_stylised_comments(tmp_path: Path, chain: list[str]) -> None:
    rows, _ = run(tmp_path, TEXTS, chain=chain, min_count=1)
    counts = Counter(ngram for row in rows if row["style"] is None for ngram in row["ngrams"])
    table = tables.load("ngrams", tmp_path / "ngrams.parquet")
    assert dict(zip(table["ngram"].to_pylist(), table["count"].to_pylist(), strict=True)) == counts
    assert counts["lovely_composition"] == 1, "of a comment that was rejected for its words about the contest"


def test_a_column_of_a_filter_reaches_the_filters_of_the_next_pass(tmp_path: Path) -> None:
    texts = [("A dog on the meadow.", None)] * 3 + [("A boat in the harbor.", None)]
    rows, _ = run(tmp_path, texts, chain=["hypernyms", {"entity_types": {"more_than": 2}}])
    assert [row["reason"] for row in rows] == ["", "", "", "rare_entity_type"]


def test_comments_that_a_filter_could_not_check_are_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    texts = [("A dog on the meadow.", None)] * 3 + [("http://example.org/x", None)]
    chain = [
        "clean",
        "empty",
        "image_text",
        "hypernyms",
        {"entity_types": {"more_than": 2}},
    ]  # counted before a pass ends
    _, outcome = run(tmp_path, texts, chain=chain)
    assert outcome.metrics["without_labels"] == 3
    assert "image_text: 3 of 4 comments are on images without labels, and passed unchecked" in caplog.messages
    assert [row["step"] for row in outcome.tables["funnel_shares"]][1:] == [
        "image-text-based filtering", "text transformation", "entity types",
    ]  # fmt: skip


def test_no_comment_at_all_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(GateFailed, match="comments"):
        run(tmp_path, [])


HOSTILE = [
    "\u202eright to left\u202c \u05e9\u05dc\u05d5\u05dd",
    "\x01\x07control\x1f",  # neither zeros nor U+FFFD: the gate of comments lets no such text in
    "?!.,;:" * 50,
    "a" * 20_000,
    "soft light " * 2_000,
    "\U0001f600" * 500,
    "<" * 5_000 + "b>",
    "https://" * 2_000,
    "_a_b_ c_d",
    "\ud7ff\uffff",
    "o" * 3_000 + "h " + "ab" * 40 + "ccc" * 40,
    "a. " * 6_000,
    "\n".join("a.b!c?:)" * 3 for _ in range(500)),
]


@UNITS
def test_hostile_texts_are_judged_and_none_is_lost(tmp_path: Path, unit: str) -> None:
    texts = [INFORMATIVE, *HOSTILE, "two dogs"]
    rows, outcome = run(tmp_path, [(text, None) for text in texts], threshold=8.0, unit=unit)
    found = [""] * len(texts)
    for row in rows:
        found[int(row["comment_id"][1:])] += row["text"] if unit == "comment" else "".join(row["text"].split())
    assert found == (texts if unit == "comment" else ["".join(text.split()) for text in texts])
    assert outcome.metrics["comments"] == len(texts)

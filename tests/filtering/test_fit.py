"""What filters learn from a corpus, and from its training split alone (`filter.fit`)."""

import pytest

from photocritic import tables
from photocritic.config import FilterParams, LanguageParams
from photocritic.config.loader import check_for_filter
from photocritic.filtering import filter_interface
from photocritic.filtering.filter_comments import filter_comments
from photocritic.filtering.filter_file import filter_file
from tests.filtering.batches import batch, image, judge

HELD_BACK = {"t": image(split="test"), "u": image(split="test"), "v": image(split="val")}
CHAIN = ["clean", "spelling", "empty", {"rare_tokens": {"min_count": 3}}, "query_noun", "score", "repeated"]
LEARNED = [
    (subject, f"A {light} light on the {thing} by the {place}")
    for subject, thing, place in (("a", "boat", "harbor"), ("b", "dog", "river"), ("c", "church", "hill"))
    for light in ("soft", "golden", "dim", "soft", "golden", "dim")
]
FITS = ("train", "all")


def judged(tmp_path, fit, entry, texts, images, **params):
    """Judge texts by one filter, fitted on all comments or on those of training images."""
    (rule,) = filter_interface.chain(FilterParams(chain=[entry], fit=fit, **params))
    (found,) = judge(rule, batch(texts, images=images, known=HELD_BACK), folder=tmp_path)
    return found


def filtered(folder, texts, **params):
    """Run texts, each with its image, through the whole filter; return all captions and the table of n-grams."""
    folder.mkdir()
    rows = [
        {"comment_id": f"c{place}", "image_id": image_id, "author_id": f"a{place}", "text": text, "style": None,
         "source": "made"}
        for place, (image_id, text) in enumerate(texts)
    ]  # fmt: skip
    images = [
        {"image_id": name, "path": "", "width": 0, "height": 0, "format": "", "sha256": "", "phash": None,
         "split": HELD_BACK.get(name, image()).split, "labels": []}
        for name in dict.fromkeys(name for name, _ in texts)
    ]  # fmt: skip
    for name, some in {"comments": rows, "images": images}.items():
        tables.save(name, folder / f"{name}.parquet", tables.from_rows(name, some))
    paths = [folder / f"{name}.parquet" for name in ("comments", "images", "captions", "ngrams")]
    filter_comments(*paths, FilterParams(**params), LanguageParams(), folder / "work")
    return [tables.load(name, path).to_pylist() for name, path in zip(("captions", "ngrams"), paths[2:], strict=True)]


def outcomes(folder, held_back, **params):
    """Return what becomes of the training comments, and the n-grams, beside other held-back comments."""
    captions, ngrams = filtered(folder, LEARNED + held_back, **params)
    verdicts = [(row["cleaned"], row["score"], row["form"], row["reason"]) for row in captions[: len(LEARNED)]]
    return verdicts, ngrams


@pytest.mark.parametrize("score", ["informativeness", ["informativeness", "agreement"]])
def test_held_back_comments_change_nothing_for_those_of_training_images(tmp_path, score):
    params = {"chain": CHAIN, "score": score, "threshold": "auto", "min_count": 1}
    few = [("t", "A soft light on the boat"), ("v", "nice")]
    many = few + [("u", f"golden light on the {thing} by the harbour") for thing in ("boat", "boats", "dog", "cat") * 9]
    assert outcomes(tmp_path / "1", few, fit="train", **params) == outcomes(tmp_path / "2", many, fit="train", **params)
    assert outcomes(tmp_path / "3", few, fit="all", **params) != outcomes(tmp_path / "4", many, fit="all", **params)


def test_the_table_of_ngrams_is_of_training_comments_where_no_score_counts_them(tmp_path):
    held_back = [("t", "a zebra on a bridge")] * 3
    tables_of = (outcomes(tmp_path / fit, held_back, chain=["clean"], fit=fit)[1] for fit in FITS)
    assert ["zebra" in {row["ngram"] for row in ngrams} for ngrams in tables_of] == [False, True]


def test_typos_are_those_of_training_comments(tmp_path):
    texts = ["a backgruond blur", *["the background is soft"] * 60]
    images = ["a", *["t"] * 60]
    found = [judged(tmp_path / fit, fit, "spelling", texts, images).texts[0] for fit in FITS]
    assert found == ["a backgruond blur", "a background blur"]


def test_the_threshold_is_that_of_training_comments(tmp_path):
    texts = ["a soft light", "the golden light on a harbor bridge", *["nice"] * 8]
    images = ["a", "b", *["t"] * 8]
    kept = [
        judged(tmp_path / fit, fit, "score", texts, images, threshold="keep 0.5").reasons[:2].count("") for fit in FITS
    ]
    assert kept == [1, 2]


def test_a_held_back_comment_agrees_with_the_others_under_its_image(tmp_path):
    texts = [*[text for _, text in LEARNED], "a boat in the harbor", "the boat by the harbor", "the boat by the harbor"]
    images = [*[name for name, _ in LEARNED], "t", "t", "u"]
    scores = judged(tmp_path, "train", "score", texts, images, score="agreement").columns["score"]
    assert scores[-2] > scores[-1] > 0


def test_a_form_is_repeated_where_training_comments_repeat_it(tmp_path):
    texts = ["birds fly", "birds fly", "dogs run", "dogs run", "dogs run"]
    images = ["a", "t", "b", "c", "u"]
    found = [judged(tmp_path / fit, fit, "repeated", texts, images).reasons for fit in FITS]
    assert found == [["not_repeated", "not_repeated", "", "", ""], [""] * 5]


def test_a_file_without_splits_is_fitted_on_whole(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [f"{number}.jpg,{text}" for number, (_, text) in enumerate(LEARNED)]
    (tmp_path / "comments.csv").write_text("\n".join(["image,text", *lines]) + "\n", encoding="utf-8")
    found = []
    for fit in FITS:
        params = check_for_filter({"filter": {"chain": CHAIN, "threshold": "auto", "fit": fit}}, "the test")
        filter_file(tmp_path / "comments.csv", tmp_path / f"{fit}.parquet", params)
        found.append((tmp_path / f"{fit}.parquet").read_bytes())
    assert found[0] == found[1]

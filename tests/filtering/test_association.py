"""The association graph and its statistics, on captions that can be counted by hand."""

import pytest

from photocritic import tables
from photocritic.core.errors import TableError
from photocritic.filtering import out_of_core
from photocritic.filtering.association import associate
from photocritic.filtering.association_statistics import polarity

# form, text, image, author
FLY = "bird fly IN sky"
HOME = "home sweet home"
ROWS = [
    (FLY, "A bird flies in the sky", "a", "ann"),
    (FLY, "Birds flying in the sky", "b", "bob"),
    (FLY, "Birds flying in the sky", "c", "cat"),
    (HOME, "Home sweet home", "b", "ann"),
    (HOME, "home sweet home", "d", None),
    ("IN bridge", "Under the bridge", "a", "ann"),
    ("IN bridge", "under a bridge", "a", "bob"),
    ("IN bridge", "Under the bridge", "e", "bob"),
    ("bad day IN office", "Bad day at the office", "f", "ann"),
    ("bad day IN office", "Bad day at the office", "a", "bob"),
]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("photocritic.validation.check", lambda *args, **facts: None)


def caption(number, form, text, image, author, kept=True):
    return {
        "comment_id": f"c{number}", "image_id": image, "author_id": author, "text": f"<b>{text}</b>", "style": None,
        "source": "s", "tokens": [], "ngrams": [], "cleaned": text, "form": form, "score": 0.0, "kept": kept,
        "reason": "" if kept else "score",
    }  # fmt: skip


def image(name):
    return {
        "image_id": name, "path": "", "width": 0, "height": 0, "format": "", "sha256": "", "split": "train",
        "labels": [],
    }  # fmt: skip


@pytest.fixture
def associated(tmp_path):
    """Associate captions with images a to z; gives the outcome and the rows of both tables."""

    def run(captions):
        tables.save("captions", tmp_path / "c.parquet", tables.from_rows("captions", captions))
        images = tables.from_rows("images", [image(name) for name in "abcdefghijklmnopqrstuvwxyz"])
        tables.save("images", tmp_path / "i.parquet", images)
        outcome = associate(tmp_path / "c.parquet", tmp_path / "i.parquet", tmp_path / "out")
        read = [("forms", "captions"), ("edges", "edges")]
        return outcome, *(tables.load(table, tmp_path / "out" / f"{file}.parquet").to_pylist() for table, file in read)

    return run


@pytest.fixture
def corpus(associated):
    """Associate ROWS, with a rejected caption and one without a form among them."""
    captions = [caption(number, *row) for number, row in enumerate(ROWS)]
    return associated([caption(98, FLY, "Bird flies in sky", "z", "zoe", kept=False), *captions,
                       caption(99, None, "anything", "z", "zoe")])  # fmt: skip


def test_a_form_is_known_by_its_most_frequent_wording(corpus):
    _, forms, _ = corpus
    assert forms == [
        {
            "form": FLY, "caption": "Birds flying in the sky", "comments": 3, "images": 3, "authors": 3, "tokens": 5,
            "polarity": "neutral", "syntax": "verb",
        },
        {
            "form": "IN bridge", "caption": "Under the bridge", "comments": 3, "images": 2, "authors": 2, "tokens": 3,
            "polarity": "neutral", "syntax": "prep",
        },
        {
            "form": "bad day IN office", "caption": "Bad day at the office", "comments": 2, "images": 2, "authors": 2,
            "tokens": 5, "polarity": "negative", "syntax": "prep",
        },
        {
            "form": HOME, "caption": "Home sweet home", "comments": 2, "images": 2, "authors": 1, "tokens": 3,
            "polarity": "positive", "syntax": "adj",
        },
    ]  # fmt: skip


def test_edges_are_the_kept_comments_that_have_a_form(corpus):
    _, _, edges = corpus
    wanted = sorted((form, picture, f"c{n}", text, "original") for n, (form, text, picture, _) in enumerate(ROWS))
    assert sorted(tuple(edge.values()) for edge in edges) == wanted


def test_metrics_and_counts(corpus):
    outcome, _, _ = corpus
    assert outcome.metrics == {"forms": 4, "edges": 10, "associated_images": 6, "images_per_form": 9 / 4}
    assert outcome.tables["association_counts"] == [
        {"set": "corpus", "captions": 12, "images": 26},
        {"set": "repeated", "captions": 4, "images": 6},
    ]


def test_percentiles(corpus):
    outcome, _, _ = corpus
    images, tokens = outcome.tables["association_percentiles"]
    assert images == {
        "of": "images", "mean": 2.25, "std": 0.433, "25%": 2.0, "50%": 2.0, "75%": 2.25, "max": 3.0,
    }  # fmt: skip
    assert tokens["mean"] == 4.0


def test_sentiment_counts_strong_words(corpus):
    outcome, _, _ = corpus
    positive, negative = outcome.tables["association_sentiment"]
    assert positive["examples"] == "Home sweet home (2)"
    assert negative == {
        "polarity": "negative", "captions": 0.25, "mean_images": 2.0, "median_images": 2.0,
        "examples": "Bad day at the office (2)",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("happy bride and groom", "positive"),
        ("crying lightning", "negative"),
        ("a nice tree", "neutral"),
        ("happy but crying", "neutral"),
        ("a cat lying on a hand", "neutral"),
        ("", "neutral"),
    ],
)
def test_polarity_weighs_positive_against_negative_words(text, wanted):
    assert polarity(text.split()) == wanted


def test_syntactic_types(corpus):
    outcome, _, _ = corpus
    verb, prep, adj = outcome.tables["association_syntax"]
    assert verb == {
        "type": "verb", "captions": 0.25, "images": round(3 / 9, 4), "mean_images": 3.0, "std_images": 0.0,
        "top_words": "fly", "top_captions": "Birds flying in the sky (3)",
    }  # fmt: skip
    assert prep["top_words"] == "at, under"
    assert prep["top_captions"] == "Under the bridge (2); Bad day at the office (2)"
    assert adj["type"] == "adj"


def test_queries_count_an_image_once(corpus):
    outcome, _, _ = corpus
    by_images = {
        row["query"]: (row["images"], row["captions"]) for row in outcome.tables["association_queries_by_images"]
    }
    assert by_images["bird"] == (3, 1)
    assert by_images["bridge"] == (2, 1)
    assert next(iter(by_images)) == "bird"


@pytest.mark.parametrize("captions", [[], [caption(1, None, "a tree", "a", None)]])
def test_without_forms_there_are_empty_tables(associated, captions):
    outcome, forms, edges = associated(captions)
    assert (forms, edges, outcome.tables) == ([], [], {})
    assert outcome.metrics == {"forms": 0, "edges": 0, "associated_images": 0}


def test_forms_are_whole_however_many_parts_there_are(associated, monkeypatch):
    captions = [
        caption(number, f"form {number % 7}", f"wording {number % 3}", "abcdefghij"[number % 10], f"a{number % 4}")
        for number in range(210)
    ]
    one, forms, edges = associated(captions)
    monkeypatch.setattr(out_of_core, "PART", 20)
    many, same_forms, same_edges = associated(captions)
    assert (many.tables, many.metrics, same_forms) == (one.tables, one.metrics, forms)
    assert sorted(map(str, same_edges)) == sorted(map(str, edges))
    assert [form["form"] for form in forms] == [f"form {number}" for number in range(7)]
    assert {form["images"] for form in forms} == {10}


def test_a_caption_of_an_unknown_image_is_told(associated):
    with pytest.raises(TableError, match="'nowhere'"):
        associated([caption(1, "tree", "a tree", "nowhere", None)])

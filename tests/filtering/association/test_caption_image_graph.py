"""The association graph and its statistics, on captions that can be counted by hand."""

import networkx
import numpy as np
import pytest

from photocritic.core.errors import TableError
from photocritic.filtering import out_of_core
from photocritic.filtering.association.caption_description import polarity
from tests.filtering.association.graph_rows import FLY, HOME, ROWS, caption


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


def test_sentences_are_associated_one_by_one(associated):
    texts = [
        "A dog runs in the grass. Lovely light!",
        "The dog is running on grass",
        "Light of the morning. A dog runs in grass.",
    ]
    captions = [caption(number, None, text, "abc"[number], None) for number, text in enumerate(texts)]
    _, forms, edges = associated(captions, unit="sentence", form="content")
    assert [(row["form"], row["images"]) for row in forms] == [("dog run grass", 3)]
    assert [row["text"] for row in edges] == ["A dog runs in the grass.", texts[1], "A dog runs in grass."]
    assert not associated(captions, form="content")[1]


def test_a_comment_of_one_sentence_keeps_its_canonical_form(associated):
    captions = [caption(number, "known form", "a dog runs", "ab"[number], None) for number in range(2)]
    captions += [caption(9, "known form", "A cat sits. A dog runs.", "c", None)]
    _, forms, _ = associated(captions, unit="sentence")
    assert [(row["form"], row["images"]) for row in forms] == [("known form", 2)]


def test_edges_are_the_kept_comments_that_have_a_form(corpus):
    _, _, edges = corpus
    wanted = sorted((form, picture, f"c{n}", text, "original") for n, (form, text, picture, _) in enumerate(ROWS))
    assert sorted(tuple(edge.values()) for edge in edges) == wanted


def test_metrics_and_counts(corpus):
    outcome, _, _ = corpus
    assert outcome.metrics == {"forms": 4, "edges": 10, "associated_images": 6, "images_per_form": 9 / 4}
    assert outcome.tables["association_counts"] == [
        {"set": "corpus", "of": "captions", "here": 12, "paper": 760_000_000},
        {"set": "corpus", "of": "images", "here": 26, "paper": None},
        {"set": "main", "of": "captions", "here": 4, "paper": 176_780},
        {"set": "main", "of": "images", "here": 6, "paper": 3_967_524},
        {"set": "paraphrase, by people", "of": "triples", "here": None, "paper": 7_570},
        {"set": "paraphrase, automatic", "of": "triples", "here": 0, "paper": 353_560},
        {"set": "figurative, quotations", "of": "captions", "here": None, "paper": 6_088},
        {"set": "figurative, quotations", "of": "images", "here": None, "paper": 180_185},
        {"set": "figurative, predicted too", "of": "captions", "here": None, "paper": 18_179},
        {"set": "figurative, predicted too", "of": "images", "here": None, "paper": 413_698},
    ]


def test_captions_that_share_an_object_may_paraphrase_each_other(associated):
    """Of the dog's two captions two images each count; the cat has one caption alone, and an idea is no object."""
    of_forms = {"dog run": "abc", "dog IN grass": "de", "cat sleep": "fg", "good idea": "hi", "idea IN head": "hi"}
    captions = [(form, picture) for form, pictures in of_forms.items() for picture in pictures]
    texts = {"dog run": "a dog runs", "dog IN grass": "the dog in grass", "cat sleep": "a cat sleeps",
             "good idea": "a good idea", "idea IN head": "an idea in a head"}  # fmt: skip
    outcome, _, _ = associated(
        [caption(number, form, texts[form], picture, None) for number, (form, picture) in enumerate(captions)]
    )
    triples = {row["set"]: row["here"] for row in outcome.tables["association_counts"] if row["of"] == "triples"}
    assert triples == {"paraphrase, by people": None, "paraphrase, automatic": 4}


def test_percentiles(corpus):
    outcome, _, _ = corpus
    rows = {
        (row["of"], row["statistic"]): (row["here"], row["paper"]) for row in outcome.tables["association_percentiles"]
    }
    assert [rows["images", name] for name in ("mean", "std", "25%", "50%", "75%", "max")] == [
        (2.25, 22.4), (0.433, 47.6), (2.0, 4), (2.0, 10), (2.25, 25), (3.0, 4617),
    ]  # fmt: skip
    assert rows["tokens", "mean"] == (4.0, 4.9)


def test_sentiment_counts_strong_words(corpus):
    outcome, _, _ = corpus
    positive, negative = outcome.tables["association_sentiment"]
    assert positive["examples"] == "Home sweet home (2)"
    assert negative == {
        "polarity": "negative", "captions": 0.25, "mean_images": 2.0, "median_images": 2.0,
        "paper_captions": 0.02, "paper_mean_images": 19.5, "paper_median_images": 7,
        "examples": "Bad day at the office (2)",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("happy bride and groom", "positive"),  # the paper's examples, these four
        ("the rock and pool is nice and cool", "positive"),
        ("bad day at the office", "negative"),
        ("crying lightning", "negative"),
        ("a bright tree, ready to burn", "positive"),
        ("a smart phone on a clean table", "neutral"),
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
        "paper_captions": 0.45, "paper_images": 0.44, "paper_mean_images": 22, "paper_std_images": 9,
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
    assert "day" not in by_images  # no object


def test_a_comment_that_repeats_a_form_is_one_edge(associated):
    once = [caption(1, "tree", "a tree", "a", None), caption(2, "tree", "trees", "b", None)]
    again = caption(1, "tree", "the tree", "a", None) | {"sentence": 1}
    _, forms, edges = associated(once)
    _, forms_again, edges_again = associated([once[0], again, once[1]])
    assert (forms_again, edges_again) == (forms, edges)


@pytest.mark.parametrize("captions", [[], [caption(1, None, "a tree", "a", None), caption(2, None, "!", "b", None)]])
def test_where_no_form_is_repeated_the_tables_are_empty(associated, captions, tmp_path):
    outcome, forms, edges = associated(captions)
    assert (forms, edges) == ([], [])
    counts = {(row["set"], row["of"]): row["here"] for row in outcome.tables.pop("association_counts")}
    assert [counts["main", of] for of in ("captions", "images")] == [0, 0]
    assert outcome.tables == {}
    assert outcome.metrics == {"forms": 0, "edges": 0, "associated_images": 0}
    assert outcome.plots == {"images_per_form": [], "photographs": []}
    assert not networkx.read_graphml(tmp_path / "out" / "graph.graphml")


def test_forms_that_no_filter_has_made_are_computed(associated):
    texts = ["The bird flies in blue sky", "A bird flying into the blue sky", "a bird in a tree"]
    _, forms, edges = associated([caption(n, None, text, "abc"[n], None) for n, text in enumerate(texts)])
    assert [(form["form"], form["images"]) for form in forms] == [("bird fly IN blue sky", 2)]
    assert [edge["text"] for edge in edges] == texts[:2]


def test_content_forms_join_captions_of_the_same_nouns_and_verbs(associated):
    texts = ["a brown dog runs through the tall grass", "the dog is running in grass", "a dog in the grass"]
    captions = [caption(n, "of another kind", text, "abc"[n], None) for n, text in enumerate(texts)]
    _, forms, edges = associated(captions, form="content")
    assert [(form["form"], form["images"]) for form in forms] == [("dog run grass", 2)]
    assert {edge["comment_id"] for edge in edges} == {"c0", "c1"}


def test_stylised_captions_are_not_in_the_graph(associated):
    captions = [caption(n, FLY, "birds fly in the sky", "ab"[n], None) for n in range(2)]
    assert associated([captions[0], captions[1] | {"style": "romantic"}])[1] == []


@pytest.mark.parametrize("images", [1, 2, 3])
@pytest.mark.parametrize("authors", [1, 2])
def test_thresholds_count_as_one_by_one(associated, images, authors):
    """Images a and b look alike; an image without an author counts as one."""
    random = np.random.default_rng(images + 10 * authors)
    drawn = [
        (f"form {random.integers(12)}", "abcdef"[random.integers(6)], [None, "ann", "bob"][random.integers(3)])
        for _ in range(40)
    ]
    hashes = {"a": 0, "b": 1, "c": (1 << 40) - 1, "d": -1}
    wanted = set()
    for form in {one for one, _, _ in drawn}:
        distinct = {picture.replace("b", "a") for one, picture, _ in drawn if one == form}
        named = {author for one, _, author in drawn if one == form and author}
        unnamed = {picture.replace("b", "a") for one, picture, author in drawn if one == form and not author}
        if len(distinct) >= images and len(named) + len(unnamed) >= authors:
            wanted.add(form)
    captions = [caption(n, form, "a tree", picture, author) for n, (form, picture, author) in enumerate(drawn)]
    _, forms, edges = associated(captions, hashes, images=images, authors=authors)
    assert {form["form"] for form in forms} == wanted
    assert len(edges) == sum(form in wanted for form, _, _ in drawn)
    assert len(wanted) < 12 or images == 1


def test_a_graph_of_all_captions_has_its_statistics(associated):
    captions = [
        caption(n, None, text, "abc"[n], None) for n, text in enumerate(["a dog is running", "a cat", "old tree"])
    ]
    outcome, forms, _ = associated(captions, images=1)
    assert [form["images"] for form in forms] == [1, 1, 1]
    assert outcome.plots["images_per_form"] == [{"images": 1, "forms": 3}]
    assert {row["type"] for row in outcome.tables["association_syntax"]} == {"verb", "adj", "none"}


def test_some_photographs_of_the_commonest_captions_are_named(associated):
    captions = [caption(n, f"form {n % 8}", f"wording {n}", "abcdefgh"[n % 9 % 8], None) for n in range(160)]
    outcome, forms, _ = associated(captions)
    shown = outcome.plots["photographs"]
    assert [row["form"] for row in shown[::6]] == [form["form"] for form in forms[:6]]
    assert [row["image_id"] for row in shown[:6]] == list(dict.fromkeys(row["image_id"] for row in shown[:6]))
    assert {key: shown[0][key] for key in ("images", "text")} == {"images": 8, "text": "wording 0"}


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

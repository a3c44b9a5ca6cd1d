"""Déjà's canonical forms: captions that say the same have the same form, whatever a tagger makes of them."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic.text import PREPOSITION, FastTagger, Tagged, canonical_form, content_form, heads, syntax
from photocritic.text.lemmas import base, participle_of

TAGGER = FastTagger()


def content(text):
    return content_form(TAGGER.tag([text])[0])


def form(text):
    return canonical_form(TAGGER.tag([text])[0])


def kind(text):
    return syntax(TAGGER.tag([text])[0])


def test_the_papers_own_pair():
    wanted = "bird fly IN blue sky"
    assert form("The bird flies in blue sky") == form("A bird flying into the blue sky") == wanted


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ("Dog running", "The dogs run!", "dog run"),
        ("Flying bird", "2 flying birds", "fly bird"),
        ("Leaves fall", "the leaf falls", "leaf fall"),
        ("Sits in a tree", "sitting on the trees", "sit IN tree"),
        ("grey skies", "A Gray Sky", "gray sky"),
        ("The lake is frozen", "lakes freezing", "lake freeze"),
        ("Walking out of the house", "walks to houses", "walk IN house"),
        ("the dog is looking up at the sky", "dog looks at the sky", "dog look IN sky"),
        ("Three women on the beach", "A woman at a beach", "woman IN beach"),
        ("Swings on the playground", "a swing in playgrounds", "swing IN playground"),
        ("He picked up a red ball", "picking up red balls", "pick IN red ball"),
    ],
)
def test_captions_that_differ_in_little_have_one_form(first, second, wanted):
    assert form(first) == form(second) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a brown dog runs through the tall grass", "dog run grass"),
        ("the dog is running in grass", "dog run grass"),
        ("Two dogs, running quickly on 3 lawns!", "dog run lawn"),
        ("beautiful and very old", ""),
        ("to be or not to be", ""),
        ("", ""),
    ],
)
def test_a_content_form_has_nouns_and_verbs_alone(text, wanted):
    assert content(text) == wanted


def test_to_before_a_verb_is_no_preposition():
    assert form("time to eat") == "time eat"
    assert form("walking to the beach") == "walk IN beach"


def test_an_ambiguous_word_is_a_preposition_by_its_tag_alone():
    liked = Tagged(["kids", "like", "rain"], ["NNS", "VBP", "NN"], ["kid", "like", "rain"])
    alike = Tagged(["looks", "like", "rain"], ["VBZ", "IN", "NN"], ["look", "like", "rain"])
    assert canonical_form(liked) == "kid like rain"
    assert canonical_form(alike) == "look IN rain"


@pytest.mark.parametrize("text", ["", "!!!", "to be or not to be", "2014", "12 of 365", "on the"])
def test_nothing_but_function_words_has_no_form(text):
    assert form(text) == ""


@pytest.mark.parametrize("word", ["building", "wedding", "evening", "string", "spring", "red", "shed", "gas", "news"])
def test_things_that_look_like_inflected_words_stay(word):
    assert base(word, word) == word
    assert participle_of(word) == ""


@pytest.mark.parametrize(
    ("words", "lemma"),
    [("fly flies flying", "fly"), ("come comes coming", "come"), ("see sees seeing", "see"), ("skis skiing", "ski")],
)
def test_a_base_form_does_not_depend_on_the_tag(words, lemma):
    assert {base(word, lemma) for word in words.split()} == {lemma}
    assert {base(word, word) for word in words.split()} == {lemma}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Sky is the limit", "verb"),
        ("Dog running", "verb"),
        ("Under the bridge", "prep"),
        ("Bee on orange flowers", "prep"),
        ("Old Red Barn", "adj"),
        ("home sweet home", "adj"),
        ("Christmas lights", "none"),
        ("sunset", "none"),
        ("", "none"),
    ],
)
def test_the_kinds_of_captions(text, wanted):
    assert kind(text) == wanted


def test_heads_are_the_words_that_make_the_kind():
    (caption,) = TAGGER.tag(["A small bird is flying over the lake"])
    assert heads(caption, "verb") == ["be", "fly"]
    assert heads(caption, "prep") == ["over"]
    assert heads(caption, "adj") == ["small"]
    assert heads(caption, "none") == []


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=80))
def test_any_text_has_a_form_of_words_and_single_prepositions(text):
    parts = form(text).split()
    assert all(part == PREPOSITION or part == part.lower() for part in parts)
    assert (PREPOSITION, PREPOSITION) not in set(itertools.pairwise(parts))
    assert parts != [PREPOSITION]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.sampled_from(["bird", "lake", "blue", "fly", "tree"]), min_size=1, max_size=5))
def test_articles_and_marks_never_matter(words):
    tags, plain = ["NN"] * len(words), list(words)
    dressed = [part for word in words for part in ("the", word, ",")]
    of_dressed = Tagged(dressed, ["DT", "NN", ","] * len(words), dressed)
    assert canonical_form(Tagged(plain, tags, plain)) == canonical_form(of_dressed) == " ".join(words)

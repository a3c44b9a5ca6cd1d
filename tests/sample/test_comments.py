"""The sample's comments: true where they inform, and as noisy as a real site's."""

import random
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic.sample.scene_plan import ATTRIBUTES, Plan, plan
from photocritic.sample.text.attribute_phrases import PHRASES, mentions
from photocritic.sample.text.chatter import noise, safe
from photocritic.sample.text.comments import Comment, comments
from photocritic.sample.text.expand import PLURAL, SINGULAR, agree, expand
from photocritic.sample.text.things import marked

Written = list[tuple[Plan, Comment]]


@pytest.fixture(scope="module")
def written() -> Written:
    return [
        (plan(11, index), comment)
        for index in range(600)
        for comment in comments(plan(11, index), f"scene-{index}", 11, index)
    ]


def of_kind(written: Written, kind: str) -> list[str]:
    return [comment.text for _, comment in written if comment.kind == kind]


def test_informative_comments_speak_of_what_is_truly_there(written: Written) -> None:
    for decided, comment in written:
        if comment.kind == "informative":
            assert mentions(comment.text) <= set(decided.labels), comment.text


def test_most_informative_comments_speak_of_two_attributes(written: Written) -> None:
    texts = of_kind(written, "informative")
    assert sum(len(mentions(text)) >= 2 for text in texts) > 0.98 * len(texts)


def test_every_attribute_is_spoken_of(written: Written) -> None:
    spoken = Counter(attribute for text in of_kind(written, "informative") for attribute in mentions(text))
    assert set(spoken) == set(PHRASES) == {f"{group}:{name}" for group in ATTRIBUTES for name in ATTRIBUTES[group]}
    assert min(spoken.values()) >= 20


def test_an_informative_comment_has_the_aspect_that_it_speaks_of_first(written: Written) -> None:
    critiques = [comment for _, comment in written if comment.kind == "informative"]
    found = Counter(comment.aspect for comment in critiques)
    assert set(found) == set(ATTRIBUTES)
    assert min(found.values()) >= 100
    assert {comment.aspect for _, comment in written if comment.kind != "informative"} == {None}
    heard = [comment.aspect in {one.partition(":")[0] for one in mentions(comment.text)} for comment in critiques]
    assert sum(heard) > 0.98 * len(heard)


def test_informative_comments_are_not_memorised_strings(written: Written) -> None:
    texts = of_kind(written, "informative")
    assert len(set(texts)) > 0.99 * len(texts)
    assert len({word for text in texts for word in re.findall("[a-z]+", text.lower())}) > 450


def test_informative_comments_are_of_readable_length(written: Written) -> None:
    lengths = sorted(len(text.split()) for text in of_kind(written, "informative"))
    assert lengths[0] >= 8
    assert lengths[-1] <= 60
    assert 15 <= lengths[len(lengths) // 2] <= 30


def test_about_half_of_the_comments_say_nothing(written: Written) -> None:
    kinds = Counter(comment.kind for _, comment in written if comment.style is None)
    assert 0.35 < kinds["informative"] / kinds.total() < 0.5
    assert kinds["safe"] > kinds["noise"] > 0.15 * kinds.total()


def test_safe_comments_fit_any_photograph_and_repeat(written: Written) -> None:
    texts = of_kind(written, "safe")
    assert not set().union(*map(mentions, texts))
    assert len(set(texts)) < 0.6 * len(texts)


def test_noise_is_of_many_kinds(written: Written) -> None:
    texts = "\n".join(of_kind(written, "noise"))
    for sign in ("http", "<b", "!!!!", "challenge", "â€", "schön", "写真", "👏", "camera", "voted"):
        assert sign in texts


def test_a_third_of_the_images_has_one_caption_in_each_style(written: Written) -> None:
    styles: dict[str, list[str]] = {}
    for _, comment in written:
        if comment.style is not None:
            styles.setdefault(comment.comment_id.rsplit("-", 1)[0], []).append(comment.style)
    assert all(found == ["humorous", "romantic"] for found in styles.values())
    assert 150 < len(styles) < 250


def test_styled_captions_say_what_is_there(written: Written) -> None:
    styled = [(decided, comment.text) for decided, comment in written if comment.style is not None]
    named = [f"subject:{decided.subject}" in mentions(text) for decided, text in styled]
    assert sum(named) > 0.95 * len(named)


def test_nothing_of_the_grammar_is_left_over(written: Written) -> None:
    for _, comment in written:
        if comment.kind in ("informative", "safe", "styled"):
            assert not re.search(r"[\[\]{}|<>^~]|  | [.,;]", comment.text), comment.text
            assert comment.text.strip() == comment.text != ""


def test_black_and_white_pictures_are_not_given_colors(written: Written) -> None:
    colors = re.compile(r"\b(red|yellow|pink|purple|orange|blue|colorful|green)\b")
    for decided, comment in written:
        if decided.color == "black_and_white" and comment.kind == "informative":
            assert not colors.search(comment.text), comment.text


@given(st.integers(0, 2**32))
def test_chatter_is_never_empty(seed: int) -> None:
    rng = random.Random(seed)
    assert safe(rng).strip()
    assert noise(rng).strip()


@given(st.lists(st.sampled_from(["one", "two", "three"]), min_size=1), st.integers())
def test_a_choice_gives_one_of_its_words(words: list[str], seed: int) -> None:
    assert expand(f"[{'|'.join(words)}]", {}, random.Random(seed)) in words


def test_slots_and_choices_nest() -> None:
    slots = {"thing": "[{hue}] owl", "hue": ("grey",)}
    assert expand("[the {thing}|the {thing}] , a owl", slots, random.Random(0)) == "the grey owl, an owl"


def test_an_unknown_slot_is_an_error() -> None:
    with pytest.raises(KeyError, match="thing"):
        expand("{thing}", {}, random.Random(0))


@pytest.mark.parametrize(
    ("phrase", "number"),
    [
        ("[wild|rough] waves", PLURAL),
        ("small drops on the petal", PLURAL),
        ("row of trees", SINGULAR),
        ("soft grass", SINGULAR),
        ("[sea|ocean]", SINGULAR),
    ],
)
def test_noun_phrases_know_their_number(phrase: str, number: str) -> None:
    assert marked(phrase) == phrase + number


def test_verbs_agree_with_the_phrase_before_them() -> None:
    assert agree("the waves^ <is> high and <touches> the pier~ that <has> lamps") == (
        "the waves are high and touch the pier that has lamps"
    )

"""Generic cleaning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic.text.cleaning import Cleaning, chain_cleaner, clean


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Great shot!!!!", "Great shot!"),
        ("nice job...clear subject", "nice job ... clear subject"),
        ("I don\u00e2\u20ac\u2122t like it", "I don't like it"),
        ("fish &amp; chips", "fish & chips"),
        ("a <b>bold</b> sky<br/>here", "a bold sky here"),
        ("[b]bold[/b] [url=http://x.y]link[/url]", "bold link"),
        ("see http://a.example/b?c=d and www.example.org/x now", "see and now"),
        ("lovely \U0001f600\u2764\ufe0f light", "lovely light"),
        ("nice :) light ;-)", "nice light"),
        ("wait, what?!?!", "wait, what?"),
        ("the sky.The sea", "the sky. The sea"),
        ("  two\n\tlines  ", "two lines"),
        ("aperture < 4 and iso > 200", "aperture < 4 and iso > 200"),
        ("http://only.example/link", ""),
        ("", ""),
    ],
)
def test_clean(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Great DOF, the bg is w/o detail", "Great depth of field, the background is without detail"),
        ("a fine B&W, IMHO", "a fine black and white, in my humble opinion"),
        ("PS, f/8 and H&M w/e bgs", "PS, f/8 and H&M w/e bgs"),
    ],
)
def test_acronyms_are_written_out(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned
    assert clean(text, Cleaning(acronyms=False)) == text


def test_each_step_can_be_switched_off() -> None:
    text = "see <b>this</b> &amp; http://a.example/b :) !!!! dof"
    off = dict.fromkeys(Cleaning.model_fields, False)
    assert clean(text, Cleaning(**off)) == text
    done = {name: clean(text, Cleaning(**off | {name: True})) for name in off}
    assert done == {
        "characters": "see <b>this</b> & http://a.example/b :) !!!! dof",
        "markup": "see this &amp; http://a.example/b :) !!!! dof",
        "links": "see <b>this</b> &amp; :) !!!! dof",
        "emoji": "see <b>this</b> &amp; http://a.example/b !!!! dof",
        "punctuation": "see <b>this</b> &amp; http://a.example/b :) ! dof",
        "acronyms": "see <b>this</b> &amp; http://a.example/b :) !!!! depth of field",
    }


@given(st.text())
def test_anything_can_be_cleaned(text: str) -> None:
    cleaned = clean(text)
    assert cleaned == " ".join(cleaned.split())
    cleaned.encode("utf-8")


@given(
    st.lists(
        st.sampled_from(["the", "light", "on", "her", "face", "is", "soft", "but", "sky", "looks", "blown", "out"]),
        min_size=1,
    )
)
def test_plain_words_pass_unchanged(words: list[str]) -> None:
    assert clean(" ".join(words)) == " ".join(words)


@pytest.mark.parametrize(
    ("chain", "cleaned"),
    [
        (["spelling", {"length": {"min_tokens": 3}}], "DOF  &amp; more"),
        (["clean", "spelling"], "depth of field & more"),
        ([{"clean": {"acronyms": False}}, "score"], "DOF & more"),
        ([{"clean": {"acronyms": False, "characters": False}}, "clean"], "depth of field & more"),
    ],
)
def test_a_text_is_cleaned_as_the_chain_cleans_comments(chain, cleaned) -> None:
    assert chain_cleaner(chain)("DOF  &amp; more") == cleaned

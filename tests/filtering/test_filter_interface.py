"""Filters as a chain: mistakes in it, what each filter tells of itself, and any text."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic.config import FilterParams
from photocritic.core.errors import ParamsError
from photocritic.filtering import filter_interface
from photocritic.filtering.filter_interface import apply
from tests.filtering.batches import batch


@pytest.mark.parametrize(
    ("chain", "words"),
    [
        (["nonsense"], ["filter.chain", "nonsense", "did you mean"]),
        ([{"length": {"min_token": 3}}], ["filter.chain[0].length.min_token", "min_tokens"]),
        ([{"length": {"min_tokens": "few"}}], ["filter.chain[0].length.min_tokens", "few"]),
        ([{"length": {"min_tokens": 9, "max_tokens": 3}}], ["filter.chain[0].length", "max_tokens"]),
    ],
)
def test_a_mistake_in_the_chain_is_refused(chain: list[Any], words: list[str]) -> None:
    with pytest.raises(ParamsError) as caught:
        filter_interface.chain(FilterParams(chain=chain))
    assert all(word in str(caught.value) for word in words)


def test_every_filter_tells_its_paper_and_its_reasons() -> None:
    for name in filter_interface.available():
        kind = filter_interface.find(name)
        assert kind.paper, name
        assert filter_interface.summary(name).endswith((".", ";", ")")), name
        assert all(reason == reason.lower() for reason in kind.reasons)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_judged(text: str) -> None:
    one = batch([text])
    for name in ("clean", "empty", "english", "length", "contest"):
        (rule,) = filter_interface.chain(FilterParams(chain=[name]))
        apply(rule, one)
    assert len(one.ngrams()) == len(one.reasons) == 1

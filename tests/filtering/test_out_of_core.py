"""Counts and groups over a corpus that is cut into files."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from photocritic.filtering.out_of_core import count_values, merge_counts


@given(st.lists(st.lists(st.sampled_from("abcd")), max_size=6))
def test_counts_do_not_depend_on_how_the_corpus_is_cut(parts: list[list[str]]) -> None:
    whole = [value for part in parts for value in part]
    cut = merge_counts([count_values(pa.array(part, pa.string()), "ngram") for part in parts], "ngram")
    assert dict(zip(*cut.to_pydict().values(), strict=True)) == {value: whole.count(value) for value in set(whole)}
    assert cut.column("ngram").to_pylist() == sorted(set(whole))

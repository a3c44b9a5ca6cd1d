"""Captions in repetition: what several people write under different photographs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic.filtering import out_of_core
from photocritic.filtering.repetition import count_distinct_images
from tests.filtering.batches import batch, image, judge, make

ALL_BUT_ONE = (1 << 63) - 1  # 63 bits, as a signed number


def repeated(tmp_path, *batches, **options):
    judged = judge(make("repeated", **options), *batches, folder=tmp_path)
    return [reason for one in judged for reason in one.reasons]


def test_a_form_of_two_authors_on_two_images_is_kept(tmp_path):
    one = batch(["The bird flies in blue sky", "A bird flying into the blue sky", "a bird in a tree"])
    (judged,) = judge(make("repeated"), one, folder=tmp_path)
    assert judged.reasons == ["", "", "not_repeated"]
    assert judged.columns["form"] == ["bird fly IN blue sky", "bird fly IN blue sky", "bird IN tree"]


def test_what_one_author_repeats_is_not_repeated(tmp_path):
    assert repeated(tmp_path, batch(["birds fly"] * 3, authors=["ann"] * 3)) == ["not_repeated"] * 3


def test_what_two_authors_write_under_one_image_is_not_general(tmp_path):
    assert repeated(tmp_path, batch(["birds fly"] * 2, images=["i", "i"])) == ["repeated_on_one_image"] * 2


def test_unknown_authors_are_told_apart_by_their_images(tmp_path):
    texts = ["birds fly", "birds fly", "dogs run", "dogs run"]
    one = batch(texts, images=["a", "b", "c", "c"], authors=[None] * 4)
    assert repeated(tmp_path, one) == ["", "", "not_repeated", "not_repeated"]


def test_an_unknown_author_counts_beside_a_known_one(tmp_path):
    assert repeated(tmp_path, batch(["birds fly"] * 2, authors=["ann", None])) == ["", ""]


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [(0, 0b1111111111, False), (0, 0b11111111111, True), (-1, ALL_BUT_ONE, False), (None, None, True), (0, None, True)],
)
def test_near_duplicates_are_one_image(tmp_path, first, second, kept):  # fmt: skip
    images = {"a": image(phash=first), "b": image(phash=second)}
    one = batch(["birds fly"] * 2, images=["a", "b"], known=images)
    assert repeated(tmp_path, one) == ["" if kept else "repeated_on_one_image"] * 2


def test_the_distance_of_near_duplicates_is_an_option(tmp_path):
    images = {"a": image(phash=0), "b": image(phash=1)}
    one = batch(["birds fly"] * 2, images=["a", "b"], known=images)
    assert repeated(tmp_path, one, max_distance=0) == ["", ""]


def test_near_duplicates_of_unknown_authors_are_one_author(tmp_path):
    images = {"a": image(phash=0), "b": image(phash=1)}
    one = batch(["birds fly"] * 2, images=["a", "b"], authors=[None, None], known=images)
    assert repeated(tmp_path, one) == ["not_repeated"] * 2


def test_function_words_alone_have_no_form(tmp_path):
    assert repeated(tmp_path, batch(["to be or not to be", "To be, or not to be"])) == ["no_canonical_form"] * 2


def test_rejected_texts_repeat_nothing(tmp_path):
    one = batch(["birds fly", "birds fly"])
    one.reasons = ["spam", ""]
    assert repeated(tmp_path, one) == ["spam", "not_repeated"]


def test_stylised_captions_pass_and_repeat_nothing(tmp_path):
    texts = ["birds fly", "birds fly"]
    assert repeated(tmp_path, batch(texts, styles=["romantic", None])) == ["", "not_repeated"]
    for name in ("personal", "trivial"):
        (judged,) = judge(make(name), batch(["my sunset", "sunset"], styles=["romantic", "romantic"]))
        assert judged.reasons == ["", ""]


def test_a_repetition_is_found_across_batches_and_parts(tmp_path, monkeypatch):
    monkeypatch.setattr(out_of_core, "PART", 3)
    monkeypatch.setattr(out_of_core, "SPAN", 4)
    texts = ["birds fly", "a dog runs", "cats sleep", "old tree", "dogs run", "a red barn", "the bird is flying", "!"]
    found = repeated(tmp_path, batch(texts[:4]), batch(texts[4:], start=4))
    assert [not reason for reason in found] == [True, True, False, False, True, False, True, False]


def test_nothing_observed_is_nothing_rejected(tmp_path):
    one = batch(["birds fly"])
    one.reasons = ["spam"]
    assert repeated(tmp_path, one) == ["spam"]


ROW = st.tuples(st.integers(0, 3), st.integers(0, 5))
HASHES = st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1), st.integers(0, 3)), min_size=6, max_size=6)


@settings(deadline=None, max_examples=200)
@given(st.lists(ROW, max_size=30), HASHES, st.integers(0, 40), st.integers(1, 4))
def test_distinct_images_are_counted_as_one_by_one(rows, hashes, max_distance, most):
    def differ(a, b):
        if hashes[a] is None or hashes[b] is None:
            return a != b
        return a != b and ((hashes[a] ^ hashes[b]) & (2**64 - 1)).bit_count() > max_distance

    counted = {group: [] for group in range(4)}
    for group, shown in rows:
        if all(differ(shown, other) for other in counted[group]):
            counted[group].append(shown)
    groups, images = (np.array(column, np.int64) for column in (zip(*rows, strict=True) if rows else ([], [])))
    bits = np.array([hashes[image] or 0 for image in images], np.int64)
    known = np.array([hashes[image] is not None for image in images], bool)
    found = count_distinct_images(groups, images, bits, known, max_distance, most)
    assert found.tolist() == [min(most, len(counted[group])) for group in range(len(found))]

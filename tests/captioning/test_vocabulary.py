import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic.captioning.vocabulary import BOS, EOS, PAD, SPECIAL, UNK, Vocabulary
from photocritic.core.errors import TrainingError

words = st.text(min_size=1, max_size=6)


def test_the_most_frequent_words_come_first_and_equals_by_spelling():
    vocabulary = Vocabulary.build({"b": 3, "a": 3, "z": 9, "rare": 1}, min_count=2, size=10)
    assert vocabulary.words == ("z", "a", "b")
    assert Vocabulary.build({"b": 3, "a": 3, "z": 9}, min_count=2, size=2).words == ("z", "a")


def test_a_caption_that_contains_a_special_word_cannot_take_its_number():
    vocabulary = Vocabulary.of([["<eos>", "dog", "<pad>"]])
    assert vocabulary.words == ("dog",)
    assert vocabulary.encode(["<eos>", "dog"]) == [UNK, len(SPECIAL)]


@settings(deadline=None)
@given(st.lists(st.lists(words, min_size=1), min_size=1))
def test_known_words_come_back(captions):
    vocabulary = Vocabulary.of([*captions, ["dog"]])
    for caption in captions:
        numbers = vocabulary.encode(caption)
        assert vocabulary.decode(numbers) == [word for word in caption if word not in SPECIAL]


@settings(deadline=None)
@given(st.lists(st.lists(words)), st.randoms())
def test_the_order_of_captions_does_not_matter(captions, random):
    shuffled = random.sample(captions, len(captions))
    assert Vocabulary.of([*captions, ["dog"]]) == Vocabulary.of([*shuffled, ["dog"]])


def test_decoding_stops_at_the_end_mark_and_leaves_out_special_numbers():
    vocabulary = Vocabulary(("dog", "cat"))
    assert vocabulary.decode([BOS, 4, UNK, 5, PAD, EOS, 4]) == ["dog", "cat"]


def test_it_is_the_same_after_saving_and_loading(tmp_path):
    vocabulary = Vocabulary(("hund", "größe", "猫"))
    vocabulary.save(tmp_path / "v.json")
    assert Vocabulary.load(tmp_path / "v.json") == vocabulary


@pytest.mark.parametrize("content", ["", "[]", '{"words": 3}', '{"words": []}', json.dumps({"words": ["a", "a"]})])
def test_a_damaged_file_is_one_clear_line(tmp_path, content):
    path = tmp_path / "v.json"
    path.write_text(content)
    with pytest.raises(TrainingError, match=r"v\.json") as caught:
        Vocabulary.load(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_names_the_stage_to_run(tmp_path):
    with pytest.raises(TrainingError, match="lstm_train"):
        Vocabulary.load(tmp_path / "none.json")


def test_no_frequent_word_is_an_error_that_names_the_parameter():
    with pytest.raises(TrainingError, match="min_count"):
        Vocabulary.build({"dog": 1}, min_count=4, size=10)

"""Clauses are found by their words and tags, and by nothing else."""

from photocritic.text import FastTagger, Tagged
from photocritic.text.clauses import ClauseWeights, clause_starts, features_at


def test_a_clause_begins_where_the_weights_say(tmp_path):
    ClauseWeights(-5.0, {"it begins": 3.0, "light ends": 2.0}).save(tmp_path)
    weights = ClauseWeights.load(tmp_path)
    words = ["i", "like", "the", "Light", "It", "is", "soft"]
    tagged = Tagged(words, ["X"] * 7, words)
    assert clause_starts(tagged, weights) == [4]
    assert clause_starts(Tagged(words[:6], ["X"] * 6, words[:6]), weights) == [], "two words are no clause"
    assert clause_starts(Tagged(words[1:], ["X"] * 6, words[1:]), weights) == [3]


def test_features_are_two_words_and_the_tags_around():
    assert features_at(["a", "b"], ["DT", "NN"], 1) == ("b begins", "a ends", "DT NN", "NN > begin")


def test_the_bundled_weights_find_the_subject_of_a_new_clause():
    text = "the subject is off centre i would crop the right side"
    (tagged,) = FastTagger().tag([text])
    assert [tagged.words[place] for place in clause_starts(tagged)] == ["i"]
    assert clause_starts(Tagged([], [], [])) == []

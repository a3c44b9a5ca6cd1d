"""The comments to grade are near the threshold or drawn from all, differ from each other, and are the same again."""

from collections import Counter

import pytest

from photocritic import validation
from photocritic.core.errors import PhotocriticError
from photocritic.studies.comment_selection import propose
from photocritic.tables import UNSTYLED
from tests.studies.conftest import captions_table, scored


@pytest.fixture(autouse=True)
def _without_gates(monkeypatch):
    monkeypatch.setattr(validation, "check", lambda *args, **facts: None)  # the gates' own tests try them


def drawn(tmp_path, rows, source="uncertain", comments=20, training=0, seed=7):
    """Draw from comments; the plan, and of each that counts where it comes from and its row."""
    path = captions_table(tmp_path / "captions.parquet", rows)
    made = propose(path, UNSTYLED, source, comments=comments, training=training, seed=seed)
    places = {row.get("comment_id", f"comment{place}"): place for place, row in enumerate(rows)}
    lines = [trial.lines[0] for trial in made.trials if not trial.training]
    return made, [(line.source, places[line.comment_id]) for line in lines]


def test_three_in_four_are_of_the_nearest_quarter_of_either_side_and_half_of_them_below(tmp_path):
    _, found = drawn(tmp_path, scored(1000, threshold=400), comments=40)
    near = sorted(place for source, place in found if source.startswith("uncertain"))
    assert len(near) == 30
    assert sum(place < 400 for place in near) == 15
    assert min(near) >= 400 - 400 // 4
    assert max(near) < 400 + 600 // 4
    assert max(near) - min(near) > 100  # from all of the quarter
    for source, place in found:
        assert source.split("-")[1] == ("accepted" if place >= 400 else "discarded")


def test_the_rest_is_drawn_from_all_comments_also_from_those_that_never_came_to_the_score(tmp_path):
    rows = scored(1000, threshold=400)
    for row in rows[::2]:
        row |= {"kept": False, "reason": "too_few_tokens"}
    _, found = drawn(tmp_path, rows, comments=400)
    random = [place for source, place in found if source.startswith("random")]
    assert len(random) == 100
    assert 30 < sum(place % 2 == 0 for place in random) < 70
    assert 20 < sum(place < 400 for place in random) < 60
    assert all(place % 2 for source, place in found if source.startswith("uncertain"))


def test_all_are_drawn_at_random_where_that_is_asked_for(tmp_path):
    _, found = drawn(tmp_path, scored(300), source="random", comments=100)
    assert {source for source, _ in found} == {"random-accepted", "random-discarded"}
    assert len({place for _, place in found}) == 100


def test_at_most_two_comments_of_an_image_and_nearly_the_same_texts_once(tmp_path):
    rows = scored(300, threshold=150)
    for place, row in enumerate(rows):
        row["image_id"] = f"image{place // 10}"
    for place in range(140, 160, 2):
        rows[place]["text"] = "I like the red boat at the left" + "!" * (place - 140)
        rows[place + 1]["text"] = "i like the red boats at the left"
    made, found = drawn(tmp_path, rows, comments=30)
    assert set(Counter(trial.image_id for trial in made.trials).values()) <= {1, 2}
    assert sum(140 <= place < 160 for _, place in found) == 1


def test_a_comment_is_graded_once_whatever_parts_of_it_are_rows(tmp_path):
    rows = scored(100)
    for place, row in enumerate(rows):
        row |= {"comment_id": f"comment{place // 2}", "image_id": f"image{place // 2}"}
    made, _ = drawn(tmp_path, rows, comments=30)
    assert len({trial.lines[0].comment_id for trial in made.trials}) == 30


def test_the_same_seed_draws_the_same_and_another_does_not(tmp_path):
    rows = scored(300) + [{"text": f"tie {word} {word}", "score": 50.0, "kept": True} for word in "abcdefghijklm"]
    first, again, other = (drawn(tmp_path, rows, seed=seed)[0] for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_training_is_on_comments_that_do_not_count_and_are_drawn_at_random(tmp_path):
    made, found = drawn(tmp_path, scored(300), comments=20, training=5)
    assert [trial.training for trial in made.trials] == [True] * 5 + [False] * 20
    assert Counter(source.split("-")[0] for source, _ in found) == {"uncertain": 15, "random": 5}
    assert all(trial.lines[0].source.startswith("random") for trial in made.trials[:5])
    assert len({trial.lines[0].comment_id for trial in made.trials}) == 25


def test_one_side_stands_in_where_the_other_has_too_few(tmp_path):
    _, found = drawn(tmp_path, scored(300, threshold=296), comments=40)
    assert sum(source.startswith("uncertain") for source, _ in found) == 30
    _, found = drawn(tmp_path, scored(300, threshold=4), comments=40)
    assert sum(source.startswith("uncertain") for source, _ in found) == 30


def test_where_everything_is_kept_the_valley_of_the_scores_is_the_threshold(tmp_path):
    rows = scored(200, threshold=0)
    for place, row in enumerate(rows):
        row["score"] = (2.0 if place < 100 else 60.0) + place % 100 / 100
    _, found = drawn(tmp_path, rows, comments=8)
    near = [place for source, place in found if source.startswith("uncertain")]
    assert Counter(place < 100 for place in near) == {True: 3, False: 3}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"score": 0.0, "kept": True}, "put 'score' into filter.chain, or take --sources random"),
        ({"kept": False, "reason": "not_english"}, "put 'score' into filter.chain"),
        ({"image_id": "the only one"}, "only 2 differ enough"),
        ({"text": "Nice shot!"}, "20 comments are asked for, but only 1 differ"),
    ],
)
def test_what_cannot_be_drawn_is_refused(tmp_path, change, words):
    with pytest.raises(PhotocriticError, match=words):
        drawn(tmp_path, [row | change for row in scored(100)])


def test_stylised_captions_and_texts_without_a_character_are_not_graded(tmp_path):
    rows = [row | ({"style": "humorous"} if place % 3 else {}) for place, row in enumerate(scored(120))]
    rows += [{"text": " \n ", "score": 50.0, "kept": True} for _ in range(50)]
    _, found = drawn(tmp_path, rows, comments=12)
    assert all(place < 120 and place % 3 == 0 for _, place in found)

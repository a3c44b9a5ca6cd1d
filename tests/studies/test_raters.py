"""Invitations, names, and raters whose answers are excluded."""

import pytest

from photocritic.core.errors import PhotocriticError
from photocritic.studies.raters import NotInvited, Unanswerable, count_excluded, exclude, invite
from photocritic.studies.rating_session import Sessions
from photocritic.studies.study_file import connect, hashed, read_ratings
from tests.studies.conftest import invitation, join, rate_all


def test_an_invitation_is_one_raters_for_good_and_goes_on_where_they_stopped(study):
    """M14: nobody becomes a rater without an invitation, and nobody two raters with one."""
    path = study()
    with connect(path) as database:
        token, other = invite(database, 2)
    with Sessions(path) as one:
        anna = one.sign_in(token, "  Anna  Ärmel ", "expert")
        open_trial = one.task(anna)
        assert one.sign_in(token, "anna ÄRMEL", "expert") == one.rater(token) == anna
        assert one.task(anna) == open_trial
        one.answer(anna, open_trial.trial, 3)
        assert one.task(anna).trial != open_trial.trial
        with pytest.raises(Unanswerable, match="signed in as expert"):
            one.sign_in(token, "Anna Ärmel", "non-expert")
        for number in range(300):
            with pytest.raises(Unanswerable, match="under another name"):
                one.sign_in(token, f"rater {number}", "expert")
        with pytest.raises(Unanswerable, match="another rater is called"):
            one.sign_in(other, "Anna Ärmel", "expert")
        for guess in ("", "guessed", token[:-1], hashed(token)):
            assert one.rater(guess) is None
            with pytest.raises(NotInvited, match="invited"):
                one.sign_in(guess, "Ben", "expert")
    assert token.encode() not in path.read_bytes()


def test_who_is_excluded_counts_no_more_rates_no_more_and_leaves_the_places_to_others(study):
    """M14: a forged rater's answers are left out of everything that is counted."""
    path = study(images=3, training=1, raters=1)
    with Sessions(path) as one:
        forger, token = join(one, "Forger"), invitation(one._database, "Forger")
        assert len(rate_all(one, forger)) == 10
        ben = join(one, "Ben")
        assert len(rate_all(one, ben)) == 1  # of training: all places of the others are taken
        with connect(path) as database:
            assert exclude(database, "forger") == (forger.number, 9)
            assert read_ratings(database) == []
            assert count_excluded(database) == 1
        assert one.rater(token) is None
        with pytest.raises(NotInvited):
            one.sign_in(token, "Forger", "expert")
        assert len(rate_all(one, ben)) == 9
        with connect(path) as database:
            assert {rating.rater for rating in read_ratings(database)} == {ben.number}
            exclude(database, str(forger.number), excluded=False)
            assert count_excluded(database) == 0
            with pytest.raises(PhotocriticError, match="no rater is called 'Zoe'"):
                exclude(database, "Zoe")


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "a\x00b", "\ud800"])
def test_unusable_names_are_refused(sessions, name):
    with pytest.raises(Unanswerable, match="printable"):
        join(sessions(), name)

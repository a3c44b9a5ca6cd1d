"""A rater completes studies in a real browser, by keyboard alone."""

import pytest

from photocritic.studies.study_file import connect, read_ratings
from photocritic.studies.trial_plan import Candidate
from tests.browser import browser
from tests.origins import attacked, evil_page
from tests.studies.conftest import SERVED, invited, served

SHOWN = "document.body.dataset.trial"
NASTY = "<b id=injected>bold</b> & </script><img src=x onerror='document.title=1'>"


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    """Give one tab for all tests of this file."""
    with browser(tmp_path_factory.mktemp("browser")) as one:
        yield one


def begin(tab, address, name, expert=True):
    """Open the page and sign in by keyboard."""
    tab.open(f"{address}/#{invited(SERVED[address], name)}")
    tab.until("document.activeElement.id === 'name'")
    tab.type(name)
    tab.press("Tab")
    tab.press(" ")
    if not expert:
        tab.press("ArrowRight")
    tab.press("Enter")
    tab.until(SHOWN)


def after(tab, *keys):
    """Press keys and wait for the next trial or the end."""
    before = tab.run(SHOWN)
    for key in keys:
        tab.press(key)
    tab.until(f"{SHOWN} !== '{before}' || !document.getElementById('end').hidden")


def text(tab, part):
    return tab.run(f"document.getElementById('{part}').innerText")


def ended(tab):
    return tab.run("!document.getElementById('end').hidden")


def values(path):
    with connect(path) as database:
        return [(one.group, one.value) for one in read_ratings(database)]


def test_a_study_is_completed_by_keyboard_with_an_undo_and_a_break(tab, study):
    some = [Candidate(f"p{n}", "", {"ns": [NASTY], "cs": [f"plain words {n}"]}) for n in range(4)]
    path = study(images=3, training=1, sources=("ns", "cs"), some=some)
    with served(path) as (_, address):
        begin(tab, address, "Änna", expert=False)
        assert text(tab, "where") == "Training 1 of 1"
        assert tab.run("[...document.querySelectorAll('#choices kbd')].map(k => k.innerText)") == list("123")
        after(tab, "1")
        assert text(tab, "where") == "1 of 6"
        assert text(tab, "badge") == "From here on it counts"
        for key in ("1", "2", "3"):
            after(tab, key)
        after(tab, "u")
        assert text(tab, "where") == "Your last answer"
        assert tab.run("document.querySelector('[aria-pressed=true]').innerText").startswith("Good")
        after(tab, "1")
        assert text(tab, "where") == "4 of 6"
        captions = tab.run("document.querySelector('.caption').textContent")
        tab.open("about:blank")
        tab.open(address)  # the browser was closed: it goes on where it stopped, without signing in
        tab.until(f"{SHOWN} && document.getElementById('photograph').complete")
        assert text(tab, "where") == "4 of 6"
        assert tab.run("document.querySelector('.caption').textContent") == captions
        assert tab.run("document.getElementById('photograph').naturalWidth") == 48
        for _ in range(3):
            after(tab, "2")
        assert ended(tab)
        assert "Änna" in text(tab, "thanks")
        assert "6 answers" in text(tab, "thanks")
    assert sorted(value for _, value in values(path)) == [1, 1, 2, 2, 2, 2]
    assert {group for group, _ in values(path)} == {"non-expert"}
    assert not tab.run("document.getElementById('injected')")
    assert not tab.complaints()
    assert all(url.startswith((address, "about:", "data:")) for url in tab.requested())


def test_scores_are_typed_or_stepped(tab, study):
    path = study(kind="informative", images=1, training=0, sources=("accepted", "discarded"))
    with served(path) as (_, address):
        begin(tab, address, "Ben")
        tab.press("Enter")
        assert text(tab, "where") == "1 of 4"  # no score is given yet, so Enter gives none
        after(tab, "7", "5", "Enter")
        after(tab, "1", "0", "0", "Backspace", "Enter")
        after(tab, "9", "0", "ArrowRight", "ArrowUp", "ArrowLeft", "Enter")
        after(tab, "1", "2", "3", "Enter")  # 123 is none: the last digit begins anew
        assert ended(tab)
    assert sorted(value for _, value in values(path)) == [3, 10, 75, 91]


def test_comments_are_graded_by_number_and_no_photograph_is_asked_for(tab, graded):
    with served(graded) as (_, address):
        tab.open(f"{address}/#{invited(graded, 'Gerd')}")
        tab.until("document.activeElement.id === 'name'")
        assert "without the photograph" in text(tab, "about")
        assert tab.run("document.querySelectorAll('#rubric kbd').length") == 4
        begin(tab, address, "Gerd")
        assert tab.run("[...document.querySelectorAll('#choices kbd')].map(k => k.innerText)") == list("0123")
        assert tab.run("[...document.querySelectorAll('#choices small')].every(one => one.innerText)")
        assert tab.run("document.getElementById('photograph').getBoundingClientRect().height") == 0
        for place, key in enumerate("01230123"):
            assert text(tab, "where") == f"{place + 1} of 8"
            after(tab, key)
        assert ended(tab)
    assert sorted(value for _, value in values(graded)) == [0, 0, 1, 1, 2, 2, 3, 3]
    assert not tab.complaints()
    assert not any("/photographs/" in url for url in tab.requested() if url.startswith(address))


def test_pairs_are_chosen_with_the_arrows_and_an_unreachable_server_loses_no_answer(tab, study):
    path = study(kind="multiple", images=4, training=0, sources=("ns", "cs"))
    with served(path) as (process, address):
        begin(tab, address, "Clara")
        chosen = set()
        for side, key in enumerate(("ArrowLeft", "ArrowRight")):
            chosen.add(tab.run(f"document.querySelectorAll('.caption span')[{side}].innerText"))
            after(tab, key)
        after(tab, "ArrowUp")
        process.kill()
        process.wait()
        tab.press("ArrowDown")
        tab.until("document.querySelector('#trial .trouble').innerText.startsWith('Not kept yet')")
        with served(path, int(address.rpartition(":")[2])):
            after(tab, "Enter")
            assert ended(tab)
    with connect(path) as database:
        rows = database.execute("SELECT text FROM answers JOIN captions USING (trial) WHERE captions.place = value - 1")
        assert {words for (words,) in rows} == chosen
    assert sorted(value for _, value in values(path))[0::3] == [0, 3]


def test_a_page_of_another_origin_answers_nothing_in_a_raters_name(tab, study):
    path = study(kind="pairs", images=2, training=0, sources=("ns", "cs"))
    with served(path) as (_, address), evil_page() as page:
        begin(tab, address, "Emil")
        with connect(path) as database:
            (trial,) = database.execute("SELECT trial FROM answers").fetchone()
        assert set(attacked(tab, page, f"{address}/answers", {"trial": trial, "value": 1})) <= {"unread", "TypeError"}
        assert values(path) == []
        tab.open(address)  # the rater's browser is still the rater's
        tab.until(SHOWN)


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_sticks_out_at_a_phones_or_a_screens_width(tab, study, width):
    some = [Candidate(f"p{n}", "", {"ns": ["word " * 60], "cs": ["x" * 200]}) for n in range(2)]
    path = study(kind="pairs", images=2, training=0, sources=("ns", "cs"), some=some)
    tab.size(width, 800)
    with served(path) as (_, address):
        begin(tab, address, "Dora")
        tab.until("document.getElementById('photograph').complete")
        assert tab.run("document.documentElement.scrollWidth <= innerWidth")
        assert tab.run("document.getElementById('photograph').getBoundingClientRect().height") > 40

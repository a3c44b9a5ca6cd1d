"""Many raters at once, and servers that end: nothing confirmed is lost, and nothing planned is exceeded."""

import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from photocritic.studies.study_file import connect, read_ratings
from tests.studies.conftest import kept, rate, served, sign_in


def test_ten_raters_at_once_lose_nothing(study):
    path = study(images=5, training=2)
    names = [f"rater {number}" for number in range(10)]
    with served(path) as (_, address), ThreadPoolExecutor(10) as pool:
        confirmed = dict(zip(names, pool.map(rate, [address] * 10, names, range(10)), strict=True))
    assert all(len(given) == 17 for given in confirmed.values())
    assert kept(path) == confirmed


def test_ten_raters_at_once_never_exceed_what_was_planned(study):
    path = study(kind="rating", images=6, training=1, raters=3)
    names = [f"rater {number}" for number in range(10)]
    with served(path) as (_, address), ThreadPoolExecutor(10) as pool:
        confirmed = list(pool.map(rate, [address] * 10, names, range(10)))
        while left := rate(address, "late comer", 99):  # places that others held open at the end
            confirmed.append(left)
    with connect(path) as database:
        counts = Counter(rating.trial for rating in read_ratings(database))
    assert set(counts.values()) == {3}
    assert len(counts) == 18
    assert sum(counts.values()) == sum(trial > 1 for given in confirmed for trial in given)


def test_a_killed_server_loses_no_confirmed_answer_and_raters_go_on(study):
    path = study(images=8, training=1)
    with served(path) as (process, address):
        clients = [sign_in(address, f"rater {number}") for number in range(3)]
        confirmed = {f"rater {number}": {} for number in range(3)}
        for place in range(6):
            for number, (client, state) in enumerate(clients):
                trial, value = state["task"]["trial"], place % 3 + 1
                reply = client.post("/answers", json={"trial": trial, "value": value})
                confirmed[f"rater {number}"][trial] = value
                clients[number] = (client, reply.json())
        cookies = clients[0][0].cookies
        shown = clients[0][1]["task"]
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert kept(path) == confirmed
    port = int(address.rpartition(":")[2])
    with served(path, port) as (_, again):
        state = httpx.get(f"{again}/task", cookies=cookies, timeout=60).json()
        assert state["task"] == shown
        assert state["progress"] == {"trained": 1, "training": 1, "done": 5, "total": 24}
        confirmed["rater 0"] |= rate(again, "rater 0", 1)
    assert kept(path) == confirmed
    assert len(confirmed["rater 0"]) == 25


@pytest.mark.parametrize("sort", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_every_end_that_is_asked_for_leaves_all_answers_in_one_file(study, sort):
    """M11: the file alone, copied after SIGTERM, had none of the answers."""
    path = study()
    with served(path) as (process, address):
        confirmed = rate(address, "Anna", 1)
        with connect(path):  # as a report that is written meanwhile
            process.send_signal(sort)
            assert process.wait(30) == 0
            copied = path.with_name("copied.db")
            copied.write_bytes(path.read_bytes())
    assert kept(copied) == {"Anna": confirmed}
    copied.unlink()
    assert [file.name for file in path.parent.iterdir()] == ["one.db"]

"""The page and its requests, from a real server: blind, safe for many raters at once, and nothing confirmed is lost."""

import csv
import io
import json
import socket
from contextlib import ExitStack
from pathlib import Path

import httpx
import psutil
import pytest
from PIL import Image

from photocritic.core import limits
from photocritic.studies.trial_plan import Candidate
from tests.origins import refused_for_others
from tests.studies.conftest import SECRETS, captions_table, command, scored, served, sign_in

JSON = {"content-type": "application/json"}
NASTY = "<img src=x onerror=alert(1)> </script> \"' & ünï 日本 {{ 7*7 }}"


def test_no_response_tells_where_a_caption_comes_from(study):
    path = study(name="ns-cs-cws", images=3, training=2)
    seen = []
    with served(path) as (_, address):
        client, state = sign_in(address, "Anna")
        pages = ["/", "/study", "/task", "/openapi.json", "/docs", "/nothing", "/last"]
        while task := state["task"]:
            pages.append(f"/photographs/{task['photograph']}")
            reply = client.post("/answers", json={"trial": task["trial"], "value": 1})
            seen.append(reply)
            state = reply.json()
        seen += [client.get(page) for page in pages]
        seen.append(client.get("/last"))
    trials = [reply for reply in seen if reply.request.method == "POST"]
    assert len(trials) == 11
    for reply in seen:
        told = json.dumps(dict(reply.headers)) + str(reply.url) + reply.text
        words = set(told.replace('"', " ").replace("/", " ").replace("_", " ").split())
        assert not words & {*SECRETS, "ns-cs-cws", "source", "variant"}, reply.url
        assert "picture0" not in told


def test_words_of_others_stay_words(shared):
    _, state = sign_in(str(shared.base_url).rstrip("/"), NASTY)
    page = shared.get("/")
    assert state["rater"]["name"] == NASTY
    assert state["task"]["captions"] == [NASTY]
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http://" not in page.text + policy
    assert "https://" not in page.text + policy
    assert NASTY not in page.text


def test_photographs_are_whole_and_for_raters_alone(shared):
    where = f"/photographs/{shared.get('/task').json()['task']['photograph']}"
    reply = shared.get(where)
    assert reply.headers["content-type"] == "image/jpeg"
    assert Image.open(io.BytesIO(reply.content)).size == (48, 32)
    assert httpx.get(f"{shared.base_url}{where}", timeout=60).status_code == 401
    assert shared.get("/photographs/999").status_code == 404
    assert shared.get(f"/photographs/{1 << 80}").status_code == 404
    assert shared.get("/photographs/x").status_code == 422


@pytest.mark.parametrize(
    ("where", "body", "status"),
    [
        ("/answers", {"trial": 1, "value": 4}, 422),
        ("/answers", {"trial": 1, "value": "2"}, 422),
        ("/answers", {"trial": 1, "value": 2.5}, 422),
        ("/answers", {"trial": 1, "value": True}, 422),
        ("/answers", {"trial": 1}, 422),
        ("/answers", {"trial": 1 << 80, "value": 2}, 422),
        ("/answers", {"trial": 5, "value": 2}, 409),
        ("/answers", [1, 2], 422),
        ("/sign-in", {"invitation": "x", "name": "", "group": "expert"}, 422),
        ("/sign-in", {"invitation": "x", "name": "\ud800", "group": "expert"}, 422),
        ("/sign-in", {"invitation": "x", "name": "Ben", "group": "genius"}, 422),
        ("/sign-in", {"invitation": "x", "name": 7, "group": "expert"}, 422),
    ],
)
def test_what_cannot_be_taken_is_refused_in_one_line(shared, where, body, status):
    reply = shared.post(where, content=json.dumps(body), headers={"Content-Type": "application/json"})
    assert reply.status_code == status, reply.text
    assert isinstance(reply.json()["detail"], str)
    assert "\n" not in reply.json()["detail"]
    assert shared.get("/task").json()["progress"]["done"] == 0


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Give a rater at a server whose study no test changes."""
    from tests.studies.conftest import make

    path = tmp_path_factory.mktemp("shared") / "one.db"
    some = [Candidate(f"picture{n}", "", {name: [NASTY] for name in SECRETS}) for n in range(4)]
    make(path, training=0, some=some)
    with served(path) as (_, address):
        yield sign_in(address, "Anna")[0]


def test_strangers_are_asked_to_sign_in(shared):
    with httpx.Client(base_url=shared.base_url, timeout=60) as stranger:
        assert not stranger.get("/study").json()["signed_in"]
        assert stranger.get("/task").status_code == 401
        assert stranger.post("/answers", json={"trial": 1, "value": 1}).status_code == 401
        assert stranger.get("/last").status_code == 401
    assert shared.get("/study").json()["signed_in"]
    assert shared.get("/last").status_code == 404


def test_signing_out_forgets_the_browser_and_signing_in_again_goes_on(shared):
    client, state = sign_in(str(shared.base_url).rstrip("/"), "Clara")
    client.post("/sign-out", json={})
    assert client.get("/task").status_code == 401
    assert sign_in(str(shared.base_url).rstrip("/"), "Clara")[1]["task"] == state["task"]


def test_a_port_in_use_and_files_that_are_no_studies_end_in_one_line(study, tmp_path):
    path = study()
    (tmp_path / "text.db").write_text("no database")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for arguments in [(path, "--port", port), ("text.db",), ("nothing",)]:
            done = command("serve", *arguments, cwd=tmp_path)
            assert done.returncode == 1, arguments
            assert len(done.stderr.strip().splitlines()) == 1, done.stderr
            assert "Traceback" not in done.stderr


def test_comments_are_graded_from_a_filtered_file_to_grades_that_a_filter_can_learn(tmp_path):
    captions_table(tmp_path / "rows.parquet", scored(40, threshold=20))
    made = command("create", "one", "--kind", "grades", "--images", "8", "--data", "rows.parquet", cwd=tmp_path)
    assert "8 trials" in made.stdout, made.stderr
    path = tmp_path / "studies" / "one.db"
    with served(path) as (process, address):
        about = httpx.get(f"{address}/study", timeout=60).json()
        assert not about["photograph"]
        assert [(one["key"], one["value"]) for one in about["choices"]] == [("0", 0), ("1", 1), ("2", 2), ("3", 3)]
        assert all(one["hint"] for one in about["choices"])
        anna, state = sign_in(address, "Anna")
        ben, other = sign_in(address, "Ben")
        assert anna.get(f"/photographs/{state['task']['photograph']}").status_code == 404
        assert anna.post("/answers", json={"trial": state["task"]["trial"], "value": 4}).status_code == 422
        for _ in range(8):
            sent = {"trial": state["task"]["trial"], "value": 3}
            state = anna.post("/answers", json=sent).json()
        for _ in range(3):
            sent = {"trial": other["task"]["trial"], "value": 0}
            other = ben.post("/answers", json=sent).json()
        assert state["task"] is None
        assert other["progress"] == {"trained": 0, "training": 0, "done": 3, "total": 8}
        assert "comment" not in json.dumps(other["task"])  # which comment it is
        process.kill()
    with served(path) as (_, address):
        assert sign_in(address, "Ben")[1] == other  # goes on where he stopped
    done = command("report", "one", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "studies" / "one" / "judged.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert sorted((row["rater"], row["grade"]) for row in rows) == [("1", "3")] * 8 + [("2", "0")] * 3


def test_a_large_body_is_refused_and_not_kept(shared):
    """M13: 1 GB for /sign-in took 2 GB."""
    before = peak(shared)
    for where in ("/sign-in", "/answers"):
        reply = shared.post(where, content=(b"x" * 2**20 for _ in range(100)))
        assert reply.status_code == 413
        assert "16,384 bytes" in reply.json()["message"]
    assert shared.post("/answers", json={"trial": 1, "value": 9, "more": "x" * 10**4}).status_code == 422
    assert peak(shared) - before < 20 * 2**20


def peak(shared):
    """Give the most memory that the server has ever held, in bytes."""
    port = httpx.URL(str(shared.base_url)).port
    [found] = {one.pid for one in psutil.net_connections() if one.status == "LISTEN" and one.laddr.port == port}
    lines = Path(f"/proc/{found}/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def test_connections_that_are_held_open_for_nothing_shut_nobody_out(shared):
    place = httpx.URL(str(shared.base_url))
    with ExitStack() as open_ones:
        for _ in range(3 * limits.CONNECTIONS):
            line = open_ones.enter_context(socket.create_connection((place.host, place.port), timeout=60))
            line.sendall(b"POST /answers HTTP/1.1\r\nHo")
        assert httpx.get(place.join("/study"), timeout=60).status_code == 200


def test_nobody_signs_in_without_an_invitation(shared):
    """M14: a script became 300 raters by 300 names."""
    with httpx.Client(base_url=shared.base_url, timeout=60) as stranger:
        for token in ("", "guessed"):
            reply = stranger.post("/sign-in", json={"invitation": token, "name": "Forger", "group": "expert"})
            assert reply.status_code == 403
            assert "invited" in reply.json()["detail"]
        for token in ("\ud800", "x" * 65, "a b", 7):
            body = json.dumps({"invitation": token, "name": "Forger", "group": "expert"})
            assert stranger.post("/sign-in", content=body, headers=JSON).status_code == 422
        assert stranger.post("/sign-in", json={"name": "Forger", "group": "expert"}).status_code == 422
        assert not stranger.cookies


def test_links_are_printed_one_a_rater_and_sign_in_while_the_study_is_served(study):
    path = study()
    with served(path) as (_, address):
        done = command("invite", path, "--n", 3, "--address", address, cwd=path.parent)
        links = done.stdout.split()
        assert len(set(links)) == 3, done.stderr
        for number, link in enumerate(links):
            where, _, token = link.partition("#")
            assert where == f"{address}/"
            body = {"invitation": token, "name": f"rater {number}", "group": "expert"}
            assert httpx.post(f"{address}/sign-in", json=body, timeout=60).status_code == 200


def test_only_the_studys_own_pages_are_answered(shared):
    """M14: a foreign Host was accepted."""
    place = str(shared.base_url).rstrip("/")
    task = shared.get("/task").json()["task"]["trial"]
    refused_for_others(place, "POST", "/answers", {"trial": task, "value": 1}, cookies=dict(shared.cookies))
    refused_for_others(place, "GET", "/task", cookies=dict(shared.cookies))
    assert shared.get("/task").json()["progress"]["done"] == 0

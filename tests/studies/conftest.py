"""Small studies made without tables, and a real server for them."""

import io
import os
import random
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from PIL import Image

from photocritic import tables
from photocritic.studies.rating_session import Sessions
from photocritic.studies.study_creation import create
from photocritic.studies.study_file import Terms, connect, hashed, write
from photocritic.studies.study_kinds import KINDS
from photocritic.studies.trial_plan import Candidate, plan
from tests.evaluation.conftest import comments

ROOT = Path(__file__).resolve().parents[2]
SERVED = {}  # studies by the addresses where tests serve them
SECRETS = ("ns", "cs", "cws")


def photograph(shade=90):
    """Make a small JPEG."""
    buffer = io.BytesIO()
    Image.new("RGB", (48, 32), (shade % 256, 120, 160)).save(buffer, "JPEG")
    return buffer.getvalue()


def candidates(count, sources=SECRETS, each=1):
    """Make photographs with captions that do not tell their sources."""
    return [
        Candidate(
            f"picture{number:03}",
            "",
            {name: [f"words {number} {place} {i}" for i in range(each)] for place, name in enumerate(sources)},
        )
        for number in range(count)
    ]


def make(path, kind="rating", images=4, training=2, raters=0, sources=SECRETS, some=None, seed=7):
    """Write a study and give its plan."""
    chosen = KINDS[kind]
    some = some or candidates(images + training, sources, chosen.each)
    drawn = plan(chosen, some, images=images, training=training, seed=seed)
    jpegs = [photograph(number) for number in range(len(drawn.photographs))]
    write(path, Terms(kind, tuple(sources), training, raters, seed), drawn, jpegs)
    return drawn


def captions_table(path, rows):
    """Write a captions table of comments that are given by what matters of them."""
    (usual, *_) = comments(0, "")
    path.parent.mkdir(parents=True, exist_ok=True)
    full = [
        usual
        | {"comment_id": f"comment{place}", "image_id": f"image{place}"}
        | row
        | {"cleaned": row["text"], "tokens": [], "reason": "" if row["kept"] else row.get("reason", "uninformative")}
        for place, row in enumerate(rows)
    ]
    tables.save("captions", path, tables.from_rows("captions", full))
    return path


def scored(count, threshold=50):
    """Make comments with the scores 0, 1, 2, ... that share no words."""
    return [
        {"text": f"Look: {hashed(str(place))[:24]}", "score": float(place), "kept": place >= threshold}
        for place in range(count)
    ]


@pytest.fixture
def graded(tmp_path):
    """Give a study in which eight comments are graded; no photograph belongs to it."""
    path = captions_table(tmp_path / "rows.parquet", scored(20, threshold=10))
    return create(str(tmp_path / "graded.db"), "grades", path, images=8, seed=1)[0]  # one of two at random is accepted


def invitation(database, name):
    """Give the token of the invitation that a test keeps for a name, made the first time."""
    token = f"for-{hashed(name)[:16]}"
    database.execute("INSERT INTO invitations (hash) VALUES (?) ON CONFLICT DO NOTHING", (hashed(token),))
    return token


def join(sessions, name, group="expert"):
    """Sign a rater in, who is invited first."""
    return sessions.sign_in(invitation(sessions._database, name), name, group)


def invited(path, name):
    """Give the token of the invitation that a test keeps for a name, while a study may be served."""
    with connect(path) as database:
        return invitation(database, name)


@pytest.fixture
def study(tmp_path):
    """Give a function that makes a study and returns its path."""

    def build(**changes):
        path = tmp_path / f"{changes.get('name', 'one')}.db"
        changes.pop("name", None)
        make(path, **changes)
        return path

    return build


def command(*arguments, cwd, **options):
    """Run the photocritic command."""
    words = [sys.executable, "-m", "photocritic.cli", "study", *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, check=False, cwd=cwd, **options)


@contextmanager
def served(path, port=0):
    """Serve a study in a process of its own; gives the process and the address."""
    words = [sys.executable, "-m", "photocritic.cli", "study", "serve", str(path), "--port", str(port)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=path.parent, env=os.environ) as process:
        try:
            address = process.stdout.readline().split()[1].rstrip("/")
            SERVED[address] = path
            yield process, address
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)


class Clock:
    """A clock that a test sets."""

    now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def sessions(study):
    """Give a function that opens a new study with a clock, and closes it after the test."""
    opened = []

    def build(**changes):
        one = Sessions(study(**changes), Clock())
        opened.append(one)
        return one

    yield build
    for one in opened:
        one.__exit__()


def rate_all(sessions, rater, value=2):
    """Answer everything; give the trials in their order."""
    trials = []
    while task := sessions.task(rater):
        sessions.answer(rater, task.trial, value)
        trials.append(task.trial)
    return trials


def sign_in(address, name, group="expert"):
    client = httpx.Client(base_url=address, timeout=60)
    token = invited(SERVED[address], name)
    state = client.post("/sign-in", json={"invitation": token, "name": name, "group": group})
    assert state.status_code == 200, state.text
    return client, state.json()


def rate(address, name, seed, group="expert"):
    """Rate until nothing is left, as a browser does; give what the server confirmed."""
    client, state = sign_in(address, name, group)
    random_, confirmed = random.Random(seed), {}
    while task := state["task"]:
        value = random_.choice([1, 2, 3])
        reply = client.post("/answers", json={"trial": task["trial"], "value": value})
        if reply.status_code == 200:
            confirmed[task["trial"]] = value
            state = reply.json()
        else:
            assert reply.status_code == 409, reply.text
            state = client.get("/task").json()
    return confirmed


def kept(path):
    with connect(path) as database:
        rows = database.execute(
            "SELECT name, trial, value FROM answers JOIN raters ON number = rater WHERE value IS NOT NULL"
        )
        found = {}
        for name, trial, value in rows:
            found.setdefault(name, {})[trial] = value
    return found

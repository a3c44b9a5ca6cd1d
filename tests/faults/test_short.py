"""Kills, full disks and two at once: what of the fault harness runs each time; `make faults` runs the whole."""

import hashlib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from photocritic import tables
from photocritic.config import IngestParams, Params
from photocritic.core.errors import CorpusError, OutputError, PhotocriticError
from photocritic.core.generation import recover
from photocritic.core.lock import alone
from photocritic.filtering.filter_file import filter_file
from photocritic.images.shards import read_images
from photocritic.ingest import ingest
from photocritic.ingest.ingestion import JOURNAL
from tests import file_watch

RENAMES = ("rename", "replace")


def corpus(seed: int, folder: Path) -> Path:
    """Write three tiny photographs with comments, other ones for another seed, where they are not there yet."""
    place = folder / f"corpus-{seed}"
    if not place.exists():
        (place / "images").mkdir(parents=True)
        for name in range(3):
            pixels = np.random.default_rng([seed, name]).integers(0, 256, (64, 64, 3), np.uint8)
            Image.fromarray(pixels).save(place / "images" / f"{name}.png")
        rows = "".join(f"{name}.png,A calm photograph of number {seed}\n" for name in range(3))
        (place / "comments.csv").write_text("image,text\n" + rows)
    return place


def small(seed: int) -> Callable[[Path], None]:
    """Give a function that ingests such a corpus."""
    return lambda out: _ingest(corpus(seed, out.parent), out)


def _ingest(source: Path, out: Path) -> None:
    ingest(IngestParams(reader="folder", source=str(source)), out)


def contents(folder: Path) -> dict[str, str]:
    """Give the hash of every file below a folder."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def killed(work: Callable[[Path], None], out: Path, moment: int) -> int:
    """Do some work in a process of its own, killed before its n-th rename: return the signal, or minus its renames."""
    child = os.fork()
    if child:
        return -os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    done = 0

    def killing(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal done
            done += 1
            if done == moment:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **options)

        return call

    try:
        os.rename, os.replace = killing(os.rename), killing(os.replace)
        work(out)
    finally:
        os._exit(done)


def test_a_kill_between_any_two_renames_of_ingest_loses_and_mixes_nothing(tmp_path: Path) -> None:  # H2
    small(1)(tmp_path / "old")
    small(2)(tmp_path / "new")
    old, new = contents(tmp_path / "old"), contents(tmp_path / "new")
    out = tmp_path / "out"
    renames = -killed(small(2), out, 0)
    after = []
    for moment in sorted({*random.Random(7).sample(range(1, renames), 2), *range(renames - 6, renames + 1)}):
        shutil.rmtree(out)
        shutil.copytree(tmp_path / "old", out)
        assert killed(small(2), out, moment) == signal.SIGKILL
        assert _read(out) in (_read(tmp_path / "old"), _read(tmp_path / "new"), None), f"before rename {moment}"
        (out / JOURNAL).with_suffix(".lock").unlink()  # else gone with the next writer
        recover(out / JOURNAL)
        after.append(contents(out))
    assert set(map(str, after)) == {str(old), str(new)}
    assert after == [old] * after.count(old) + [new] * after.count(new)


def _read(out: Path) -> list[bytes] | None:
    """Give the images that the table in a folder describes; None where the shards are found not to be its own."""
    if not (out / "images.parquet").exists():
        return None
    rows = tables.load("images", out / "images.parquet").to_pylist()
    try:
        return list(read_images([row["path"] for row in rows], out / "shards", [row["sha256"] for row in rows]))
    except CorpusError:
        return None


def test_shards_of_another_ingest_are_refused(tmp_path: Path) -> None:  # H2
    small(1)(tmp_path / "a")
    small(2)(tmp_path / "b")
    rows = tables.load("images", tmp_path / "a" / "images.parquet").to_pylist()
    with pytest.raises(CorpusError, match="not the image that the images table describes"):
        list(read_images([row["path"] for row in rows], tmp_path / "b" / "shards", [row["sha256"] for row in rows]))


def test_an_ingest_that_fails_leaves_the_one_before(tmp_path: Path) -> None:  # H2
    small(1)(tmp_path / "out")
    before = contents(tmp_path / "out")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "comments.csv").write_text("image,text\n")
    with pytest.raises(PhotocriticError):
        ingest(IngestParams(reader="folder", source=str(tmp_path / "bad")), tmp_path / "out")
    assert contents(tmp_path / "out") == before


@pytest.mark.parametrize("limit", [0, 2_000, 20_000])
def test_a_full_disk_ends_in_one_line_and_leaves_what_was_there(tmp_path: Path, limit: int) -> None:  # L3
    small(1)(tmp_path / "out")
    before = contents(tmp_path / "out")
    corpus(2, tmp_path)
    child = os.fork()
    if not child:
        status = 1
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            small(2)(tmp_path / "out")
        except OutputError as error:
            status = 65 if "larger than is allowed" in str(error) and "\n" not in str(error) else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 65
    small(1)(tmp_path / "out")  # clears what could not be cleared
    assert contents(tmp_path / "out") == before


COMMENTS = "image,text\n" + "".join(
    f"{n}.jpg,A {word} photograph with strong lines and soft light\n"
    for n, word in enumerate(["calm", "bold", "quiet", "busy"] * 3)
)


@pytest.mark.parametrize("place", ["/dev/null", "comments.csv", "folder", "link", "other.txt", "pipe", "hard.csv"])
def test_filter_replaces_nothing_that_it_has_not_written(  # M12
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("comments.csv").write_text(COMMENTS)
    Path("folder").mkdir()
    Path("link").symlink_to("comments.csv")
    Path("other.txt").write_text("mine")
    os.mkfifo("pipe")
    Path("hard.csv").hardlink_to("comments.csv")
    before = {path: (path.lstat().st_mode, path.lstat().st_ino) for path in (*tmp_path.iterdir(), Path("/dev/null"))}
    with pytest.raises(OutputError, match=place.replace("/", "/")):
        filter_file(Path("comments.csv"), Path(place), Params())
    assert {path: (path.lstat().st_mode, path.lstat().st_ino) for path in before} == before
    assert Path("comments.csv").read_text() == COMMENTS
    assert set(tmp_path.iterdir()) | {Path("/dev/null")} == set(before)


def test_two_filters_into_one_table_are_one_after_the_other(tmp_path: Path) -> None:  # L5
    comments, out = tmp_path / "comments.csv", tmp_path / "captions.parquet"
    comments.write_text(COMMENTS)
    command = [sys.executable, "-m", "photocritic.cli", "filter", str(comments), "--out", str(out)]
    both = [subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) for _ in range(2)]
    ends = [(one.communicate()[1], one.returncode) for one in both]
    assert 0 in [status for _, status in ends]
    for message, status in ends:
        assert status == 0 or (status == 1 and "another run writes captions" in message and "Traceback" not in message)
    assert tables.load("captions", out).num_rows == 12
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_run_that_is_refused_has_changed_no_parameters(root: Path, tmp_path: Path) -> None:  # H1
    (tmp_path / "presets").symlink_to(root / "presets")
    for name in ("dvc.yaml", "params.yaml"):
        shutil.copyfile(root / name, tmp_path / name)
    (tmp_path / "corpus").mkdir()
    before = (tmp_path / "params.yaml").read_bytes()
    with alone(tmp_path):
        done = subprocess.run(
            [sys.executable, "-m", "photocritic.cli", "run", "--corpus", "corpus"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert "another run is at work" in done.stderr
    assert (tmp_path / "params.yaml").read_bytes() == before


@pytest.mark.parametrize("command", [["caption", ".", "--out"], ["knowledge", "names.csv"]])
@pytest.mark.parametrize("place", ["photograph.jpg", "names.csv", "/dev/null", "folder", "link"])
def test_no_command_replaces_what_it_has_not_written(  # M12
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], place: str
) -> None:
    from typer.testing import CliRunner

    from photocritic.cli import app

    monkeypatch.chdir(tmp_path)
    Path("names.csv").write_text("name,hypernym\nAda,woman\n")
    Path("photograph.jpg").write_bytes(b"\xff\xd8\xff and so on")
    Path("folder").mkdir()
    Path("link").symlink_to("photograph.jpg")
    before = {path: path.lstat().st_ino for path in (*tmp_path.iterdir(), Path("/dev/null"))}
    done = CliRunner().invoke(app, [*command, place])
    assert isinstance(done.exception, OutputError)
    assert "\n" not in str(done.exception)
    assert {path: path.lstat().st_ino for path in before} == before
    assert set(tmp_path.iterdir()) | {Path("/dev/null")} == set(before)


@pytest.mark.parametrize("place", ["theirs.parquet", "cut.parquet", "new.parquet", "comments.csv", "folder"])
def test_no_table_and_nothing_beside_it_is_replaced_that_filter_has_not_written(tmp_path: Path, place: str) -> None:
    comments = tmp_path / "comments.csv"
    comments.write_text("image,text\na.jpg,the soft light on the boat\n")
    pq.write_table(pa.table({"mine": [1, 2]}), tmp_path / "theirs.parquet")
    (tmp_path / "cut.parquet").write_bytes((tmp_path / "theirs.parquet").read_bytes()[:-30])
    for folder in ("folder", "new.tables"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.csv").write_text("kept")
    before = {path: path.read_bytes() if path.is_file() else b"" for path in tmp_path.rglob("*")}
    with pytest.raises(OutputError, match=r"would be lost|is a folder|is one of the inputs|contains something else"):
        filter_file(comments, tmp_path / place, Params())
    assert {path: path.read_bytes() if path.is_file() else b"" for path in tmp_path.rglob("*")} == before


WITH_SIGINT = "import signal as s; s.signal(s.SIGINT, s.default_int_handler); from photocritic.cli import main; main()"


def test_an_interrupted_command_ends_quietly_and_leaves_nothing(tmp_path: Path) -> None:
    # A background shell ignores SIGINT, and so would every process that it starts.
    command = [sys.executable, "-c", WITH_SIGINT, "sample", "--folder", "corpus", "--images", "100000"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        file_watch.until(lambda: list(tmp_path.rglob("comments.jsonl")), tmp_path, process.pid)
        process.send_signal(signal.SIGINT)
        message = process.communicate()[1]
    assert process.returncode == 130
    assert "Traceback" not in message
    assert not list(tmp_path.iterdir())

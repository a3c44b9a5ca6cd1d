"""Several files that change together: after a kill at any moment all of them are old, or all new."""

import itertools
import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from photocritic.core.errors import OutputError, PhotocriticError
from photocritic.core.generation import aside, generation, recover, recover_all, shown

CHANGES = ("replace", "rename", "unlink", "rmdir", "mkdir", "fsync")


def write(folder: Path, text: str, kill_at: int = 0) -> int:
    """Write a generation in a process of its own, which is killed before its n-th change; return its exit status."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        changes = itertools.count(1)
        for name in CHANGES:
            setattr(os, name, _killing(getattr(os, name), changes, kill_at))
        fill(folder, text)
    finally:
        os._exit(9)


def _killing(function: Callable[..., Any], changes: Iterator[int], kill_at: int) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        if next(changes) == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **options)

    return call


def fill(folder: Path, text: str) -> None:
    with generation(folder / ".set.json"):
        aside(folder / "table").write_text(text)
        (aside(folder / "shards") / "deep").mkdir(parents=True)
        (aside(folder / "shards") / "deep" / "one").write_text(text)
        aside(folder / "elsewhere" / "note").write_text(text)
        gone = aside(folder / "gone")
        if text == "old":
            gone.write_text(text)


def state(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


OLD = dict.fromkeys(["elsewhere/note", "gone", "shards/deep/one", "table"], "old")
NEW = dict.fromkeys(["elsewhere/note", "shards/deep/one", "table"], "new")


def test_a_kill_before_any_change_of_names_leaves_one_generation(tmp_path: Path) -> None:  # H2
    seen = []
    for moment in range(1, 200):
        folder = tmp_path / str(moment)
        assert write(folder, "old") == 9
        ended = write(folder, "new", moment)
        recover(folder / ".set.json")
        (folder / ".set.lock").unlink(missing_ok=True)
        after = state(folder)
        assert after in (OLD, NEW), f"killed before change {moment}"
        seen.append(after == NEW)
        if ended == 9:
            break
    assert ended == 9
    assert seen == sorted(seen)  # from the journal's rename on it is the new one
    assert {True, False} == set(seen)


def test_a_block_that_breaks_leaves_what_stood_there(tmp_path: Path) -> None:
    write(tmp_path, "old")
    with pytest.raises(ValueError, match="broken"), generation(tmp_path / ".set.json"):
        aside(tmp_path / "table").write_text("half")
        raise ValueError("broken")
    assert state(tmp_path) == OLD


def test_a_second_writer_is_refused_or_waits(tmp_path: Path) -> None:  # H2, L5
    inside, leave = threading.Event(), threading.Event()

    def first() -> None:
        with generation(tmp_path / ".set.json"):
            aside(tmp_path / "table").write_text("first")
            inside.set()
            leave.wait(60)

    other = threading.Thread(target=first)
    other.start()
    assert inside.wait(60)
    refused = pytest.raises(PhotocriticError, match=f"another run writes set.*process {os.getpid()}")
    with refused, generation(tmp_path / ".set.json"):
        pass
    with generation(tmp_path / ".other.json"):  # of other targets
        aside(tmp_path / "other").write_text("beside")
    leave.set()
    with generation(tmp_path / ".set.json", wait=True):
        aside(tmp_path / "table").write_text("second")
    other.join()
    assert state(tmp_path) == {"other": "beside", "table": "second"}


def test_no_damaged_generation_is_switched_to(tmp_path: Path) -> None:
    write(tmp_path, "old")
    moment = next(n for n in range(1, 200) if _sealed(tmp_path, n))
    (tmp_path / ".set.staged" / "table").write_text("damaged")
    with pytest.raises(OutputError, match="damaged while a run was interrupted"):
        recover(tmp_path / ".set.json")
    assert state(tmp_path) == {}, f"killed before change {moment}"


def _sealed(folder: Path, moment: int) -> bool:
    write(folder, "new", moment)
    journal = folder / ".set.json"
    if journal.exists() and '"hashes": null' not in journal.read_text():
        (folder / ".set.lock").unlink(missing_ok=True)
        return True
    recover(journal)
    return False


@pytest.mark.parametrize("content", ["", "{}", '{"targets": 1}', "[]", "\x00", '{"targets": ["a"], "hashes": {}}'])
def test_a_file_that_is_no_journal_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / ".set.json").write_text(content)
    with pytest.raises(OutputError, match="not a journal"), generation(tmp_path / ".set.json"):
        pass


def test_a_journal_that_a_stranger_has_put_there_removes_nothing_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    (tmp_path / "theirs").mkdir()
    journal = tmp_path / "theirs" / ".set.json"
    journal.write_text(json.dumps({"targets": ["../mine"], "hashes": {"../mine": ""}}))
    with pytest.raises(OutputError, match="names files elsewhere"), generation(journal):
        pass
    assert (tmp_path / "mine").read_text() == "kept"
    (tmp_path / ".set.staged").mkdir()
    recover(journal, within=tmp_path)  # where it may
    assert not (tmp_path / "mine").exists()


def test_all_generations_of_a_folder_are_recovered(tmp_path: Path) -> None:
    write(tmp_path, "old")
    write(tmp_path, "new", 8)
    (tmp_path / ".set.json").rename(tmp_path / "set.json")
    (tmp_path / ".set.lock").rename(tmp_path / "set.lock")
    recover_all(tmp_path, tmp_path)
    assert state(tmp_path) == OLD


def test_no_folder_is_replaced_by_a_file(tmp_path: Path) -> None:  # M12
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "mine").write_text("kept")
    with pytest.raises(OutputError, match="of another kind"), generation(tmp_path / ".set.json"):
        aside(tmp_path / "table").write_text("new")
    assert state(tmp_path) == {"table/mine": "kept"}


def test_messages_name_the_place_where_a_file_will_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with generation(Path(".set.json")):
        assert shown(aside(Path("data/table"))) == Path("data/table")
        aside(Path("data/table")).write_text("x")
    assert aside(Path("data/table")) == shown(Path("data/table")) == Path("data/table")


@pytest.mark.timeout(60)
def test_nothing_but_what_is_written_is_opened(tmp_path):
    """A pipe beside the output, or below a folder there, would hold a writer up for ever."""
    (tmp_path / "others").mkdir()
    for pipe in (tmp_path / "pipe", tmp_path / "others" / "pipe"):
        os.mkfifo(pipe)
    with generation(tmp_path / ".new.json"):
        aside(tmp_path / "new.txt").write_text("new")
    assert (tmp_path / "new.txt").read_text() == "new"

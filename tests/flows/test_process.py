"""Commands of a flow: their lines come one by one, and they end with what started them."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from flows import process


def run(*command, on_line=lambda _line: None):
    return process.run(list(command), on_line, Path(), os.environ)


def test_lines_are_handed_on_and_the_last_are_kept():
    lines = []
    status, tail = run(sys.executable, "-c", "for n in range(50): print(n)\nraise SystemExit(3)", on_line=lines.append)
    assert status == 3
    assert lines == [str(number) for number in range(50)]
    assert tail.splitlines() == lines[-process.TAIL :]


def test_passwords_in_addresses_are_not_handed_on():
    """L13"""
    lines = []
    _, tail = run("echo", "ERROR: https://user:secret@host/x failed", on_line=lines.append)
    assert lines == [tail] == ["ERROR: https://host/x failed"]


def test_what_ends_the_caller_ends_the_whole_group():
    """A shell with a child, as DVC starts stages: both are gone when the reader gives up."""
    pids = []

    def give_up(line):
        pids.append(int(line))
        if len(pids) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run("sh", "-c", "echo $$; sleep 600 & echo $!; wait", on_line=give_up)
    assert not any(psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie" for pid in pids)


def test_a_group_that_does_not_listen_is_made_to_end():
    stubborn = (
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('ready', flush=True); signal.pause()"
    )
    one = subprocess.Popen([sys.executable, "-c", stubborn], stdout=subprocess.PIPE, start_new_session=True, text=True)
    assert one.stdout.readline() == "ready\n"
    process.end(one, grace=0.2)
    assert one.wait(5) == -9
    one.stdout.close()


def test_one_of_the_group_that_does_not_listen_is_made_to_end_though_the_first_is_gone():
    """A stage's loader that ignores the request, below a shell that does not."""
    stubborn = (
        "import os, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "print(os.getpid(), flush=True); signal.pause()"
    )
    command = ["sh", "-c", '"$0" -c "$1" & wait', sys.executable, stubborn]
    one = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True, text=True)
    below = psutil.Process(int(one.stdout.readline()))
    process.end(one, grace=0.2)
    assert not below.is_running() or below.status() == psutil.STATUS_ZOMBIE
    one.stdout.close()


def test_all_that_runs_can_be_ended_at_once():
    started = threading.Event()
    found = []
    thread = threading.Thread(
        target=lambda: found.append(run("sh", "-c", "echo on; sleep 600", on_line=lambda _line: started.set()))
    )
    thread.start()
    assert started.wait(30)
    process.end_all()
    thread.join(30)
    assert [status for status, _ in found] == [-15]

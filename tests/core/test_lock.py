"""One run at a time in a folder, also while what a killed run has started is still at work."""

import os
import subprocess
import sys

import pytest

from photocritic.core.errors import PhotocriticError
from photocritic.core.lock import alone

# Holds the lock, hands it to a child that goes on until its input ends, and is killed.
OWNER = """
import os, signal, subprocess, sys
from pathlib import Path
from photocritic.core.lock import alone
with alone(Path(sys.argv[1])) as lock:
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], pass_fds=[lock])
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_second_run_is_refused_with_the_process_at_work(tmp_path):
    with alone(tmp_path), pytest.raises(PhotocriticError, match=f"another run.*process {os.getpid()}"), alone(tmp_path):
        pass
    with alone(tmp_path):
        pass


def test_what_a_killed_run_has_started_holds_its_lock(tmp_path):
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(tmp_path)], stdin=subprocess.PIPE)
    assert owner.wait(60) == -9
    with pytest.raises(PhotocriticError, match="another run"), alone(tmp_path):
        pass
    owner.stdin.close()  # the child's input ends, and so does the child
    with alone(tmp_path, wait=True):
        pass

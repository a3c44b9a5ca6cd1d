"""Stages started as copies of one process that has imported what they share: the client of `stages.server`."""

import json
import os
import re
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

RUN = "stages/run"
ADDRESS = "PHOTOCRITIC_STAGE_SERVER"  # variable by which processes started within `StageServer` find it
_COMMAND = re.compile(rf"{RUN}((?: [\w.@-]+)+)")


class StageServer:
    """Runs commands of stages, each in a copy of one process, which starts with the first of them.

    For use in a `with` statement, at whose end the process ends. Within it, processes that are started here run stages
    in copies of the same process, by `run_by_server`.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._does_not_start = False

    def __enter__(self) -> "StageServer":
        self._folder = TemporaryDirectory(prefix="photocritic.")
        os.environ[ADDRESS] = str(Path(self._folder.name) / "stages")
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        del os.environ[ADDRESS]
        self._folder.cleanup()

    def _stop(self) -> None:
        if self._process is not None:
            self._process.communicate()
            self._process = None

    def run(self, command: str, env: Mapping[str, str]) -> int | None:
        """Run a command and wait for its end.

        Parameters
        ----------
        command : str
            A command of dvc.yaml.
        env : mapping
            The environment as DVC gives it; that of a later command may differ in `DVC_STAGE` alone.

        Returns
        -------
        int or None
            The exit status, below 0 where a signal ended the stage. None where nothing was run: the command is not
            `stages/run NAME`, or the process that is to be copied does not start.
        """
        wanted = _COMMAND.fullmatch(command) and not self._does_not_start
        if not wanted or (self._process is None and not self._starts(env)):
            return None
        assert self._process is not None
        status = run_by_server(command, env)
        return (self._process.poll() or 1) if status is None else status

    def _starts(self, env: Mapping[str, str]) -> bool:
        """Start the process; return whether it has imported what stages share, for which memory may be too short."""
        replies, end = os.pipe()
        command = [RUN, "server", os.environ[ADDRESS], str(end)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, env=dict(env), pass_fds=[end])
        os.close(end)
        with os.fdopen(replies, encoding="utf-8") as lines:
            self._does_not_start = lines.readline() != "ready\n"
        if self._does_not_start:
            self._stop()
        return not self._does_not_start


def run_by_server(command: str, env: Mapping[str, str]) -> int | None:
    """Run a command by the `StageServer` within which this process was started; as `StageServer.run`.

    The stage ends with this process.
    """
    found = _COMMAND.fullmatch(command)
    if not found or ADDRESS not in os.environ:
        return None
    request = json.dumps({"words": found[1].split(), "stage": env["DVC_STAGE"]})
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(os.environ[ADDRESS])
        except OSError:
            return None  # it has not started yet
        try:
            connection.sendall(f"{request}\n".encode())
            return int(connection.recv(64) or 1)
        except OSError:
            return 1  # it has exited

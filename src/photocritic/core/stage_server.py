"""Stages started as copies of one process that has imported what they share: the client of `stages.server`."""

import json
import os
import re
import subprocess
from collections.abc import Mapping
from contextlib import suppress

RUN = "stages/run"
_COMMAND = re.compile(rf"{RUN}((?: [\w.@-]+)+)")


class StageServer:
    """Runs commands of stages, each in a copy of one process, which starts with the first of them.

    For use in a `with` statement, at whose end the process ends.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._replies = -1
        self._does_not_start = False

    def __enter__(self) -> "StageServer":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def _stop(self) -> None:
        if self._process is not None:
            self._process.communicate()
            os.close(self._replies)
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
        found = _COMMAND.fullmatch(command)
        if not found or self._does_not_start or (self._process is None and not self._starts(env)):
            return None
        assert self._process is not None
        assert self._process.stdin is not None
        request = json.dumps({"words": found[1].split(), "stage": env["DVC_STAGE"]})
        with suppress(BrokenPipeError):  # the process has exited; its status is returned below
            self._process.stdin.write(f"{request}\n".encode())
            self._process.stdin.flush()
        return int(self._reply() or self._process.wait() or 1)

    def _starts(self, env: Mapping[str, str]) -> bool:
        """Start the process; return whether it has imported what stages share, for which memory may be too short."""
        self._replies, end = os.pipe()
        command = [RUN, "server", str(end)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, env=dict(env), pass_fds=[end])
        os.close(end)
        self._does_not_start = self._reply() != "ready"
        if self._does_not_start:
            self._stop()
        return not self._does_not_start

    def _reply(self) -> str:
        """Return the next line that the process writes, or nothing where it has ended."""
        return os.read(self._replies, 64).decode().strip()

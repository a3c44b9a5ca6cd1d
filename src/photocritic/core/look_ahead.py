"""Stages run before their turn: while DVC runs one, other processes run those behind it that wait for nothing."""

import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from photocritic.core.environment import REPRODUCTION, environment

logger = logging.getLogger(__name__)


def run_alone(stage: str) -> "subprocess.Popen[bytes]":
    """Start DVC for one stage, beside the DVC that runs the others."""
    command = [sys.executable, *REPRODUCTION, "--wait-for-lock", "repro", "--single-item", stage]
    return subprocess.Popen(command, env=environment())


class LookAhead:
    """Runs stages before DVC comes to them, which then finds them in its cache of runs; what they read it has recorded.

    For use in a `with` statement, at whose end what still runs is ended; the next run resumes it.

    Parameters
    ----------
    order : sequence of str
        All stages in the order in which DVC comes to them, which runs one after another.
    needs : mapping
        The stages that each needs.
    processes : int
        How many stages may run at once, with the one that DVC runs.
    start : callable
        Starts one stage in a process of its own.
    """

    def __init__(
        self,
        order: Sequence[str],
        needs: Mapping[str, set[str]],
        processes: int,
        start: Callable[[str], "subprocess.Popen[bytes]"] = run_alone,
    ) -> None:
        self._waiting, self._needs, self._processes, self._start = list(order), needs, processes, start
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._done: set[str] = set()  # by DVC itself: only then is it done with their outputs, which others may read
        self._current, self._awaited, self._has_ended = "", "", False
        self._places = 0  # for stages before their turn; none while DVC is between two stages
        self._changed = threading.Condition()

    def __enter__(self) -> "LookAhead":
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._places, self._has_ended = 0, True
            processes = list(self._running.values())
        for process in processes:
            _end(process)

    def come_to(self, stage: str) -> bool:
        """Mark the previous stage as reproduced and this one as current; return whether this one is running already."""
        with self._changed:
            self._done.add(self._current)
            self._current, self._places = stage, 0
            with suppress(ValueError):
                self._waiting.remove(stage)
            return stage in self._running

    def wait(self, stage: str) -> None:
        """Wait until a stage that runs has ended, without DVC's lock, which it may need."""
        with self._changed:
            self._awaited = stage
            self._fill(self._processes)
            self._changed.wait_for(lambda: stage not in self._running)
            self._awaited = ""

    def work(self) -> None:
        """Start ready stages in parallel with the command that DVC is about to run."""
        with self._changed:
            self._fill(self._processes - 1)

    def _fill(self, places: int) -> None:
        self._places = places
        ready = [stage for stage in self._waiting if self._needs[stage] <= self._done]
        for stage in ready[: max(0, places - len(self._running))]:
            self._waiting.remove(stage)
            process = self._running[stage] = self._start(stage)
            threading.Thread(target=self._wait, args=(stage, process), daemon=True).start()

    def _wait(self, stage: str, process: "subprocess.Popen[bytes]") -> None:
        status = process.wait()
        with self._changed:
            del self._running[stage]
            if status and not self._has_ended:
                logger.warning("%s ended early and is run again in its turn", stage)
            # What follows a stage that DVC waits for is left to DVC, which is quicker at starting it.
            self._fill(0 if stage == self._awaited else self._places)
            self._changed.notify_all()


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a process and all that it has started."""
    import psutil

    with suppress(psutil.NoSuchProcess):
        family = psutil.Process(process.pid).children(recursive=True)
        process.terminate()
        for child in family:
            with suppress(psutil.NoSuchProcess):
                child.terminate()
    process.wait()

"""The faults: each disturbs a chain, has it run again, and returns how often it did so and what went wrong."""

import itertools
import os
import random
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

from ruamel.yaml import YAML

from photocritic.core.generation import recover_all
from photocritic.core.paths import GENERATIONS
from tests.faults.chain import HOOKS, Chain, kill_after

Found = tuple[int, list[str]]
STAGES = ("ingest", "filter", "associate", "lda", "predictions", "evaluate", "report")


def random_kills(chain: Chain) -> Found:
    """Kill a run and all it has started at random moments, again and again until it has come to its end."""
    drawn, problems, kills = random.Random(chain.seed), [], 0
    length = _length(chain)
    while kills < chain.kills:
        place, here = chain.copy(), 0
        while kills < chain.kills:
            if not kill_after(chain.start(place), drawn.uniform(0.2, length / 3)):
                break  # it has come to its end
            kills, here = kills + 1, here + 1
        problems += chain.problems(place, f"after {here} kills")
    return kills, problems


def _length(chain: Chain) -> float:
    place, begun = chain.copy(), time.monotonic()
    chain.problems(place, "timing")
    return time.monotonic() - begun


def renames(chain: Chain) -> Found:
    """Kill a stage before each of its renames in turn, with whole tables after each, and run the chain at last."""
    problems, times = [], 0
    assert chain.finished is not None
    for stage in STAGES:
        place = chain.copy(chain.finished)
        _mark_as_not_run(place.folder, stage)
        for moment in itertools.count(1):
            shutil.rmtree(place.folder / "checkpoints", ignore_errors=True)
            with _environment(FAULT_RENAME=str(moment), PYTHONPATH=f"{HOOKS}:src"):
                done = place.run("-m", "stages.start", stage, check=False)
            if done.returncode == 0:
                break
            assert done.returncode == -signal.SIGKILL, done.stderr
            times += 1
            with chdir(place.folder):
                recover_all(GENERATIONS, within=Path())
            problems += [f"{stage} killed before rename {moment}: {one}" for one in chain.differences(place)]
        problems += chain.problems(place, f"{stage} killed before each of {moment - 1} renames")
    return times, problems


def _mark_as_not_run(folder: Path, stage: str) -> None:
    """Remove a stage from what DVC knows to have run; its outputs stay, and the next run runs it again."""
    yaml, path = YAML(), folder / "dvc.lock"
    lock = yaml.load(path)
    del lock["stages"][stage]
    yaml.dump(lock, path)
    shutil.rmtree(folder / ".dvc/cache/runs")


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def _limited(kind: int, amount: int) -> Callable[[], None]:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(kind, (amount, amount))

    return limit


def _refused(chain: Chain, kind: int, amounts: tuple[int, ...], what: str) -> Found:
    problems = []
    for amount in amounts:
        place = chain.copy()
        process = chain.start(place, preexec_fn=_limited(kind, amount))
        message = process.communicate()[1]
        if process.returncode == 0:
            problems.append(f"{what} {amount}: the run did not notice")
        if "Traceback" in message:
            problems.append(f"{what} {amount}: a traceback ({message.strip().splitlines()[-1][:120]})")
        problems += chain.problems(place, f"{what} {amount}")
    return len(amounts), problems


def large_files(chain: Chain) -> Found:
    """Let no file grow beyond some size, as on a disk that fills up."""
    return _refused(chain, resource.RLIMIT_FSIZE, (500_000, 2_000_000), "file size")


def memory(chain: Chain) -> Found:
    """Let no process have much memory."""
    return _refused(chain, resource.RLIMIT_AS, (700 << 20, 1500 << 20), "memory")


def _mounted(chain: Chain, options: list[str]) -> Found:
    if os.geteuid() or not shutil.which("mount"):
        return 0, []
    place = chain.copy()
    (place.folder / "data").mkdir()
    if subprocess.run(["mount", *options, place.folder / "data"], check=False, capture_output=True).returncode:
        return 0, []
    try:
        process = chain.start(place)
        message = process.communicate()[1]
    finally:
        subprocess.run(["umount", place.folder / "data"], check=True)
    (place.folder / "data").rmdir()
    problems = [] if process.returncode else ["the run did not notice"]
    problems += ["a traceback"] if "Traceback" in message else []
    return 1, problems + chain.problems(place, "mount " + " ".join(options))


def full_disk(chain: Chain) -> Found:
    """Run on a small tmpfs that fills up; as root only."""
    return _mounted(chain, ["-t", "tmpfs", "-o", "size=300k", "faults"])


def read_only(chain: Chain) -> Found:
    """Run with a read-only folder of data; as root only."""
    return _mounted(chain, ["-t", "tmpfs", "-o", "size=1m,ro", "faults"])


def terminated(chain: Chain) -> Found:
    """Ask a run to end, as a machine that shuts down does."""
    drawn, problems = random.Random(chain.seed), []
    for _ in range(3):
        place = chain.copy()
        kill_after(chain.start(place), drawn.uniform(1, 20), signal.SIGTERM)
        problems += chain.problems(place, "SIGTERM")
    return 3, problems


def clock(chain: Chain) -> Found:
    """Begin with a clock that is a year ahead or behind, and go on with the right one."""
    problems = []
    for seconds in (365 * 86_400, -365 * 86_400):
        place = chain.copy()
        kill_after(chain.start(place, {"FAULT_CLOCK": str(seconds), "PYTHONPATH": f"{HOOKS}:src"}), 15)
        for path in (place.folder / "data").rglob("*"):
            os.utime(path, (time.time() + seconds,) * 2)
        problems += chain.problems(place, f"clock {seconds:+d} s")
    return 2, problems


def two_at_once(chain: Chain) -> Found:
    """Start a second run while the first is at work."""
    place = chain.copy()
    both = [chain.start(place), chain.start(place)]
    ends = [(one.communicate()[1], one.returncode) for one in both]
    problems = [f"{status}: {text.strip()[-200:]}" for text, status in ends if status and "another run" not in text]
    if all(status for _, status in ends):
        problems.append("both ended badly")
    return 1, problems + chain.problems(place, "two at once")


def no_server(chain: Chain) -> Found:
    """Run with a tracking server that does not answer."""
    place = chain.copy()
    extra = {"MLFLOW_TRACKING_URI": "http://127.0.0.1:9", "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1"}
    process = chain.start(place, extra)
    message = process.communicate()[1]
    problems = [] if process.returncode else ["the run did not notice"]
    problems += ["a traceback"] if "Traceback" in message else []
    return 1, problems + chain.problems(place, "tracking server gone")


def cache(chain: Chain) -> Found:
    """Damage files of DVC's cache, and lose the folder that they are kept for."""
    problems = []
    assert chain.finished is not None
    for damage in (_flip, _empty):
        place = chain.copy(chain.finished)
        drawn = random.Random(chain.seed)
        files = sorted(path for path in (place.folder / ".dvc/cache/files").rglob("*") if path.is_file())
        for path in drawn.sample(files, min(5, len(files))):
            path.chmod(0o644)
            damage(path)
        shutil.rmtree(place.folder / "data")
        problems += chain.problems(place, damage.__name__.strip("_"))
    return 2, problems


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    if content:
        content[len(content) // 2] ^= 1
        path.write_bytes(content)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


ALL: dict[str, Callable[[Chain], Found]] = {
    function.__name__: function
    for function in (
        random_kills,
        renames,
        large_files,
        full_disk,
        read_only,
        memory,
        terminated,
        clock,
        two_at_once,
        no_server,
        cache,
    )
}

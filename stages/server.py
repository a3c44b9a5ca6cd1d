"""The process that stages are copies of: `stages/run server REPLIES`, which photocritic.core.stage_server starts.

Importing what every stage needs takes longer than many stages do. This process imports it once and says "ready"; then
it reads commands from its standard input, a JSON line each ({"words": ["predict"], "stage": "predict@cws"}), runs each
in a copy of itself (fork), and writes the exit status to the file descriptor REPLIES. The project's own code is
imported by the copies alone: a stage runs what stands there when it starts, as one that DVC starts by itself does.
"""

import gc
import importlib
import json
import os
import runpy
import signal
import sys
import warnings
from collections.abc import Iterable

# What takes long to import and is needed by most stages. Importing starts no thread that a copy would miss: those of
# OpenBLAS and Arrow are made anew after a fork, OpenMP's at the first work.
SHARED = (
    "great_expectations",
    "lightning_fabric",
    "mlflow",
    "mlflow.artifacts",
    "mlflow.store.tracking.sqlalchemy_store",
    "pandas",
    "pyarrow.compute",
    "pyarrow.dataset",
    "pyarrow.parquet",
    "torch",
    "torchvision",
)


def main() -> None:
    """Run stages until the standard input ends; in a copy, return when its stage has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the stage; what started this process then stops asking
    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
    replies, commands = int(sys.argv[1]), os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    try:
        for module in SHARED:
            importlib.import_module(module)
    except (ImportError, MemoryError, OSError):
        return  # the stage, started by itself, says what is missing
    gc.freeze()  # copies leave alone what was imported, whose memory they share
    os.write(replies, b"ready\n")
    with os.fdopen(commands, encoding="utf-8") as lines:
        command = _command_of_a_copy(lines, replies)
    if command is None:
        os._exit(0)  # nothing to free, which would take seconds
    _run(**json.loads(command))


def _command_of_a_copy(lines: Iterable[str], replies: int) -> str | None:
    """Run each command in a copy; return None at the last one's end, and in a copy the command that it is to run."""
    for line in lines:
        copy = os.fork()
        if not copy:
            os.close(replies)
            return line
        _, status = os.waitpid(copy, 0)
        os.write(replies, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    return None


def _run(words: list[str], stage: str) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["DVC_STAGE"] = stage
    name, *given = words
    item = stage.partition("@")[2]
    sys.argv = [name, *(given or ([item] if item else []))]
    try:
        runpy.run_module(f"stages.{name}", run_name="__main__", alter_sys=True)
    finally:
        gc.unfreeze()  # a stage that fails ends as every Python does, which frees all


if __name__ == "__main__":
    main()

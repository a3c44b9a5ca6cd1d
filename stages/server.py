"""The process that stages are copies of: `stages/run server SOCKET REPLIES`; photocritic.core.stage_server starts it.

Importing what every stage needs takes longer than many stages do. This process imports it once and says "ready" to the
file descriptor REPLIES. Then it answers, until its standard input ends, whoever connects to the socket: it reads a
command, a JSON line ({"words": ["predict"], "stage": "predict@cws"}), runs it in a copy of itself (fork), and writes
the exit status. Several run at once; the stage of one that hangs up is ended. The project's own code is imported by
the copies alone: a stage runs what stands there when it starts, as one that DVC starts by itself does.
"""

import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import sys
import warnings
from contextlib import suppress

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
PAUSE = 0.02  # seconds between two looks at stages that run


def main() -> None:
    """Run stages until the standard input ends; in a copy, return when its stage has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the stage; what started this process then stops asking
    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
    address, replies = sys.argv[1], int(sys.argv[2])
    try:
        for module in SHARED:
            importlib.import_module(module)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(address)
        listener.listen()
    except (ImportError, MemoryError, OSError):
        return  # the stage, started by itself, says what is missing
    gc.freeze()  # copies leave alone what was imported, whose memory they share
    os.write(replies, b"ready\n")
    os.close(replies)
    command = _command_of_a_copy(listener)
    if command is None:
        os._exit(0)  # nothing to free, which would take seconds
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    _run(**json.loads(command))


def _command_of_a_copy(listener: socket.socket) -> bytes | None:
    """Run each command in a copy; return None when the standard input ends, and in a copy the command that it runs."""
    running: dict[socket.socket, int] = {}  # the process that runs a connection's command
    hung_up: set[socket.socket] = set()
    while True:
        watched = [connection.fileno() for connection in (listener, *(running.keys() - hung_up))]
        found, _, _ = select.select([0, *watched], [], [], PAUSE if running else None)
        if 0 in found:
            for copy in running.values():
                _end(copy)
                os.waitpid(copy, 0)
            return None
        if listener.fileno() in found:
            connection, _ = listener.accept()
            command = connection.makefile("rb").readline()
            running[connection] = os.fork()
            if not running[connection]:
                for inherited in (listener, *running):
                    inherited.close()
                return command
        for connection, copy in list(running.items()):
            if connection.fileno() in found:  # nothing follows a command: whoever sent it has gone
                hung_up.add(connection)
                _end(copy)
            ended, status = os.waitpid(copy, os.WNOHANG)
            if ended:
                with suppress(OSError):
                    connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
                del running[connection]
                connection.close()


def _end(copy: int) -> None:
    """End a stage and all that it has started."""
    import psutil

    with suppress(psutil.NoSuchProcess):
        for process in [*psutil.Process(copy).children(recursive=True), psutil.Process(copy)]:
            with suppress(psutil.NoSuchProcess):
                process.terminate()


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

"""Prefect's server, MLflow's server and a worker a pool on this machine: started, waited for, and stopped again."""

import argparse
import json
import os
import platform
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx
import psutil

from flows import access, process
from flows.deploy import POOLS
from flows.workspace import FOLDER, REMOTE, Workspace
from photocritic.core.environment import environment
from photocritic.core.errors import PhotocriticError
from photocritic.core.files import atomic_file
from photocritic.core.lock import alone
from photocritic.core.redaction import redacted
from photocritic.ingest import authors
from photocritic.tracking.mlflow_store import create_database

HOST = "127.0.0.1"
STATE = Path(".prefect/servers")  # what runs, and its logs
CLONES = Path(".prefect/workers")
GRACE = 20.0  # seconds between asking a process to end and ending it
# What holds the GPU is remembered on disk, else a server that is killed never hears that it is free again.
_PREFECT = {"PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": "prefect.server.concurrency.lease_storage.filesystem"}
_MLFLOW = {"MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}  # else a dozen processes for what nobody here asks of it


@dataclass(frozen=True)
class Started:
    """A process that was started here: its id and when it began, by which it is known again."""

    pid: int
    began: float

    def process(self) -> psutil.Process | None:
        """Return the process if it still runs; another that has got its number since is not it."""
        try:
            found = psutil.Process(self.pid)
            same = abs(found.create_time() - self.began) < 1.0
        except psutil.NoSuchProcess:
            return None
        return found if same and process.is_alive(found) else None


def start(prefect_port: int, mlflow_port: int, remote: str) -> None:
    """Start what does not run yet, in the background, and wait until all of it answers.

    Parameters
    ----------
    prefect_port, mlflow_port : int
        Where the servers listen, on loopback.
    remote : str
        What workers exchange data through: a folder, or any address that DVC knows.

    Raises
    ------
    PhotocriticError
        A port is taken by something else, a server ends or does not answer, or one of an older version still runs.
    """
    api, tracking = f"http://{HOST}:{prefect_port}/api", f"http://{HOST}:{mlflow_port}"
    if _runs("prefect") and not access.read():
        raise PhotocriticError(
            f"Prefect's server runs, but {access.FILE} has no password for it: say make server-stop, then make server"
        )
    client = access.keep(api)
    own = {**client, "MLFLOW_TRACKING_URI": tracking, REMOTE: remote}
    key = {authors.VARIABLE: authors.project_key().decode()}  # else each clone would give authors names of its own
    _ensure("prefect", access.command(HOST, prefect_port), own | access.required(client) | _PREFECT, port=prefect_port)
    create_database()
    _ensure("mlflow", _mlflow(mlflow_port), _MLFLOW, port=mlflow_port)
    _wait("prefect", lambda: process.answers(f"{api}/health"))
    _wait("mlflow", lambda: process.answers(f"{tracking}/health"))
    os.environ.update(own)
    Workspace(Path()).use_remote(remote)  # so that results can be pulled from it here
    for pool in POOLS:
        clone = _clone(pool)
        paths = os.pathsep.join([str(clone / "src"), str(clone)])
        worker = ["-m", "prefect", "worker", "start", "--pool", pool, "--type", "process", "--name", _worker(pool)]
        _ensure(
            f"worker-{pool}",
            [*worker, "--install-policy", "never"],
            own | key | {FOLDER: str(clone), "PYTHONPATH": paths},
        )
        _wait(f"worker-{pool}", lambda pool=pool: _is_online(pool, client))  # type: ignore[misc]


def stop() -> list[str]:
    """Stop exactly what `start` started here, workers first; return the names of what ran."""
    stopped = []
    for path in sorted(STATE.glob("*.json"), reverse=True):  # worker-*, prefect, mlflow
        found = _read(path).process()
        if found is not None:
            process.end(found, GRACE, requests=2)
            stopped.append(path.stem)
        path.unlink()
    return stopped


def running() -> dict[str, bool]:
    """Return for each process that was started here whether it still runs."""
    return {path.stem: _runs(path.stem) for path in sorted(STATE.glob("*.json"))}


def _mlflow(port: int) -> list[str]:
    """Return the arguments with which Python runs MLflow's server: for its own host, origin and pages alone."""
    place = f"{HOST}:{port}"
    guard = ["--allowed-hosts", f"{place},localhost:{port}", "--cors-allowed-origins", f"http://{place}"]
    guard += ["--x-frame-options", "SAMEORIGIN"]
    # Besides, for MLflow takes whatever page of this machine asks, on any port, for one of its own.
    guard += ["--uvicorn-opts", f"--http {access.GUARDED}"]
    store = ["--backend-store-uri", "sqlite:///mlruns/mlflow.db", "--artifacts-destination", "mlruns/artifacts"]
    return ["-m", "mlflow", "server", "--host", HOST, "--port", str(port), "--workers", "1", *guard, *store]


def _ensure(name: str, arguments: list[str], own: dict[str, str], port: int | None = None) -> None:
    if _runs(name):
        return
    path = STATE / f"{name}.json"
    if port is not None:
        _require_free(name, port)
    STATE.mkdir(parents=True, exist_ok=True)
    with (STATE / f"{name}.log").open("ab") as log:
        started = subprocess.Popen(
            [sys.executable, *arguments],
            env=environment() | own,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    with atomic_file(path) as temporary:
        began = psutil.Process(started.pid).create_time()
        temporary.write_text(json.dumps(asdict(Started(started.pid, began))), encoding="utf-8")


def _runs(name: str) -> bool:
    path = STATE / f"{name}.json"
    return path.is_file() and _read(path).process() is not None


def _read(path: Path) -> Started:
    return Started(**json.loads(path.read_text(encoding="utf-8")))


def _require_free(name: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            variable = f"{name.upper()}_PORT"
            raise PhotocriticError(
                f"port {port} of {HOST} is taken, so {name} cannot listen there: free it, or say {variable}=<port>"
            ) from None


def _wait(name: str, serves: Callable[[], bool]) -> None:
    process.wait_until_serving(name, serves, lambda: _runs(name), str(STATE / f"{name}.log"))


def _is_online(pool: str, access_to: dict[str, str]) -> bool:
    from prefect import settings
    from prefect.client.orchestration import get_client
    from prefect.exceptions import PrefectHTTPStatusError

    known = {
        settings.PREFECT_API_URL: access_to[access.API],
        settings.PREFECT_API_AUTH_STRING: access_to[access.PASSWORD],
    }
    with settings.temporary_settings(known), get_client(sync_client=True) as client:
        try:
            workers = client.read_workers_for_work_pool(pool)
        except PrefectHTTPStatusError as error:
            if error.response.status_code == httpx.codes.NOT_FOUND:
                return False  # the first worker makes the pool
            raise
    return any(worker.name == _worker(pool) and worker.status == "ONLINE" for worker in workers)


def _worker(pool: str) -> str:
    return f"{pool}@{platform.node()}"


def _clone(pool: str) -> Path:
    """Return a worker's own clone of this project at its newest commit, with this project's environment."""
    clone = (CLONES / pool).absolute()
    if not clone.is_dir():
        made = subprocess.run(["git", "clone", "--quiet", ".", str(clone)], capture_output=True, text=True, check=False)
        if made.returncode:
            raise PhotocriticError(f"{clone}: {redacted(made.stderr.strip())}")
        (clone / ".venv").symlink_to(Path(sys.prefix).absolute())
    elif not _runs(f"worker-{pool}"):
        workspace = Workspace(clone)
        with suppress(PhotocriticError), alone(clone):  # what a killed worker has started may still need its code
            workspace.git("checkout", "--quiet", "--force", "--detach", workspace.fetch(""))
    return clone


def main() -> int:
    """Start or stop the servers, or show their status; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m flows.servers", description=__doc__)
    parser.add_argument("action", choices=["start", "stop", "status"])
    parser.add_argument("--prefect-port", type=int, default=4200)
    parser.add_argument("--mlflow-port", type=int, default=5000)
    parser.add_argument(
        "--remote", default=str(Path(".prefect/remote").absolute()), help="what workers exchange data by"
    )
    options = parser.parse_args()
    try:
        if options.action == "start":
            start(options.prefect_port, options.mlflow_port, options.remote)
            sys.stdout.write(
                f"Prefect: http://{HOST}:{options.prefect_port}\nMLflow:  http://{HOST}:{options.mlflow_port}\n"
                f"Prefect's pages ask for the password: it is {access.PASSWORD} in {access.FILE}\n"
                "next: make deploy\n"
            )
        elif options.action == "stop":
            sys.stdout.write(f"stopped: {', '.join(stop()) or 'nothing, nothing ran'}\n")
        else:
            sys.stdout.write("".join(f"{name}: {'runs' if runs else 'ended'}\n" for name, runs in running().items()))
    except PhotocriticError as error:
        sys.stderr.write(f"photocritic: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Where runs and models are kept: an MLflow server, or a database in mlruns/."""

import logging
import os
import platform
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from photocritic.core.files import remove, sync, writable
from photocritic.core.lock import hold

if TYPE_CHECKING:
    from mlflow import MlflowClient

EXPERIMENT = "photocritic"
PROCESS = "process"  # the tag that names a run's process
STORE = Path(os.environ.get("DVC_ROOT", ""), "mlruns")  # the project's, from an experiment's temporary checkout as well

# Where MLflow's database keeps addresses of artifacts.
_ADDRESSES = (
    ("runs", "artifact_uri"),
    ("model_versions", "source"),
    ("model_versions", "storage_location"),
    ("logged_models", "artifact_location"),
    ("experiments", "artifact_location"),
)

logger = logging.getLogger(__name__)


def uri() -> str:
    """Return the tracking store's address: MLFLOW_TRACKING_URI, or a database in mlruns/."""
    return os.environ.get("MLFLOW_TRACKING_URI") or _address(STORE / "mlflow.db")


def _address(database: Path) -> str:
    """Return a database's address, absolute: MLflow keeps connections open by address, also over a change of folder.

    A question mark in an absolute path would begin the address's options, so such a path stays relative.
    """
    absolute = database.absolute().as_posix()
    return f"sqlite:///{database.as_posix() if '?' in absolute else absolute}"


def is_there() -> bool:
    """Return whether there is a tracking store, as far as can be known without asking a server."""
    return "MLFLOW_TRACKING_URI" in os.environ or (STORE / "mlflow.db").is_file()


def open_client() -> "MlflowClient":
    """Open the tracking store, which is also the registry."""
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    os.environ.setdefault("MLFLOW_ENABLE_ASYNC_LOGGING", "false")
    os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")
    from mlflow import MlflowClient

    _silence_loggers()
    with writable(STORE):
        STORE.mkdir(exist_ok=True)
    if "MLFLOW_TRACKING_URI" not in os.environ:
        create_database()
        _update_addresses()
    return MlflowClient(tracking_uri=uri())


@contextmanager
def using_this_store() -> Iterator[None]:
    """Set MLflow's own functions, such as `mlflow.start_run`, to this store, and leave the environment as it was.

    `mlflow.set_tracking_uri` also writes the address to the environment, where this project expects a server's address.
    """
    import mlflow

    before = os.environ.get("MLFLOW_TRACKING_URI")
    open_client()
    mlflow.set_tracking_uri(uri())
    try:
        yield
    finally:
        os.environ.pop("MLFLOW_TRACKING_URI", None)  # MLflow writes it only where the address is new to it
        if before is not None:
            os.environ["MLFLOW_TRACKING_URI"] = before


def create_database() -> None:
    """Create the project's database where there is none, under a temporary name until it is complete.

    MLflow creates it in many steps, and cannot open one whose creation was interrupted by a full disk or a kill.
    """
    database = STORE / "mlflow.db"
    if database.exists():
        return
    with hold(STORE / ".mlflow.lock", "another process is creating the tracking store", wait=True, removed=True):
        if database.exists():
            return
        from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore

        _silence_loggers()
        artifacts, aside = (STORE / "artifacts").absolute().as_uri(), STORE / ".mlflow.staged"
        with writable(database):
            remove(aside)
            aside.mkdir()
            try:
                made = SqlAlchemyStore(_address(aside / database.name), artifacts)  # type: ignore[no-untyped-call]
                made.engine.dispose()
                sync(aside)
                (aside / database.name).replace(database)
            finally:
                remove(aside)


def _silence_loggers() -> None:
    for noisy in ("mlflow", "alembic"):  # after the import, which sets levels of its own
        logging.getLogger(noisy).setLevel(logging.WARNING)


def _update_addresses() -> None:
    """Update the addresses of a store that was copied or moved to its present folder.

    MLflow keeps absolute addresses: runs in a copy of a project would be written into the original.
    """
    artifacts = (STORE / "artifacts").absolute().as_uri()
    with closing(sqlite3.connect(STORE / "mlflow.db", timeout=60)) as database, suppress(sqlite3.OperationalError):
        found = database.execute("SELECT artifact_location FROM experiments WHERE name = ?", [EXPERIMENT]).fetchone()
        if not found or found[0] == artifacts:
            return
        logger.info("the tracking store was moved or copied: its addresses now point to %s", STORE.absolute())
        for table, column in _ADDRESSES:
            database.execute(
                f"UPDATE {table} SET {column} = ? || substr({column}, ?) WHERE substr({column}, 1, ?) = ?",  # noqa: S608
                [artifacts, len(found[0]) + 1, len(found[0]), found[0]],
            )
        database.commit()


def unavailable(error: BaseException) -> str:
    """Return in one line that the tracking store cannot be used; empty where an error is of another kind."""
    if type(error).__module__.partition(".")[0] not in {"mlflow", "sqlalchemy", "alembic"}:
        return ""
    place = "MLFLOW_TRACKING_URI" if "MLFLOW_TRACKING_URI" in os.environ else str(STORE)
    return f"the tracking store in {place} does not answer or cannot be written ({type(error).__name__}); run it again"


def process() -> str:
    """Return what identifies this process: its machine, number and start."""
    return f"{platform.node()} {os.getpid()} {psutil.Process().create_time():.2f}"


def end_killed(client: "MlflowClient", experiment_id: str) -> None:
    """Mark runs as KILLED whose process on this machine is gone."""
    for run in client.search_runs([experiment_id], "attributes.status = 'RUNNING'"):
        node, _, rest = run.data.tags.get(PROCESS, "").partition(" ")
        if node == platform.node() and not _runs(rest):
            client.set_terminated(run.info.run_id, "KILLED")


def _runs(known: str) -> bool:
    number, _, started = known.partition(" ")
    try:
        return f"{psutil.Process(int(number)).create_time():.2f}" == started
    except (psutil.NoSuchProcess, ValueError):
        return False


def experiment(client: "MlflowClient") -> str:
    """Return the id of the experiment that all runs are in; create it where it is missing."""
    found = client.get_experiment_by_name(EXPERIMENT)
    if found:
        return str(found.experiment_id)
    artifacts = None if "MLFLOW_TRACKING_URI" in os.environ else (STORE / "artifacts").absolute().as_uri()
    return str(client.create_experiment(EXPERIMENT, artifact_location=artifacts))

"""Where runs and models are kept: an MLflow server, or a database in mlruns/."""

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlflow import MlflowClient

EXPERIMENT = "photocritic"
STORE = Path(os.environ.get("DVC_ROOT", ""), "mlruns")  # the project's, from an experiment's temporary checkout as well


def uri() -> str:
    """Give the tracking store's address: MLFLOW_TRACKING_URI, or a database in mlruns/."""
    return os.environ.get("MLFLOW_TRACKING_URI") or f"sqlite:///{STORE.as_posix()}/mlflow.db"


def open_client() -> "MlflowClient":
    """Open the tracking store, which is also the registry."""
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    os.environ.setdefault("MLFLOW_ENABLE_ASYNC_LOGGING", "false")
    os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")
    from mlflow import MlflowClient

    for noisy in ("mlflow", "alembic"):  # after the import, which sets levels of its own
        logging.getLogger(noisy).setLevel(logging.WARNING)
    STORE.mkdir(exist_ok=True)
    return MlflowClient(tracking_uri=uri())


def experiment(client: "MlflowClient") -> str:
    """Give the id of the experiment that all runs are in, made where it is missing."""
    found = client.get_experiment_by_name(EXPERIMENT)
    if found:
        return str(found.experiment_id)
    artifacts = None if "MLFLOW_TRACKING_URI" in os.environ else (STORE / "artifacts").absolute().as_uri()
    return str(client.create_experiment(EXPERIMENT, artifact_location=artifacts))

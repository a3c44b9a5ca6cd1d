"""What all tests share: where real corpora may be, and a quiet environment."""

import os
from pathlib import Path

import pytest

from photocritic.core.environment import OFFLINE
from tests import workspace

ROOT = Path(__file__).resolve().parents[1]
os.environ.update(OFFLINE)
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or each of many processes compiles the project's own files
os.environ.setdefault("PHOTOCRITIC_AUTHOR_KEY", "a key for tests alone")  # or each workspace makes one of its own


@pytest.fixture(scope="session")
def root() -> Path:
    """Give the project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def corpora() -> Path:
    """Give the folder of real corpora, or skip the test where there is none."""
    folder = Path(os.environ.get("PHOTOCRITIC_CORPORA", ROOT.parent / "shared" / "corpora"))
    if not folder.is_dir():
        pytest.skip("no real corpora at hand (PHOTOCRITIC_CORPORA)")
    return folder


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory) -> Path:
    """Give a folder with an MLflow database in which nothing is recorded yet; making one takes seconds, so copy it."""
    from mlflow import MlflowClient

    folder = tmp_path_factory.mktemp("store")
    MlflowClient(tracking_uri=f"sqlite:///{folder}/mlflow.db").search_experiments()
    return folder


@pytest.fixture(scope="session")
def fresh(root, tmp_path_factory):
    """Give a function that makes a workspace in which nothing has run."""
    return lambda: workspace.make(root, tmp_path_factory.mktemp("workspace") / "project")


@pytest.fixture(scope="session")
def finished(fresh):
    """Give a workspace in which the whole pipeline has run once; tests copy it before they change it."""
    made = fresh()
    made.told = made.run("-m", "photocritic.cli", "run").stdout
    return made

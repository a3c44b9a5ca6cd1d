"""MLflow: one run a stage under one parent a pipeline, and the registry; nothing else writes to MLflow."""

from photocritic.tracking.provenance import commit, corpus_tags
from photocritic.tracking.recorded import Recorded, latest
from photocritic.tracking.runs import (
    PIPELINE,
    Run,
    UnrecordedRun,
    log_gate,
    log_text,
    require_open,
    stage_run,
)
from photocritic.tracking.store import EXPERIMENT, unavailable, uri

__all__ = [
    "EXPERIMENT",
    "PIPELINE",
    "Recorded",
    "Run",
    "UnrecordedRun",
    "commit",
    "corpus_tags",
    "latest",
    "log_gate",
    "log_text",
    "require_open",
    "stage_run",
    "unavailable",
    "uri",
]

"""MLflow: one run a stage under one parent a pipeline, and the registry; nothing else writes to MLflow."""

from photocritic.tracking.mlflow_store import EXPERIMENT, unavailable, uri
from photocritic.tracking.provenance import commit, corpus_tags
from photocritic.tracking.recorded import Recorded, latest
from photocritic.tracking.run_records import Run, UnrecordedRun
from photocritic.tracking.runs import PIPELINE, log_gate, log_text, stage_run

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
    "stage_run",
    "unavailable",
    "uri",
]

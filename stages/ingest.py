"""Read a corpus into the images, comments, references and quarantine tables."""

from pathlib import Path

from photocritic.config import Params
from photocritic.core.outcome import Outcome
from photocritic.core.paths import INGEST
from photocritic.tracking import Run
from stages.common import run_stage


def work(params: Params, _run: Run) -> Outcome:
    """Run the reader that params.yaml names."""
    from photocritic.ingest import ingest

    return ingest(params.ingest, params.seed, INGEST)


if __name__ == "__main__":
    run_stage("ingest", work, ("ingest",), [Path("src/photocritic/ingest")])

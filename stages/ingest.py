"""Read a corpus into the images, comments, references and quarantine tables."""

from photocritic.core.outcome import Outcome
from photocritic.core.paths import INGEST
from stages.runner import Stage, run_stage


def work(stage: Stage) -> Outcome:
    """Run the reader that params.yaml names."""
    from photocritic.ingest import ingest

    return ingest(stage.params.ingest, INGEST)


if __name__ == "__main__":
    run_stage("ingest", work)

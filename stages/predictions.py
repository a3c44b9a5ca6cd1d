"""Put the predictions of all variants into one table, and remove those of variants that are not listed any more."""

from photocritic.core.outcome import Outcome
from photocritic.core.paths import PREDICT, PREDICTIONS
from stages.runner import Stage, run_stage


def work(stage: Stage) -> Outcome:
    """Collect the predictions."""
    from photocritic.evaluation.predictions import collect

    return Outcome({"predictions": float(collect(stage.reads(PREDICT), stage.writes(PREDICTIONS), stage.params))})


if __name__ == "__main__":
    run_stage("predictions", work, context="evaluation")

"""Caption the held-back images with every variant, score the captions, and write the report."""

from photocritic.outcome import Outcome
from photocritic.params import Params
from photocritic.tracking import Run
from stages.common import (
    CAPTIONERS,
    CAPTIONS,
    CHECKPOINTS,
    CNN,
    EVALUATE,
    FEATURES,
    IMAGES,
    REFERENCES,
    REPORTS,
    SHARDS,
    TOPIC_MODEL,
    TOPICS,
    run_stage,
)


def work(params: Params, run: Run) -> Outcome:
    """Evaluate all variants side by side."""
    from photocritic.evaluation import evaluate

    report = REPORTS / "report.html"
    outcome = evaluate(
        params=params,
        images=IMAGES,
        shards=SHARDS,
        captions=CAPTIONS,
        references=REFERENCES,
        features=FEATURES,
        captioners=CAPTIONERS,
        networks=CNN,
        transferred=EVALUATE / "transfer",
        topics=TOPICS,
        topic_model=TOPIC_MODEL,
        stage_metrics=REPORTS / "metrics",
        stage_plots=REPORTS / "plots",
        predictions=EVALUATE / "predictions.parquet",
        scores=EVALUATE / "scores.parquet",
        report=report,
        checkpoint=CHECKPOINTS / "evaluate" / "style_classifier",
    )
    run.log_artifact(report)
    run.log_artifact(EVALUATE / "scores.parquet")
    return outcome


if __name__ == "__main__":
    run_stage("evaluate", work, ("evaluate", "variants", "augment"), [CAPTIONERS, FEATURES, REFERENCES], headline=True)

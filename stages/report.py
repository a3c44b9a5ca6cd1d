"""Draw the report of what the stages have found."""

from photocritic.core.outcome import Outcome
from photocritic.core.paths import (
    CAPTIONS,
    EVALUATE,
    IMAGES,
    PREDICTIONS,
    REFERENCES,
    REPORT,
    SHARDS,
    STAGE_METRICS,
    STAGE_PLOTS,
    STAGE_TABLES,
    SUMMARY,
    TOPIC_MODEL,
    TOPICS,
)
from stages.runner import Stage, run_stage


def work(stage: Stage) -> Outcome:
    """Write the report."""
    from photocritic.report.build import ReportInputs, build_report

    inputs = ReportInputs(
        images=stage.reads(IMAGES),
        captions=stage.reads(CAPTIONS),
        references=stage.reads(REFERENCES),
        shards=stage.reads(SHARDS),
        predictions=stage.reads(PREDICTIONS),
        findings=stage.reads(EVALUATE),
        topics=stage.reads(TOPICS),
        topic_model=stage.reads(TOPIC_MODEL),
        stage_metrics=STAGE_METRICS,
        stage_plots=STAGE_PLOTS,
        stage_tables=STAGE_TABLES,
    )
    page, summary = stage.writes(REPORT), stage.writes(SUMMARY)
    outcome = build_report(stage.params, inputs, page, summary)
    for path in (page, summary):
        stage.run.log_artifact(path)
    return outcome


if __name__ == "__main__":
    run_stage("report", work, context="evaluation")

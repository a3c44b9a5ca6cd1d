"""Caption the held-back images with every variant, score the captions, write the report, and register the best."""

from photocritic.config import Params
from photocritic.core.generation import aside
from photocritic.core.outcome import Outcome
from photocritic.core.paths import (
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
)
from photocritic.tracking import Run
from stages.common import run_stage
from stages.inputs import let_in


def work(params: Params, run: Run) -> Outcome:
    """Evaluate all variants side by side, and register the best one."""
    from photocritic.evaluation import evaluate, of_variant
    from photocritic.serving import Trained, crown

    features = tuple(dict.fromkeys(variant.features for variant in params.variants.values()))
    let_in(params, "images", "captions", "references", "topics", features=features)
    report, summary = aside(REPORTS / "report.html"), aside(REPORTS / "report.md")
    scores = aside(EVALUATE / "scores.parquet")
    outcome = evaluate(
        params=params,
        images=IMAGES,
        shards=SHARDS,
        captions=CAPTIONS,
        references=REFERENCES,
        features=FEATURES,
        captioners=CAPTIONERS,
        networks=CNN,
        transferred=aside(EVALUATE / "transfer"),
        topics=TOPICS,
        topic_model=TOPIC_MODEL,
        stage_metrics=REPORTS / "metrics",
        stage_plots=REPORTS / "plots",
        predictions=aside(EVALUATE / "predictions.parquet"),
        scores=scores,
        report=report,
        checkpoint=CHECKPOINTS / "evaluate" / "style_classifier",
    )
    for path in (report, summary, scores):
        run.log_artifact(path)
    for name, variant in params.variants.items():
        tags = {"stage": "evaluate", "variant": name}
        run.add_child(name, variant.model_dump(mode="json"), of_variant(outcome, name), tags)
    topics = TOPIC_MODEL / "topics.json"
    crown(params, outcome.metrics, run, Trained(CAPTIONERS, CNN, topics, IMAGES, CAPTIONS, REFERENCES, SHARDS))
    return outcome


if __name__ == "__main__":
    tables = [IMAGES, CAPTIONS, REFERENCES, TOPICS, *sorted(FEATURES.glob("*.parquet"))]
    sections = ("evaluate", "variants", "augment")
    run_stage("evaluate", work, sections, [CAPTIONERS, *tables], headline=True, context="evaluation")

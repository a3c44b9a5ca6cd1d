"""Fuse two kinds of features into one, for variants whose captioners read both."""

from photocritic.core.outcome import Outcome
from photocritic.core.paths import CNN, FEATURES
from stages.runner import Stage, run_stage


def work(stage: Stage) -> Outcome:
    """Fuse one pair."""
    from photocritic.vision.fusion import fuse

    chosen = stage.params.fused_features[stage.item]
    kinds = (chosen.first, chosen.second)
    weights = stage.writes(CNN / stage.item)
    first, second = (stage.reads(FEATURES / f"{kind}.parquet") for kind in kinds)
    images = fuse(
        (first, second),
        (stage.reads(CNN / chosen.first), stage.reads(CNN / chosen.second)),
        stage.writes(FEATURES / f"{stage.item}.parquet"),
        weights,
    )
    stage.run.log_artifact(weights)
    return Outcome(metrics={"images": images}, plots={"learning_curve": []})


if __name__ == "__main__":
    run_stage("fuse_features", work, items=True)

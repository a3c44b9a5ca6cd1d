"""Train a CNN on the topics (or on one of its baselines) and describe every image with it.

On several GPUs: torchrun --nproc-per-node=N -m stages.cnn_pretrain weak; a batch is shared among them.
"""

from photocritic.core.outcome import Outcome
from photocritic.core.paths import CNN, FEATURES, IMAGES, SHARDS, TOPICS, WORDS
from stages.runner import Stage, run_stage


def work(stage: Stage) -> Outcome:
    """Make one set of features."""
    from photocritic.vision.pretraining import check, pretrain

    params, images = stage.params.cnn_pretrain, stage.reads(IMAGES)
    [feature] = [name for name in params.features if name == stage.item]
    check(images, params)  # of all features: what cannot be had is refused before any work
    weights = stage.writes(CNN / feature)
    outcome = pretrain(
        feature=feature,
        images=images,
        shards=stage.reads(SHARDS),
        topics=stage.reads(TOPICS),
        words=stage.reads(WORDS),
        weights=weights,
        features=stage.writes(FEATURES / f"{feature}.parquet"),
        params=params,
        seed=stage.params.seed,
        checkpoint=stage.checkpoint,
        on_epoch=stage.run.on_epoch,
    )
    stage.run.log_artifact(weights)
    return outcome


if __name__ == "__main__":
    run_stage("cnn_pretrain", work, items=True)

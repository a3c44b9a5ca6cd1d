"""Grow the stylised captions: extract style phrases, retrieve similar scenes, generate, accept."""

from photocritic.core.outcome import Outcome
from photocritic.core.paths import AUGMENT, CAPTIONS, FEATURES, IMAGES, STYLE_JUDGES
from stages.runner import Stage, run_stage


def work(stage: Stage) -> Outcome:
    """Write the augmented table."""
    from photocritic.augmentation import augment

    params, out = stage.params.augment, stage.writes(AUGMENT / "augmented.parquet")
    outcome = augment(
        images=stage.reads(IMAGES),
        captions=stage.reads(CAPTIONS),
        features=stage.reads(FEATURES / f"{params.features}.parquet"),
        judges=stage.reads(STYLE_JUDGES),
        out=out,
        params=params,
        seed=stage.params.seed,
        checkpoint=stage.checkpoint / "erg",
        on_epoch=stage.run.on_epoch,
    )
    stage.run.log_artifact(out)
    return outcome


if __name__ == "__main__":
    run_stage("augment", work)

"""Grow the stylised captions: extract style phrases, retrieve similar scenes, generate, accept."""

from photocritic.config import Params
from photocritic.core.generation import aside
from photocritic.core.outcome import Outcome
from photocritic.core.paths import AUGMENT, CAPTIONS, CHECKPOINTS, FEATURES, IMAGES
from photocritic.tracking import Run
from stages.common import run_stage
from stages.inputs import let_in


def work(params: Params, run: Run) -> Outcome:
    """Write the augmented table."""
    from photocritic.augmentation import augment

    let_in(params, "images", "captions", features=(params.augment.features,))
    out = aside(AUGMENT / "augmented.parquet")
    features = FEATURES / f"{params.augment.features}.parquet"
    run.log_datasets([features], "training")
    outcome = augment(
        images=IMAGES,
        captions=CAPTIONS,
        features=features,
        out=out,
        params=params.augment,
        seed=params.seed,
        checkpoint=CHECKPOINTS / "augment" / "erg",
        on_epoch=run.on_epoch,
    )
    run.log_artifact(out)
    return outcome


if __name__ == "__main__":
    run_stage("augment", work, ("augment",), [IMAGES, CAPTIONS])

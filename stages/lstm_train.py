"""Train one variant's captioner on its captions and features."""

from photocritic.core.outcome import Outcome
from photocritic.core.paths import CAPTIONERS, CAPTIONS, CNN, FEATURES, IMAGES, SHARDS
from stages.runner import Stage, run_stage


def work(stage: Stage) -> Outcome:
    """Train one variant."""
    from photocritic.captioning import Photographs, train

    params, name = stage.params, stage.item
    variant = params.variants[name]
    out = stage.writes(CAPTIONERS / name)
    outcome = train(
        name=name,
        variant=variant,
        captions=stage.reads(CAPTIONS),
        images=stage.reads(IMAGES),
        features=stage.reads(FEATURES / f"{variant.features}.parquet"),
        out=out,
        params=params.captioner(name),
        seed=params.seed,
        checkpoint=stage.checkpoint / "captioner.pt",
        on_epoch=stage.run.on_epoch,
        photographs=Photographs(stage.reads(SHARDS), stage.reads(CNN / variant.features)),
    )
    stage.run.log_artifact(out)
    return outcome


if __name__ == "__main__":
    run_stage("lstm_train", work, items=True)

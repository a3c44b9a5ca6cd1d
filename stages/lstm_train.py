"""Train one variant's captioner on its captions and features."""

from photocritic.config import Params
from photocritic.core.errors import ParamsError
from photocritic.core.generation import aside
from photocritic.core.outcome import Outcome
from photocritic.core.paths import CAPTIONERS, CAPTIONS, CHECKPOINTS, CNN, FEATURES, IMAGES, SHARDS
from photocritic.tracking import Run
from stages.common import item_argument, run_stage
from stages.inputs import let_in


def main() -> None:
    """Train one variant."""
    name = item_argument("lstm_train", "Train one variant's captioner.")

    def work(params: Params, run: Run) -> Outcome:
        from photocritic.captioning import Photographs, train

        if name not in params.variants:
            raise ParamsError(f"variants does not list '{name}'")
        variant = params.variants[name]
        let_in(params, "images", "captions", features=(variant.features,))
        run.log_datasets([FEATURES / f"{variant.features}.parquet"], "training")
        out = aside(CAPTIONERS / name)
        outcome = train(
            name=name,
            variant=variant,
            captions=CAPTIONS,
            images=IMAGES,
            features=FEATURES / f"{variant.features}.parquet",
            out=out,
            params=params.captioner(name),
            seed=params.seed,
            checkpoint=CHECKPOINTS / f"lstm_train@{name}" / "captioner.pt",
            on_epoch=run.on_epoch,
            photographs=Photographs(SHARDS, CNN / variant.features),
        )
        run.log_artifact(out)
        return outcome

    run_stage(f"lstm_train@{name}", work, ("lstm_train", "variants"), [IMAGES, CAPTIONS])


if __name__ == "__main__":
    main()

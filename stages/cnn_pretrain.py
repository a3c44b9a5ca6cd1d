"""Train a CNN on the topics (or on one of its baselines) and describe every image with it.

On several GPUs: torchrun --nproc-per-node=N -m stages.cnn_pretrain weak; a batch is shared among them.
"""

from photocritic.config import Params
from photocritic.core.errors import ParamsError
from photocritic.core.generation import aside
from photocritic.core.outcome import Outcome
from photocritic.core.paths import CHECKPOINTS, CNN, FEATURES, IMAGES, SHARDS, TOPICS, WORDS
from photocritic.tracking import Run
from stages.common import item_argument, run_stage
from stages.inputs import let_in


def _targets(feature: str, params: Params) -> tuple[str, ...]:
    """Name the tables that a CNN of these features learns from besides the images."""
    if feature != "weak":
        return ()
    return ("topics", "words") if params.cnn_pretrain.words_weight > 0 else ("topics",)


def main() -> None:
    """Make one set of features."""
    item = item_argument("cnn_pretrain", "Train a CNN and extract features.")
    name = f"cnn_pretrain@{item}"

    def work(params: Params, run: Run) -> Outcome:
        from photocritic.vision import check, pretrain

        feature = next((known for known in params.cnn_pretrain.features if known == item), None)
        if feature is None:
            raise ParamsError(f"cnn_pretrain.features does not list '{item}'")
        let_in(params, "images", *_targets(feature, params))
        check(IMAGES, params.cnn_pretrain)  # of all features: what cannot be had is refused before any work
        weights = aside(CNN / feature)
        outcome = pretrain(
            feature=feature,
            images=IMAGES,
            shards=SHARDS,
            topics=TOPICS,
            words=WORDS,
            weights=weights,
            features=aside(FEATURES / f"{feature}.parquet"),
            params=params.cnn_pretrain,
            seed=params.seed,
            checkpoint=CHECKPOINTS / name,
            on_epoch=run.on_epoch,
        )
        run.log_artifact(weights)
        return outcome

    run_stage(name, work, ("cnn_pretrain",), [IMAGES, TOPICS, WORDS])


if __name__ == "__main__":
    main()

"""Caption the validation and test images with one variant."""

from photocritic.core.outcome import Outcome
from photocritic.core.paths import (
    CAPTIONERS,
    CAPTIONS,
    CNN,
    FEATURES,
    IMAGES,
    PREDICT,
    REFERENCES,
    SHARDS,
    STAGE_METRICS,
    STAGE_PLOTS,
)
from stages.runner import Stage, run_stage


def work(stage: Stage) -> Outcome:
    """Predict with one variant."""
    from photocritic.evaluation.prediction import Corpus, predict
    from photocritic.evaluation.predictions import read_training

    params, name = stage.params, stage.item
    features = params.variants[name].features
    trained = [("cnn_pretrain", features), ("lstm_train", name)]
    corpus = Corpus(stage.reads(IMAGES), stage.reads(CAPTIONS), stage.reads(REFERENCES), stage.reads(SHARDS))
    count = predict(
        params,
        name,
        corpus,
        features=stage.reads(FEATURES / f"{features}.parquet"),
        network=stage.reads(CNN / features),
        captioner=stage.reads(CAPTIONERS / name),
        training={
            one: {
                item: read_training(
                    stage.reads(STAGE_METRICS / one / item / "metrics.json"), stage.reads(STAGE_PLOTS / one / item)
                )
            }
            for one, item in trained
        },
        out=stage.writes(PREDICT / name),
    )
    return Outcome({"predictions": float(count)})


if __name__ == "__main__":
    run_stage("predict", work, items=True, context="evaluation")

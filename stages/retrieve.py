"""Build one captioner by retrieval, and caption the validation and test images with it."""

from photocritic.core.outcome import Outcome
from photocritic.core.paths import CAPTIONS, CNN, EDGES, FEATURES, IMAGES, PREDICT, REFERENCES, RETRIEVERS, SHARDS
from stages.runner import Stage, run_stage


def work(stage: Stage) -> Outcome:
    """Index the training photographs, and retrieve captions."""
    from photocritic.captioning.retrieval.build_retriever import build
    from photocritic.evaluation.prediction import Corpus, predict

    params, name = stage.params, stage.item
    retriever = params.retrievers[name]
    features, network = stage.reads(FEATURES / f"{retriever.features}.parquet"), stage.reads(CNN / retriever.features)
    corpus = Corpus(stage.reads(IMAGES), stage.reads(CAPTIONS), stage.reads(REFERENCES), stage.reads(SHARDS))
    out = stage.writes(RETRIEVERS / name)
    outcome = build(
        name,
        retriever,
        params.retrieval(name),
        captions=corpus.captions,
        images=corpus.images,
        edges=stage.reads(EDGES),
        features=features,
        network=network,
        fused=params.fused_features.get(retriever.features),
        out=out,
    )
    count = predict(
        params,
        name,
        corpus,
        features=features,
        network=network,
        captioner=out,
        training={},
        out=stage.writes(PREDICT / name),
    )
    outcome.metrics["predictions"] = float(count)
    stage.run.log_artifact(out)
    return outcome


if __name__ == "__main__":
    run_stage("retrieve", work, items=True, context="evaluation")

"""Score what every variant predicts: tables of numbers."""

from photocritic.core.outcome import Outcome
from photocritic.core.paths import CAPTIONS, EVALUATE, IMAGES, PREDICTIONS, REFERENCES, STYLE_JUDGES
from stages.runner import Stage, run_stage


def work(stage: Stage) -> Outcome:
    """Evaluate all variants side by side."""
    from photocritic.evaluation.scoring import evaluate, of_variant

    out = stage.writes(EVALUATE)
    outcome = evaluate(
        stage.params,
        images=stage.reads(IMAGES),
        captions=stage.reads(CAPTIONS),
        references=stage.reads(REFERENCES),
        predictions=stage.reads(PREDICTIONS),
        judges=stage.reads(STYLE_JUDGES),
        out=out,
    )
    stage.run.log_artifact(out)
    for name, variant in stage.params.compared.items():
        tags = {"stage": "evaluate", "variant": name}
        stage.run.add_child(name, variant.model_dump(mode="json"), of_variant(outcome, name), tags)
    return outcome


if __name__ == "__main__":
    run_stage("evaluate", work, headline=True, context="evaluation")

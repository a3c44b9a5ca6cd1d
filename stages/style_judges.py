"""Train the judges of styles: a classifier and a language model of each."""

from photocritic.core.outcome import Outcome
from photocritic.core.paths import CAPTIONS, IMAGES, STYLE_JUDGES
from stages.runner import Stage, run_stage


def work(stage: Stage) -> Outcome:
    """Train the judges."""
    from photocritic.styles.judges import train_judges

    return train_judges(
        stage.reads(IMAGES),
        stage.reads(CAPTIONS),
        stage.writes(STYLE_JUDGES),
        stage.params.style_judges,
        stage.params.seed,
        stage.checkpoint / "classifier",
        stage.run.on_epoch,
    )


if __name__ == "__main__":
    run_stage("style_judges", work)

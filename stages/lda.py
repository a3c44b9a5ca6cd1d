"""Discover photographic concepts in the kept comments, and label the images with them."""

from photocritic.core.outcome import Outcome
from photocritic.core.paths import CAPTIONS, IMAGES, NGRAMS, TOPIC_MODEL, TOPICS, WORDS
from stages.runner import Stage, run_stage


def work(stage: Stage) -> Outcome:
    """Fit the topic model and write each image's topics and content words."""
    from photocritic.topics import train_lda

    model = stage.writes(TOPIC_MODEL)
    outcome = train_lda(
        stage.reads(IMAGES),
        stage.reads(CAPTIONS),
        stage.reads(NGRAMS),
        stage.writes(TOPICS),
        stage.writes(WORDS),
        model,
        stage.params.lda,
        stage.params.seed,
    )
    stage.run.log_artifact(model)
    return outcome


if __name__ == "__main__":
    run_stage("lda", work)

"""Discover photographic concepts in the kept comments, and label the images with them."""

from photocritic.config import Params
from photocritic.core.generation import aside
from photocritic.core.outcome import Outcome
from photocritic.core.paths import CAPTIONS, IMAGES, NGRAMS, TOPIC_MODEL, TOPICS, WORDS
from photocritic.tracking import Run
from stages.common import run_stage
from stages.inputs import let_in


def work(params: Params, run: Run) -> Outcome:
    """Fit the topic model and write each image's topics and content words."""
    from photocritic.topics import discover

    let_in(params, "images", "captions", "ngrams")
    model = aside(TOPIC_MODEL)
    outcome = discover(IMAGES, CAPTIONS, NGRAMS, aside(TOPICS), aside(WORDS), model, params.lda, params.seed)
    run.log_artifact(model)
    return outcome


if __name__ == "__main__":
    run_stage("lda", work, ("lda",), [IMAGES, CAPTIONS, NGRAMS])

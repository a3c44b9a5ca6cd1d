"""Judge every comment: cleaned, scored, and kept or rejected with a reason."""

from photocritic.core.outcome import Outcome
from photocritic.core.paths import CAPTIONS, COMMENTS, IMAGES, NGRAMS
from stages.runner import Stage, run_stage


def work(stage: Stage) -> Outcome:
    """Filter the comments table into the captions table."""
    from photocritic.filtering.dataset_statistics import dataset_statistics
    from photocritic.filtering.filter_comments import filter_comments
    from photocritic.filtering.funnel_figures import filter_figures

    params, images, captions = stage.params, stage.reads(IMAGES), stage.writes(CAPTIONS)
    judged = filter_comments(
        stage.reads(COMMENTS), images, captions, stage.writes(NGRAMS), params.filter, params.language, stage.checkpoint
    )
    judged.figures |= filter_figures(judged, params.filter)
    judged.tables["dataset_statistics"] = dataset_statistics(captions, images)
    return judged


if __name__ == "__main__":
    run_stage("filter", work)

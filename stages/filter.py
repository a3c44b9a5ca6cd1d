"""Judge every comment: cleaned, scored, and kept or rejected with a reason."""

from photocritic.config import Params
from photocritic.core.generation import aside
from photocritic.core.outcome import Outcome
from photocritic.core.paths import CAPTIONS, CHECKPOINTS, COMMENTS, GRAPH, IMAGES, NGRAMS
from photocritic.tracking import Run
from stages.common import run_stage
from stages.inputs import let_in


def work(params: Params, _run: Run) -> Outcome:
    """Filter the comments table into the captions table, and associate repeated captions with their images."""
    from photocritic.filtering.association import associate
    from photocritic.filtering.run import filter_comments
    from photocritic.filtering.statistics import dataset_statistics

    let_in(params, "images", "comments")
    captions, work = aside(CAPTIONS), CHECKPOINTS / "filter"
    judged = filter_comments(COMMENTS, IMAGES, captions, aside(NGRAMS), params.filter, params.language, work)
    judged.tables["dataset_statistics"] = dataset_statistics(captions, IMAGES)
    return judged + associate(captions, IMAGES, aside(GRAPH), params.language)


if __name__ == "__main__":
    run_stage("filter", work, ("filter", "language"), [COMMENTS, IMAGES])

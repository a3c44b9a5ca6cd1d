"""Judge every comment: cleaned, scored, and kept or rejected with a reason."""

from photocritic.outcome import Outcome
from photocritic.params import Params
from photocritic.tracking import Run
from stages.common import CAPTIONS, COMMENTS, NGRAMS, run_stage


def work(params: Params, _run: Run) -> Outcome:
    """Filter the comments table into the captions table."""
    from photocritic.filtering import filter_comments

    return filter_comments(COMMENTS, CAPTIONS, NGRAMS, params.filter, params.language)


if __name__ == "__main__":
    run_stage("filter", work, ("filter", "language"), [COMMENTS])

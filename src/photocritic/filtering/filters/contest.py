"""Comments about the photo contest rather than about the photograph (an option of AIC's authors)."""

import re
from typing import Literal

from photocritic.config import Block
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts

CONTEST = "contest_words"

# A photograph may show a ribbon or an entry door, so words with another common meaning count in phrases only.
_OURS = re.compile(
    r"""\b(?:
        challenges? | contests? | dpc | dpchallenge | dnmc | voters? | vot(?:e|es|ed|ing) | congrat(?:s|z|ulations)?
      | disqualified | dq'?d?
      | (?:your|my|this|great|good|nice|strong|best|fav(?:ou?rite)?|other) \s entr(?:y|ies) (?!\s(?:way|door|hall))
      | ribbon \s? (?:winner|worthy|material|contender|time)s?
      | (?:deserve|win|won|get|earn)\w* (?:\s\w+){0,3} \s ribbons?
      | good \s luck | top \s (?:ten|5|10|20|five|twenty)
      | (?:high|higher|low|lower|better|your|my|the) \s scor(?:es?|ing)
      | scored? \s (?:higher|lower|well|low|better|this|it|you)
      | (?:i|i'll|i've) \s (?:gave|give|rate|rated|giving) \s (?:this|it|you) \s (?:an? \s)? \d+
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)


# The words of AIC's authors, whose script compares lemmas; it has no "contest", and takes any ribbon, entry or title.
_AUTHORS = re.compile(
    r"""\b(?:
        award(?:s|ed)? | challenge[sd]? | comment(?:s|ed|ing)? | congrat(?:s|ulations?) | critiqu(?:e[sd]?|ing)
      | dpc(?:hallenge)? | entr(?:y|ies) | fav(?:s|ou?rites?)? | luck | ratings? | ribbons? | scor(?:e[sd]?|ing)
      | thank(?:s|ed|ing)? | theme[sd]? | title[sd]? | vot(?:e[sd]?|ers?|ing)
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)


class Contest(Filter):
    """Rejects talk about the contest: challenges, votes, ribbons, scores."""

    paper = "AIC 3, an option of its authors"
    reasons = (CONTEST,)

    class Options(Block):
        """Words and phrases that a photograph seldom shows, or every word on the list of AIC's authors."""

        words: Literal["ours", "authors"] = "ours"

    options: Options

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by words and phrases."""
        words = _AUTHORS if self.options.words == "authors" else _OURS
        return Verdicts([CONTEST if words.search(text) else "" for text in batch.texts])

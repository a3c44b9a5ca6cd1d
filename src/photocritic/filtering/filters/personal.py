"""Personal information: who speaks, and people whom only the speaker knows."""

import re

from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts

PERSONAL = "personal"

# "US" and Roman numerals are no pronouns, and a mine may be one of coal.
_PERSONAL = re.compile(
    r"""
    (?<! \w ) (?:
        (?<! War\s ) (?<! Part\s ) (?<! No\.\s ) (?<! Type\s ) (?<! Phase\s ) (?<! Volume\s ) i (?! \.\w | [-–/&] )
      | (?-i: [uU]s )
      | me | my | myself | we | our | ours | ourselves
      | i['’]?m | ive | weve | (?: i | we ) ['’] (?: d | ll | re | ve ) | let['’]s | lets \s go
      | (?: of | is | was | are | like | than ) \s mine | (?<! \w\s ) mine \s (?: is | was | are )
      | (?: mom | mum | mam | mommy | mummy | dad | daddy | papa | grandma | grandpa | granny | nana ) ['’]s
      | hubby | wifey
      | @ [a-z_] \w+
    ) (?! \w )
    """,
    re.VERBOSE | re.IGNORECASE,
)


class Personal(Filter):
    """Rejects texts with personal information: first-person pronouns, the speaker's kin, @names."""

    paper = "Déjà 2"
    reasons = (PERSONAL,)

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by words."""
        return Verdicts([PERSONAL if _PERSONAL.search(text) else "" for text in batch.texts])

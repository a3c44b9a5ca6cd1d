"""A short part of the fuzzing of comments, the same in every run, and that it would notice a comment that is lost."""

from pathlib import Path
from typing import get_args

import pytest

from photocritic.core.errors import GateFailed
from photocritic.filtering import passes
from photocritic.filtering.comment_sentences import Unit
from tests.fuzz.comments import fuzz


@pytest.mark.parametrize("unit", get_args(Unit))
def test_damaged_comments_all_come_out_again(unit: Unit, tmp_path: Path) -> None:
    counts, problems = fuzz(1_000, 14, unit, tmp_path)
    assert not problems
    assert {"kept", "too_few_tokens", "not_english", "uninformative", "empty"} <= counts.keys()
    assert (counts.total() > 1_500) == (unit == "sentence")


def test_a_lost_sentence_counts_as_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    split = passes.split_comments
    monkeypatch.setattr(passes, "split_comments", lambda rows, *how: split(rows.slice(0, rows.num_rows - 1), *how))
    with pytest.raises(GateFailed, match="captions of"):
        fuzz(200, 14, "sentence", tmp_path)

"""The model of informative comments: what it says, why, and how it is kept."""

import csv

import numpy as np
import pytest
from safetensors.numpy import save_file

from photocritic.core.errors import CorpusError
from photocritic.filtering.critique.critique_inputs import InputExtractor
from photocritic.filtering.critique.critique_model import load_critique_model
from tests.filtering.critique.conftest import tag

PARTICULAR = "The horizon is tilted and the boat on the left is a bit too dark."
SAFE = "Wow, great shot! Good luck in the challenge."


def test_the_bundled_model_tells_critique_from_praise(bundled):
    particular, safe = bundled.probabilities(tag([PARTICULAR, SAFE]))
    assert particular > 0.9
    assert safe < 0.1


def test_the_bundled_model_agrees_with_the_grades_of_real_comments(bundled, corpora):
    with (corpora / "critique_labels.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    informs = np.array([int(row["grade_a"]) + int(row["grade_b"]) >= 4 for row in rows])
    kept = bundled.probabilities(tag([row["text"] for row in rows])) >= 0.5
    right = (kept & informs).sum()
    assert 2 * right / (kept.sum() + informs.sum()) > 0.9  # of comments that it has learned from


def test_a_comment_is_judged_alike_alone_and_among_others(bundled):
    alone = bundled.probabilities(tag([PARTICULAR]))
    among = bundled.probabilities(tag([SAFE, PARTICULAR, "", "!!!"]))
    assert among[1] == pytest.approx(alone[0], abs=1e-9)
    assert np.isfinite(among).all()


def test_words_that_decide_come_first(bundled):
    (particular,) = tag([PARTICULAR])
    words = bundled.explain_words(particular)
    assert next(iter(words)) in {"horizon", "boat", "tilt", "tilted", "dark", "left"}
    (mixed,) = tag(["great shot of the boat"])
    shares = bundled.explain_words(mixed)
    assert shares["boat"] > 3 * max(shares["great"], shares["shot"])


def test_a_signal_without_which_nothing_changes_has_no_share(bundled):
    (comment,) = tag([PARTICULAR])
    shares = bundled.explain(comment)
    assert list(map(abs, shares.values())) == sorted(map(abs, shares.values()), reverse=True)
    assert {"specificity", "what its words mean", "its words and phrases"} <= shares.keys()


def test_a_model_is_the_same_after_saving(bundled, tmp_path):
    bundled.save(tmp_path / "model.safetensors")
    again = load_critique_model(tmp_path / "model.safetensors")
    comments = InputExtractor(bundled.table).extract(tag([PARTICULAR, SAFE]))
    assert np.allclose(again.log_odds(comments), bundled.log_odds(comments))


@pytest.mark.parametrize("content", [None, b"", b"no tensors", "tensors of something else"])
def test_a_file_that_is_no_model_is_refused(tmp_path, content):
    path = tmp_path / "model.safetensors"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content:
        save_file({"a": np.zeros(1)}, path)
    with pytest.raises(CorpusError, match="photocritic filter train"):
        load_critique_model(path)

"""`photocritic filter train`: a model of a community's own, what was measured beside it, and what is refused."""

import csv
import json

import pytest

from photocritic.config import presets
from photocritic.core.errors import CorpusError, OutputError
from photocritic.filtering.critique.critique_model import load_critique_model
from photocritic.filtering.critique.train_critique import train_critique
from tests.filtering.critique.conftest import community, tag


def test_a_model_is_learned_and_measured(judged_file, tmp_path):
    out = tmp_path / "own.safetensors"
    outcome = train_critique(judged_file, out, presets.for_filter(), curve=True)
    assert outcome.metrics["judged"] == len({(image, text) for image, text, _ in community(30)})
    assert outcome.metrics["AUC"] == 1.0
    with (tmp_path / "own.tables" / "words.csv").open() as stream:
        words = [row["word"] for row in csv.DictReader(stream) if float(row["share"]) > 0]
    assert set(words) & {"boat", "dog", "dark", "corner"}
    assert {"quality.csv", "signals.csv", "mistakes.csv", "calibration.csv", "learning_curve.csv"} <= {
        path.name for path in (tmp_path / "own.tables").iterdir()
    }
    particular, safe = load_critique_model(out).probabilities(tag(["the lamp on the water is too dark", "great work"]))
    assert particular > 0.5 > safe


def test_words_of_the_community_are_learned_from_its_comments(judged_file, tmp_path):
    comments = tmp_path / "comments.jsonl"
    rows = [{"image": image, "text": text.replace("boat", "zeppelin")} for image, text, _ in community(60)]
    comments.write_text("".join(json.dumps(row) + "\n" for row in rows))
    train_critique(judged_file, tmp_path / "own.safetensors", presets.for_filter(), comments)
    table = load_critique_model(tmp_path / "own.safetensors").table
    assert table.row("zeppelin") >= 0
    assert table.comments == len(rows)


def test_the_same_file_gives_the_same_model(judged_file, tmp_path):
    for name in ("a", "b"):
        train_critique(judged_file, tmp_path / f"{name}.safetensors", presets.for_filter())
    assert (tmp_path / "a.safetensors").read_bytes() == (tmp_path / "b.safetensors").read_bytes()


def test_too_few_comments_are_refused(tmp_path):
    (tmp_path / "few.csv").write_text("image,text,keep\na,one,1\nb,two,0\n")
    with pytest.raises(CorpusError, match="2 judged comments under 2 photographs are too few"):
        train_critique(tmp_path / "few.csv", tmp_path / "own.safetensors", presets.for_filter())


def test_files_of_other_kinds_are_not_replaced(judged_file, tmp_path):
    with pytest.raises(OutputError, match="is one of the inputs"):
        train_critique(judged_file, judged_file, presets.for_filter())
    (tmp_path / "other.safetensors").write_text("precious")
    with pytest.raises(OutputError, match="has other content"):
        train_critique(judged_file, tmp_path / "other.safetensors", presets.for_filter())
    (tmp_path / "own.tables").mkdir()
    with pytest.raises(OutputError, match="is there already"):
        train_critique(judged_file, tmp_path / "own.safetensors", presets.for_filter())
    assert (tmp_path / "other.safetensors").read_text() == "precious"

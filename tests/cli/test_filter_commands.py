"""`photocritic filter COMMENTS`, and `photocritic filter train`."""

import json

import pytest
from typer.testing import CliRunner

from photocritic.cli import app
from tests.filtering.scores.judging import PRAISE, TELLING

runner = CliRunner()


@pytest.fixture
def comments(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"image": f"i{place}", "comment_id": f"c{place}", "text": text}
        for place, text in enumerate([*TELLING, *PRAISE])
    ]
    (tmp_path / "comments.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return "comments.jsonl"


@pytest.mark.parametrize("named", [[], ["judge"]])
def test_judging_need_not_be_named(comments, named):
    done = runner.invoke(app, ["filter", *named, comments, "--chain", "critique"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout[done.stdout.index("{") :])["kept"] == len(TELLING)


def test_options_may_come_first(comments):
    assert runner.invoke(app, ["filter", "--score", "specificity", "--out", "rows.parquet", comments]).exit_code == 0


def test_a_comment_is_explained(comments):
    done = runner.invoke(app, ["filter", comments, "--chain", "critique", "--explain", "c0"])
    assert done.exit_code == 0, done.output
    assert "c0: " in done.stdout
    assert "horizon" in done.stdout


def test_repeated_captions_are_written_as_a_graph(comments, tmp_path):
    texts = ["A dog runs on the grass", "Dogs running on grass", "An old tree in the field"]
    rows = [{"image": f"j{place}", "author": f"a{place}", "text": text} for place, text in enumerate(texts)]
    (tmp_path / "repeated.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = runner.invoke(app, ["filter", "repeated.jsonl", "--out", "rows.parquet", "--chain", "deja"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout[done.stdout.index("{") :])["edges"] == 2
    assert {path.name for path in (tmp_path / "rows.graph").iterdir()} == {
        "captions.parquet", "edges.parquet", "graph.graphml",
    }  # fmt: skip


def test_training_says_how_to_use_the_model(comments, tmp_path):
    rows = "".join(
        f"i{place},x{place % 7} {text},{int(text in TELLING)}\n"
        for place, text in enumerate([t.replace(",", "") for t in [*TELLING, *PRAISE]] * 4)
    )
    (tmp_path / "judged.csv").write_text("image,text,keep\n" + rows)
    done = runner.invoke(app, ["filter", "train", "judged.csv", "--out", "own.safetensors"])
    assert done.exit_code == 0, done.output
    assert "filter.model: own.safetensors" in done.stdout
    assert (tmp_path / "own.tables" / "quality.csv").exists()


def test_help_lists_both(comments):
    done = runner.invoke(app, ["filter", "--help"])
    assert "judge" in done.stdout
    assert "train" in done.stdout

"""Servers and workers for the tests that need them."""

import json
import shutil
from pathlib import Path

import pytest

from tests.flows.team import Team

TOY = """\
stages:
  words:
    cmd: .venv/bin/python toy.py words
    deps: [toy.py, "${ingest.source}"]
    outs: [data/words.json]
    meta: {pool: cpu}
  model:
    cmd: .venv/bin/python toy.py model
    deps: [toy.py, data/words.json]
    params: [cnn_pretrain.epochs, variants]
    outs: [data/model.json, data/evaluate, reports/report.html]
    metrics: [reports/metrics/evaluate.json: {cache: false}]
    meta: {pool: gpu}
"""


@pytest.fixture(scope="session")
def team(fresh):
    """Start servers and workers beside a small project, once for all modules."""
    team = Team(fresh())
    team.up()
    team.deploy()
    yield team
    team.down()


@pytest.fixture(scope="session")
def toy(team, tmp_path_factory):
    """Add a branch `toy` with a pipeline of two stages of a second each; return the folder of its corpus."""
    corpus = tmp_path_factory.mktemp("toy") / "corpus"
    corpus.mkdir()
    (corpus / "comments.jsonl").write_text(json.dumps({"text": "lovely soft light"}) + "\n")

    def change(folder: Path) -> None:
        (folder / "dvc.yaml").write_text(TOY)
        shutil.copy(Path(__file__).with_name("toy.py"), folder)
        team.workspace.params(
            {"ingest": {"reader": "folder", "source": str(corpus)}, "promote": {"gate": {"cider_d": {"min": 0.0}}}}
        )

    team.branch("toy", change)
    return corpus

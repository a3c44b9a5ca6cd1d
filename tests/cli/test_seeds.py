"""Experiments over seeds: read from DVC, told apart by their other parameters, refused where they are half done."""

import json
import subprocess

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from dvc.cli import main as dvc
from ruamel.yaml import YAML

from photocritic.cli.seeds import _outdated, _settings, _shortened, compare_seeds
from photocritic.core.errors import PhotocriticError
from photocritic.tables.scores_table import SCORES

STAGES = {
    "evaluate": {
        "cmd": "true",
        "params": ["seed", "lda.topics"],
        "outs": ["data/evaluate"],
        "metrics": [{"reports/metrics/evaluate.json": {"cache": False}}],
    }
}
INTERVAL = dict.fromkeys(("mean", "low", "high", "behind_low", "behind_high"), 0.0)


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as stream:
        YAML().dump(value, stream) if path.suffix == ".yaml" else json.dump(value, stream)


def evaluated(folder, seed, values, photographs="0123", topics="3"):
    """Leave what a run with a seed has found of some photographs, by variant, where the stages would."""
    write(folder / "params.yaml", {"seed": seed, "lda": {"topics": topics}})
    measures = {
        name: {"corpus": {"cider_d": value}, "interval": INTERVAL, "positions": {}, "attributes": None}
        for name, value in values.items()
    }
    found = {"measures": measures, "differences": [], "validation": {}, "transfer": None, "styles": None}
    write(folder / "data/evaluate/findings.json", found)
    write(folder / "reports/metrics/evaluate.json", {f"{name}.cider_d": value for name, value in values.items()})
    rows = [
        {"image_id": image_id, "variant": name, "metric": "cider_d", "score": value + place - 1.5}
        for name, value in values.items()
        for place, image_id in enumerate(photographs)
    ]
    pq.write_table(pa.Table.from_pylist(rows, schema=SCORES.columns), folder / "data/evaluate/scores.parquet")
    assert dvc(["commit", "--quiet", "--force"]) == 0


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Give a project whose commit ran seed 7."""
    monkeypatch.chdir(tmp_path)
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "tester")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "tester@example.org")
    subprocess.run(["git", "init", "--quiet"], check=True)
    assert dvc(["init", "--quiet"]) == 0
    write(tmp_path / "dvc.yaml", {"stages": STAGES})
    (tmp_path / ".gitignore").write_text("/data/\n")
    evaluated(tmp_path, 7, {"ns": 0.1, "cws": 0.4})
    subprocess.run(["git", "add", "--all"], check=True)
    subprocess.run(["git", "commit", "--quiet", "--message", "seed 7"], check=True)
    return tmp_path


def test_experiments_of_the_commit_are_compared_over_seeds(project):
    with pytest.raises(PhotocriticError, match="no experiments yet"):
        compare_seeds([], project / "seeds")
    for seed, values in ((1, {"ns": 0.1, "cws": 0.3}), (2, {"ns": 0.2, "cws": 0.6})):
        evaluated(project, seed, values)
        assert dvc(["exp", "save", "--quiet", "--name", f"seed-{seed}"]) == 0
    text = compare_seeds([], project / "seeds")
    assert "| ns | 2 | 0.150 ± 0.071 [" in text
    assert "| cws − ns | 2 | +0.300, " in text
    assert (project / "seeds" / "seeds.md").read_text() == text
    lines = (project / "seeds" / "seeds.csv").read_text().splitlines()
    assert lines[0].startswith("metric,condition,baseline,seeds,mean,deviation,low,high")
    assert "| ns | 3 | " in compare_seeds(["HEAD", "seed-1", "seed-2"], project / "seeds")
    lock = YAML().load(project / "dvc.lock")
    lock["stages"]["cnn_pretrain@labels"] = {"cmd": "true", "params": {"params.yaml": {"lda.topics": 9}}}
    write(project / "dvc.lock.yaml", lock)  # an entry of another preset, which DVC keeps
    (project / "dvc.lock.yaml").replace(project / "dvc.lock")
    assert dvc(["exp", "save", "--quiet", "--name", "seed-7"]) == 0
    assert "| ns | 2 | " in compare_seeds(["seed-1", "seed-7"], project / "seeds")
    for seed in (1, 2):
        evaluated(project, seed, {"ns": 0.1 * seed}, topics="9" * 80)
        assert dvc(["exp", "save", "--quiet", "--name", f"many-{seed}"]) == 0
    text = compare_seeds(["seed-1", "seed-2", "many-1", "many-2"], project / "seeds")
    assert text.startswith('- A: lda.topics="3"\n- B: lda.topics="' + "9" * 80)
    assert "| ns (B) | 2 | 0.150 ± 0.071 [" in text
    evaluated(project, 3, {"ns": 0.2, "cws": 0.6}, photographs="4567")
    assert dvc(["exp", "save", "--quiet", "--name", "elsewhere"]) == 0
    with pytest.raises(PhotocriticError, match="elsewhere and seed-1 were measured on different photographs"):
        compare_seeds(["seed-1", "elsewhere"], project / "seeds")
    with pytest.raises(PhotocriticError, match="no-such-one: cannot be read"):
        compare_seeds(["no-such-one"], project / "seeds")


def test_settings_are_what_differs_but_for_the_seed():
    some = [{"seed": 1, "lda": {"topics": 3, "words": 9}}, {"seed": 2, "lda": {"topics": 4, "words": 9}}]
    assert _settings(some) == ["lda.topics=3", "lda.topics=4"]
    assert _settings(some[:1]) == [""]
    assert _shortened(["lda.topics=4", "lda.topics=3", "lda.topics=4"]) == {
        "lda.topics=4": "lda.topics=4",
        "lda.topics=3": "lda.topics=3",
    }
    some = [f"filter.chain={'clean, ' * 10}{number}" for number in range(28)]
    short = _shortened([*some, some[0]])
    assert list(short) == some
    assert [short[one] for one in (some[0], some[25], some[26], some[27])] == ["A", "Z", "AA", "AB"]


def test_a_run_whose_stages_did_not_all_run_is_recognised():
    stages = {
        "lda": {"params": {"params.yaml": {"lda.topics": 4}}, "outs": [{"path": "topics", "md5": "new"}]},
        "evaluate": {"deps": [{"path": "topics", "md5": "new"}, {"path": "src", "md5": "x"}]},
    }
    params = {"lda": {"topics": 4}}
    assert _outdated(params, stages) == ""
    assert _outdated(params, stages | {"augment": {}}) == "augment"
    assert _outdated({"lda": {"topics": 5}}, stages) == "lda"
    stages["evaluate"]["deps"][0]["md5"] = "old"
    assert _outdated(params, stages) == "evaluate"

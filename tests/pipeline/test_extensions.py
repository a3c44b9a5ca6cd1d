"""The templates of docs/extending.md, taken from the page, in the project's plugins/ and in an installed package."""

import json
import re

import pyarrow.parquet as pq
import pytest

from photocritic.sample import generate

pytestmark = [pytest.mark.xdist_group("pipeline"), pytest.mark.timeout(1800)]  # the whole chain, on busy machines

TEMPLATE = re.compile(r"`plugins/(\w+)/(\w+)\.py`:\n\n```python\n(.*?)```", re.DOTALL)
PARAMS = {
    "ingest": {"reader": "tab_separated", "source": "corpus"},
    "filter": {
        "chain": [
            {"shouting": {"share": 0.7}},
            "clean",
            "empty",
            "english",
            {"content_safety": {"classifier": "night"}},
            "score",
        ],
        "score": ["informativeness", "variety"],
        "threshold": "keep 0.6",
    },
    "cnn_pretrain": {"features": ["weak", "random"], "epochs": 1},
    "fused_features": {"both": {"first": "weak", "second": "random"}},
    "lstm_train": {"model": "gru", "options": {"squash": False}, "epochs": 1},
    "variants": {"own": {"captions": "filtered", "features": "both"}},
    "predict": {"strategy": "diverse", "groups": 3, "consensus": 4},
    "style_judges": {"epochs": 1},
    "evaluate": {"metrics": ["cider_d", "length_match"]},
    "promote": {"metric": "length_match", "gate": {"length_match": {"min": 0.1}}},
    "augment": {"retriever": "shared_words"},
}

SHARPNESS = """
from pathlib import Path
from photocritic import tables
ids = tables.load("images", Path("data/ingest/images.parquet"))["image_id"].to_pylist()
rows = [{"image_id": image_id, "sharpness": 0.5} for image_id in ids]
path = Path("data/sharpness.parquet")
tables.save("sharpness", path, tables.from_rows("sharpness", rows))
assert tables.load("sharpness", path).num_rows == len(ids)
"""


@pytest.fixture(scope="module")
def templates(root):
    """Return the files of the page by their kind and name."""
    found = {(kind, name): text for kind, name, text in TEMPLATE.findall((root / "docs/extending.md").read_text())}
    assert {kind for kind, _ in found} == {path.name for path in (root / "plugins").iterdir() if path.is_dir()}
    return found


def test_a_template_is_short(templates):
    assert max(text.count("\n") for text in templates.values()) <= 60


def write_corpus(folder):
    (folder / "images").mkdir(parents=True)
    lines = ["a line without a tab\n"]
    for number, scene in enumerate(generate(70, seed=3)):
        name = f"{'night' if number == 5 else 'scene'}{number:02}.jpg"
        (folder / "images" / name).write_bytes(scene.image)
        texts = [(" ".join(comment.text.split()), comment.style or "") for comment in scene.comments]
        lines += [f"{name}\t{text}\t{style}\n" for text, style in [*texts, ("SUCH A LOVELY RED BOAT ON THE LAKE", "")]]
    (folder / "comments.tsv").write_text("".join(lines))


def install(folder, text):
    """Install a package that offers the filter."""
    (folder / "loud-1.0.dist-info").mkdir(parents=True)
    (folder / "loud-1.0.dist-info" / "METADATA").write_text("Name: loud\nVersion: 1.0\n")
    declared = "[photocritic.filters]\nshouting = loud_comments\n"
    (folder / "loud-1.0.dist-info" / "entry_points.txt").write_text(declared)
    (folder / "loud_comments.py").write_text(text)


def test_the_chain_runs_with_one_of_each(fresh, templates, tmp_path, monkeypatch):
    workspace = fresh()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "installed"), prepend=":")
    install(tmp_path / "installed", templates["filters", "shouting"])
    for (kind, name), text in templates.items():
        if kind != "filters":
            (workspace.folder / "plugins" / kind / f"{name}.py").write_text(text)
    write_corpus(workspace.folder / "corpus")
    workspace.params(PARAMS)
    document = (workspace.folder / "params.yaml").read_text()
    (workspace.folder / "params.yaml").write_text(re.sub(r"(?m)^  (ns|cs|cws): .*\n", "", document))
    listed = workspace.run("-m", "photocritic.cli", "extensions").stdout
    assert all(name in listed for _, name in templates)
    assert "loud 1.0" in listed

    told = workspace.run("-m", "photocritic.cli", "run").stdout
    assert "length_match" in told

    def column(path, name):
        return pq.read_table(workspace.folder / path)[name].to_pylist()

    assert column("data/ingest/quarantine.parquet", "reason") == ["malformed row: not 2 or 3 columns"]
    reasons = column("data/filter/captions.parquet", "reason")
    assert reasons.count("shouting") >= 70
    assert "unsafe_image" in reasons
    assert "uninformative" in reasons
    assert json.loads((workspace.folder / "data/lstm_train/own/model/config.json").read_text())["model"] == "gru"
    assert 0 < json.loads((workspace.folder / "reports/metrics/evaluate.json").read_text())["own.length_match"] <= 1
    assert "length over that of the nearest reference" in (workspace.folder / "reports/report.html").read_text()
    assert set(column("data/augment/augmented.parquet", "retrieval")) == {"words"}
    assert (workspace.folder / "data/predict/own/neighbours").is_dir()
    captioned = workspace.run("-m", "photocritic.cli", "caption", "corpus/images").stdout
    assert captioned == "70 captions in captions.jsonl\n", "by the champion, of both kinds of features"
    verdict = (workspace.folder / "reports/tables/report/champion.csv").read_text()
    assert re.search(r"own,length_match,val,0\.\d+,test,0\.\d+,True", verdict)

    workspace.run("-c", SHARPNESS)
    blurred = workspace.run("-c", SHARPNESS.replace("0.5", "7.0"), check=False)
    assert "GateFailed" in blurred.stderr
    assert "sharpness" in blurred.stderr

    with (workspace.folder / "plugins/metrics/length_match.py").open("a") as file:
        file.write("# a change\n")
    changed = json.loads(workspace.run("-m", "dvc", "status", "--json").stdout)
    assert set(changed) == {"evaluate", "report"}

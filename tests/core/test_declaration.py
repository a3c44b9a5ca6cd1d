"""What dvc.yaml says of a stage, and what a stage may open."""

from pathlib import Path

import pytest

from photocritic import tables
from photocritic.core.declaration import VARIABLE, UndeclaredPath, declaration, require_declared

PIPELINE = """
stages:
  first:
    cmd: x
    deps: [src, "${source.path}"]
    params: [seed, "source.path"]
    outs: [data/first/images.parquet]
    metrics: [{reports/metrics/first.json: {cache: false}}]
  each:
    foreach: ${variants}
    do:
      deps: [data/first/images.parquet, "data/features/${item.features}.parquet"]
      params: ["variants.${key}"]
      outs: ["data/each/${key}"]
  one:
    foreach: ${list}
    do: {deps: ["data/${item}"]}
"""
PARAMS = "seed: 1\nsource: {path: data/corpus}\nvariants: {a: {features: weak}}\nlist: [x]\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "dvc.yaml").write_text(PIPELINE)
    (tmp_path / "params.yaml").write_text(PARAMS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_values_of_params_stand_in_their_places(project):
    first, each = declaration("first"), declaration("each@a")
    assert first.deps == (Path("src"), Path("data/corpus"))
    assert first.outs == (Path("data/first/images.parquet"), Path("reports/metrics/first.json"))
    assert first.params == ("seed", "source.path")
    assert each.deps == (Path("data/first/images.parquet"), Path("data/features/weak.parquet"))
    assert (each.outs, each.params) == ((Path("data/each/a"),), ("variants.a",))
    assert each.tables == list(each.deps)
    assert declaration("one@x").deps == (Path("data/x"),)


@pytest.mark.parametrize(("name", "words"), [("nowhere", "no stage nowhere"), ("each@b", "no 'b'.*lists a")])
def test_a_stage_that_is_not_there_is_named(project, name, words):
    with pytest.raises(UndeclaredPath, match=words):
        declaration(name)


def test_what_is_not_listed_is_neither_read_nor_written(project):
    stage = declaration("each@a")
    assert stage.reads(Path("data/first/images.parquet"))
    assert stage.writes(Path("data/each/a/weights"))
    with pytest.raises(UndeclaredPath, match=r"add `- data/lda/model` to stages: each: deps"):
        stage.reads(Path("data/lda/model"))
    with pytest.raises(UndeclaredPath, match=r"add `- data/each/b` to stages: each: outs"):
        stage.writes(Path("data/each/b"))


def test_a_stage_that_opens_an_undeclared_table_fails_with_the_line_to_add(project, monkeypatch):
    rows = [{"image_id": "a", "text": "x", "source": "s"}]
    monkeypatch.setattr("photocritic.validation.check", lambda *_, **__: None)
    for name in ("first", "other"):
        tables.save("references", Path(f"data/{name}/references.parquet"), tables.from_rows("references", rows))
    monkeypatch.setenv(VARIABLE, "each@a")
    with pytest.raises(UndeclaredPath, match=r"- data/other/references\.parquet` to stages: each: deps"):
        tables.load("references", Path("data/other/references.parquet"))
    with pytest.raises(UndeclaredPath):
        list(tables.scan("references", (project / "data/other/references.parquet")))
    require_declared(Path("data/each/a/.each.staged/weights"))  # its own output, written aside
    require_declared(Path("/elsewhere/x"))
    monkeypatch.delenv(VARIABLE)
    assert len(tables.load("references", Path("data/other/references.parquet"))) == 1


def test_editing_the_sample_runs_nothing_again_on_another_corpus(root):
    """Whoever reads another corpus depends on no scene of the sample."""
    from ruamel.yaml import YAML

    stages = YAML(typ="safe").load((root / "dvc.yaml").read_text())["stages"]
    for entry in stages.values():
        deps = entry.get("do", entry)["deps"]
        assert not [path for path in deps if path.startswith("src/photocritic/sample") or path == "src/photocritic"]


def test_an_outcome_has_a_declared_place_for_all_that_it_holds(project):
    from photocritic.core.outcome import Outcome
    from stages.runner import write_outcome

    write_outcome(declaration("first"), Outcome({"loss": 1.0}))
    assert Path("reports/metrics/first.json").exists()
    for outcome in (Outcome(plots={"curve": [{"x": 1}]}), Outcome(tables={"rows": [{"x": 1}]})):
        with pytest.raises(UndeclaredPath, match=r"reports/(plots|tables)/first"):
            write_outcome(declaration("first"), outcome)
    with pytest.raises(UndeclaredPath, match=r"reports/metrics/each/a/metrics\.json` to stages: each: outs"):
        write_outcome(declaration("each@a"), Outcome())

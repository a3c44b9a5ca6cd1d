"""What dvc.yaml says to draw stands in what the stages leave."""

import json

import pytest
from dvc_render.vega_templates import TEMPLATES
from ruamel.yaml import YAML


@pytest.fixture(scope="module")
def defined(root):
    """Give the plots of dvc.yaml: settings by path."""
    document = YAML(typ="safe").load(root / "dvc.yaml")
    return {path: settings for entry in document["plots"] for path, settings in entry.items()}


def test_every_plot_is_below_an_output_of_a_stage(root, defined):
    stages = YAML(typ="safe").load(root / "dvc.yaml")["stages"]
    outs = {str(out).partition("$")[0] for stage in stages.values() for out in stage.get("do", stage)["outs"]}
    assert defined
    assert all(any(f"{path}/".startswith(f"{out.rstrip('/')}/") for out in outs) for path in defined)


def test_templates_are_built_in_or_our_own_and_valid(root, defined):
    schema = pytest.importorskip("altair").vegalite.load_schema()
    jsonschema = pytest.importorskip("jsonschema")
    own = {path.stem: json.loads(path.read_text()) for path in (root / ".dvc" / "plots").glob("*.json")}
    built_in = {template.DEFAULT_NAME for template in TEMPLATES}
    assert {settings["template"] for settings in defined.values()} <= own.keys() | built_in
    assert own.keys() <= {settings["template"] for settings in defined.values()}
    for template in own.values():
        # Without a look at the schema itself, whose references are no addresses to those who check that.
        jsonschema.Draft7Validator(schema).validate(template | {"data": {"values": []}})


def test_the_columns_of_evaluate_are_there(root, defined, finished):
    _, outcome = finished
    of_evaluate = {path: some for path, some in defined.items() if path.startswith("reports/plots/evaluate/")}
    assert len(of_evaluate) == 2
    for path, settings in of_evaluate.items():
        columns = set(outcome.plots[path.rpartition("/")[2].removesuffix(".json")][0])
        encoding = json.loads((root / ".dvc" / "plots" / f"{settings['template']}.json").read_text())["encoding"]
        named = {channel["field"] for channel in encoding.values() if not channel["field"].startswith("<")}
        assert {settings["x"], settings["y"], *named} <= columns | {"rev"}

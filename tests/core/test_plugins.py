"""Extensions are found by name: the package's own, files of the project, and what installed packages offer."""

from pathlib import Path

import pytest

from photocritic.core import plugins
from photocritic.core.errors import ParamsError

METRIC = '''
"""Says that all is well.

More of it.
"""

from photocritic.metrics import Metric


class Fine(Metric):
    label = "fine"
    columns = {}

    def _score(self, candidates, references): ...
'''


@pytest.fixture(autouse=True)
def project(tmp_path, monkeypatch):
    """Stand in a project without extensions of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(kind, name, text):
    path = Path("plugins", f"{kind}s", f"{name}.py")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.lstrip())
    return path


def offer(folder, kind, name, value):
    """Install a package that offers an extension."""
    (folder / "offering-1.0.dist-info").mkdir()
    (folder / "offering-1.0.dist-info" / "METADATA").write_text("Name: offering\nVersion: 1.0\n")
    (folder / "offering-1.0.dist-info" / "entry_points.txt").write_text(f"[photocritic.{kind}s]\n{name} = {value}\n")


@pytest.mark.parametrize("kind", [kind for kind, wanted in plugins.KINDS.items() if wanted.folder])
def test_all_of_the_package_are_found(kind):
    for name, origin in plugins.available(kind).items():
        assert origin == "photocritic"
        assert plugins.summary(kind, name)
        assert plugins.find(kind, name)


def test_a_file_of_the_project_is_found():
    path = write("metric", "fine", METRIC)
    found = plugins.find("metric", "fine", "evaluate.metrics")
    assert (found.__name__, found) == ("Fine", plugins.find("metric", "fine"))  # imported once
    assert plugins.available("metric")["fine"] == str(path)
    assert plugins.summary("metric", "fine") == "Says that all is well."
    assert "fine" not in plugins.available("filter")


@pytest.mark.parametrize("value", ["offering_metric", "offering_metric:Fine"])
def test_a_package_may_offer_a_module_or_what_is_in_it(project, monkeypatch, value):
    offer(project, "metric", "fine", value)
    (project / "offering_metric.py").write_text(METRIC.lstrip())
    monkeypatch.syspath_prepend(project)
    assert plugins.find("metric", "fine").__name__ == "Fine"
    assert plugins.available("metric")["fine"] == "offering 1.0"
    assert plugins.summary("metric", "fine") == "Says that all is well."


def test_what_cannot_be_read_is_listed_all_the_same(project, monkeypatch):
    write("metric", "mine", "class Mine(")
    offer(project, "metric", "gone", "no_such.module")
    monkeypatch.syspath_prepend(project)
    assert {"mine", "gone"} < plugins.available("metric").keys()
    assert plugins.summary("metric", "mine").startswith("cannot be read: ")
    assert plugins.summary("metric", "gone").startswith("cannot be read: ")


def test_an_unknown_name_is_refused_with_the_nearest():
    words = r"evaluate\.metrics: no metric is called 'cidr'; did you mean 'cider'\? There is no file plugins/metrics"
    with pytest.raises(ParamsError, match=words):
        plugins.find("metric", "cidr", "evaluate.metrics")
    assert plugins.problem("metric", "cider") == plugins.problem("captioner", "pretrained", "pretrained") == ""


def test_nothing_takes_the_place_of_the_packages_own():
    path = write("metric", "bleu", METRIC)
    with pytest.raises(ParamsError, match=rf"k: {path} has the name of one of photocritic's own metrics; rename"):
        plugins.find("metric", "bleu", "k")


@pytest.mark.parametrize(
    ("kind", "code", "words"),
    [
        (
            "metric",
            "import no_such_module",
            "cannot import 'mine': ModuleNotFoundError: No module named",
        ),
        ("metric", "class Mine(", "cannot import 'mine': SyntaxError"),
        ("metric", "", "defines 0 of Metric; it must define one"),
        ("metric", METRIC + "\n\nclass Other(Fine): ...\n", "defines 2 of Metric; it must define one"),
        ("reader", "", r"defines no function read\(source, params, seed\)"),
        ("captioner", "build = 3", r"defines no function build\(config\)"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(kind, code, words):
    path = write(kind, "mine", code)
    with pytest.raises(ParamsError, match=rf"k: {path}:? {words}"):
        plugins.find(kind, "mine", "k")
    with pytest.raises(ParamsError, match=str(path)):  # a second time too
        plugins.find(kind, "mine", "k")


@pytest.mark.parametrize("kind", ["link", "folder", "broken link"])
def test_links_are_not_followed(project, tmp_path_factory, kind):
    outside = tmp_path_factory.mktemp("outside") / "far.py"
    outside.write_text(METRIC.lstrip())
    path = project / "plugins" / "metrics" / "far.py"
    path.parent.mkdir(parents=True)
    if kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(outside if kind == "link" else outside / "absent")
    with pytest.raises(ParamsError, match="not a regular file of the project; links are not followed"):
        plugins.find("metric", "far", "k")


@pytest.mark.parametrize("name", ["../far", "/etc/passwd", "os.system", "a b", "", "metric"])
def test_no_other_module_can_be_named(name):
    write("metric", "inside", METRIC)
    Path("plugins", "far.py").write_text(METRIC.lstrip())
    with pytest.raises(ParamsError, match="no metric is called"):
        plugins.find("metric", name, "k")

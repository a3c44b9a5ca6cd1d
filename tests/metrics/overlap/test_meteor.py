"""METEOR against the reference implementation's, exactly, and as one process."""

import csv
import shutil

import pytest

from photocritic.metrics import Captions, References, Suite, java, missing
from photocritic.text import caption_tokens

pytestmark = [
    pytest.mark.skipif(bool(missing("meteor")), reason="METEOR is not installed"),
    pytest.mark.xdist_group("meteor"),  # loaded once
]

JAR = "meteor/meteor-1.5.jar"
FILES = JAR, "meteor/data/paraphrase-en.gz"

EDGES = [
    ([], [["a", "dog"]]),
    ([], [[]]),
    (["dog"], [["dog"]]),
    (["dog"], [[]]),
    (["dog"] * 12, [["dog", "dog"], ["the", "dog"]]),
    (["the", "dog"] * 40, [["the", "dog"] * 45]),
    (["Ünïcode", "日本", "🌅", "naïve"], [["日本", "🌅"], ["ünïcode", "naïve"]]),
    (["a", "|", "|||", "b"], [["a", "b", "%"]]),
    (["running", "dogs", "are", "big"], [["a", "large", "dog", "runs"]]),
]


@pytest.fixture(scope="module")
def suite():
    """Give METEOR in one process, and see that it has served every test and ends by itself."""
    with Suite(["meteor"]) as it:
        it.score(Captions([["a", "dog"]]), References([[["a", "dog"]]]))
        program = it._metrics[0]._program._process
        yield it
        assert it._metrics[0]._program._process is program
        assert program.poll() is None
    assert program.returncode == 0


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """Give the reference implementation's METEOR, run by the same Java, in a folder whose path has no space."""
    module = pytest.importorskip("pycocoevalcap.meteor.meteor")
    folder = copy_meteor(tmp_path_factory.mktemp("reference"))
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("PATH", str(java.find().executable.parent), prepend=":")
        monkeypatch.setattr(module, "METEOR_JAR", str(folder / JAR))
        meteor = module.Meteor()
    yield meteor
    meteor.meteor_p.communicate()


def copy_meteor(folder):
    """Copy METEOR's files into a folder, and return it."""
    for name, path in zip(FILES, java.programs(*FILES), strict=True):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder / name)
    return folder


def assert_equal(suite, reference, candidates, references):
    found = suite.score(Captions(candidates), References(references))
    truths = {number: [" ".join(words) for words in some] for number, some in enumerate(references)}
    results = {number: [" ".join(words)] for number, words in enumerate(candidates)}
    corpus, images = reference.compute_score(truths, results)
    assert found.per_image["meteor"].tolist() == images
    assert found.corpus["meteor"] == corpus


def test_equals_the_reference_implementation_on_coco(suite, reference, coco):
    captions = [[caption_tokens(text) for text in some] for some in list(coco.values())[:150]]
    assert_equal(suite, reference, [some[0] for some in captions], [some[1:] for some in captions])


def test_equals_the_reference_implementation_on_flickr8k(suite, reference, corpora):
    images = {}
    with (corpora / "flickr8k" / "captions.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            images.setdefault(row["image"], []).append(caption_tokens(row["caption"]))
    captions = list(images.values())[:150]
    assert_equal(suite, reference, [some[0] for some in captions], [some[1:] for some in captions])


def test_edge_cases_equal_the_reference_implementation(suite, reference):
    candidates, references = zip(*EDGES, strict=True)
    assert_equal(suite, reference, candidates, references)
    for candidate, some in EDGES:
        assert_equal(suite, reference, [candidate], [some])


def test_a_path_may_have_a_space(tmp_path, monkeypatch):
    folder = copy_meteor(tmp_path / "a folder")
    monkeypatch.setattr(java, "programs", lambda *names: [folder / name for name in names])
    with Suite(["meteor"]) as suite:
        assert suite.score(Captions([["a", "dog"]]), References([[["a", "dog"]]])).corpus["meteor"] == 1


def test_no_images_are_no_question(suite):
    assert suite.score(Captions([]), References([])).corpus == {"meteor": 0.0}

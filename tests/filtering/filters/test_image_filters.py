"""CC's image filters, and the one of image and text: what passes, what is rejected, and why."""

import logging
from pathlib import Path

import pytest

from photocritic.config import FilterParams
from photocritic.core.errors import ParamsError
from photocritic.filtering.filter_interface import chain
from tests.filtering.batches import batch, image, judge, make


def _judged(name, records, texts=None, **options):
    images = [f"i{place}" for place in range(len(records))]
    given = batch(texts or ["A dog."] * len(records), images=images, known=dict(zip(images, records, strict=True)))
    (judged,) = judge(make(name, **options), given)
    return judged.reasons


CLASSIFIERS = {
    "offence": "return [0.9 if image_id == 'i1' else 0.1 for image_id in image_ids]",
    "dogs": "return [['Dog', 'running_track'] for _ in image_ids]",
    "too_few": "return []",
}


@pytest.fixture
def plugins(tmp_path, monkeypatch):
    """Stand in a project that has classifiers of its own."""
    monkeypatch.chdir(tmp_path)
    Path("plugins/classifiers").mkdir(parents=True)
    for name, body in CLASSIFIERS.items():
        Path("plugins/classifiers", f"{name}.py").write_text(f"def classify(image_ids):\n    {body}\n")
    return tmp_path / "plugins" / "classifiers"


def test_only_jpegs_pass():
    assert _judged("jpeg_only", [image(), image(format="PNG"), image(format="")]) == ["", "not_jpeg", ""]


def test_other_formats_may_be_named():
    assert _judged("jpeg_only", [image(format="PNG")], formats=["JPEG", "PNG"]) == [""]


def test_both_sides_must_exceed_400_pixels():
    known = [image(width=401, height=401), image(width=400, height=900), image(width=0, height=0)]
    assert _judged("image_size", known) == ["", "image_too_small", ""]


def test_the_larger_side_is_at_most_twice_the_smaller():
    known = [image(width=1000, height=500), image(width=500, height=1001), image(width=0, height=0)]
    assert _judged("aspect_ratio", known) == ["", "image_too_long", ""]


def test_an_unsafe_image_is_rejected(plugins):
    assert _judged("content_safety", [image(), image()], classifier="offence") == ["", "unsafe_image"]


def test_without_a_classifier_every_image_is_safe_and_the_log_says_so_once(caplog):
    rule = make("content_safety")
    with caplog.at_level(logging.WARNING):
        judged = judge(rule, batch(["A dog."]), batch(["A cat."]))
    assert [one.reasons for one in judged] == [[""], [""]]
    assert len([record for record in caplog.records if "content_safety" in record.message]) == 1


@pytest.mark.parametrize(
    "name",
    ["subprocess:check_output", "os:system", "os", "../outside", "/etc/passwd", "a b", "no_such", "a.b", "Offence"],
)
def test_params_name_no_function_of_other_modules(plugins, name):
    """M16: neither a module's function, nor a file elsewhere."""
    (plugins.parent / "outside.py").write_text("def classify(image_ids):\n    return [0.9] * len(image_ids)\n")
    with pytest.raises(ParamsError, match=r"content_safety\.classifier"):
        chain(FilterParams(chain=[{"content_safety": {"classifier": name}}]))[0].judge(batch(["A dog."]))


@pytest.mark.parametrize("kind", ["link", "folder", "broken link"])
def test_a_classifier_is_a_regular_file_of_the_project(plugins, tmp_path_factory, kind):
    outside = tmp_path_factory.mktemp("outside") / "far.py"
    outside.write_text("def classify(image_ids):\n    return [0.9] * len(image_ids)\n")
    if kind == "folder":
        (plugins / "far.py").mkdir()
    else:
        (plugins / "far.py").symlink_to(outside if kind == "link" else outside / "absent")
    with pytest.raises(ParamsError, match="not a regular file of the project"):
        _judged("content_safety", [image()], classifier="far")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def classify(", "mine.py: cannot import 'mine': SyntaxError"),
        ("1 / 0", "mine.py: cannot import 'mine': ZeroDivisionError"),
        ("def answer(image_ids): ...", "defines no function classify"),
        ("classify = 3", "defines no function classify"),
    ],
)
def test_a_classifier_that_cannot_be_used_is_named(plugins, code, words):
    (plugins / "mine.py").write_text(code)
    with pytest.raises(ParamsError, match=rf"content_safety\.classifier.*{words}"):
        _judged("content_safety", [image()], classifier="mine")


def test_a_package_can_offer_a_classifier(tmp_path, monkeypatch):
    """An installed distribution is found by the entry points that it declares."""
    (tmp_path / "offering-1.0.dist-info").mkdir()
    declared = tmp_path / "offering-1.0.dist-info" / "entry_points.txt"
    declared.write_text("[photocritic.classifiers]\noffered = offering_classifier:strict\n")
    (tmp_path / "offering-1.0.dist-info" / "METADATA").write_text("Name: offering\nVersion: 1.0\n")
    (tmp_path / "offering_classifier.py").write_text("def strict(image_ids):\n    return [1.0] * len(image_ids)\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert _judged("content_safety", [image()], classifier="offered") == ["unsafe_image"]


def test_a_classifier_must_answer_for_every_image(plugins):
    with pytest.raises(ParamsError, match="0 values for 1 images"):
        _judged("content_safety", [image()], classifier="too_few")


def test_a_text_must_name_what_the_image_shows():
    known = [image(labels=["dogs", "grass"]), image(labels=["running_track"]), image(labels=["airplane"])]
    texts = ["A dog on a meadow.", "The man runs.", "A bowl of soup."]
    assert _judged("image_text", known, texts) == ["", "", "no_label_in_text"]


def test_stop_words_are_no_overlap():
    assert _judged("image_text", [image(labels=["the who"])], ["The band that everybody knows."]) == [""]
    assert _judged("image_text", [image(labels=["the band"])], ["The soup."]) == ["no_label_in_text"]


def test_texts_on_images_without_labels_pass_and_are_marked():
    known = {"bare": image(), "labelled": image(labels=["dog"])}
    given = batch(["A bowl.", "A dog.", "A cup."], images=["bare", "labelled", "bare"], known=known)
    given.reasons[2] = "before"
    (judged,) = judge(make("image_text"), given)
    assert judged.reasons == ["", "", "before"]
    assert judged.column("without_labels") == [True, False, False]


def test_labels_may_come_from_a_classifier(plugins):
    texts = ["A dog on a meadow.", "A bowl of soup."]
    reasons = _judged("image_text", [image(), image()], texts, classifier="dogs")
    assert reasons == ["", "no_label_in_text"]

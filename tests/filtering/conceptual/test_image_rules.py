"""CC's image filters, and the one of image and text: what passes, what is rejected, and why."""

import logging

import pytest

from photocritic.errors import ParamsError
from tests.filtering.batches import batch, judge, make, picture


def _judged(name, known, texts=None, **options):
    images = [f"i{place}" for place in range(len(known))]
    given = batch(texts or ["A dog."] * len(known), images=images, pictures=dict(zip(images, known, strict=True)))
    (judged,) = judge(make(name, **options), given)
    return judged.reasons


def offence(image_ids):
    """Stand in for a detector: the image i1 offends."""
    return [0.9 if image_id == "i1" else 0.1 for image_id in image_ids]


def dogs(image_ids):
    """Stand in for an image classifier."""
    return [["Dog", "running_track"] for _ in image_ids]


def too_few(image_ids):
    """Stand in for a classifier that fails to answer."""
    return []


def test_only_jpegs_pass():
    assert _judged("jpeg_only", [picture(), picture(format="PNG"), picture(format="")]) == ["", "not_jpeg", ""]


def test_other_formats_may_be_named():
    assert _judged("jpeg_only", [picture(format="PNG")], formats=["JPEG", "PNG"]) == [""]


def test_both_sides_must_exceed_400_pixels():
    known = [picture(width=401, height=401), picture(width=400, height=900), picture(width=0, height=0)]
    assert _judged("image_size", known) == ["", "image_too_small", ""]


def test_the_larger_side_is_at_most_twice_the_smaller():
    known = [picture(width=1000, height=500), picture(width=500, height=1001), picture(width=0, height=0)]
    assert _judged("aspect_ratio", known) == ["", "image_too_long", ""]


def test_an_unsafe_image_is_rejected():
    assert _judged("content_safety", [picture(), picture()], classifier=f"{__name__}:offence") == ["", "unsafe_image"]


def test_without_a_classifier_every_image_is_safe_and_the_log_says_so_once(caplog):
    rule = make("content_safety")
    with caplog.at_level(logging.WARNING):
        judged = judge(rule, batch(["A dog."]), batch(["A cat."]))
    assert [one.reasons for one in judged] == [[""], [""]]
    assert len([record for record in caplog.records if "content_safety" in record.message]) == 1


@pytest.mark.parametrize("name", ["no.such.module:function", "photocritic.params:no_such", "photocritic.params"])
def test_a_classifier_that_cannot_be_imported_is_named(name):
    with pytest.raises(ParamsError, match=r"content_safety\.classifier"):
        _judged("content_safety", [picture()], classifier=name)


def test_a_classifier_must_answer_for_every_image():
    with pytest.raises(ParamsError, match="0 values for 1 images"):
        _judged("content_safety", [picture()], classifier=f"{__name__}:too_few")


def test_a_text_must_name_what_the_image_shows():
    known = [picture(labels=["dogs", "grass"]), picture(labels=["running_track"]), picture(labels=["airplane"])]
    texts = ["A dog on a meadow.", "The man runs.", "A bowl of soup."]
    assert _judged("image_text", known, texts) == ["", "", "no_label_in_text"]


def test_stop_words_are_no_overlap():
    assert _judged("image_text", [picture(labels=["the who"])], ["The band that everybody knows."]) == [""]
    assert _judged("image_text", [picture(labels=["the band"])], ["The soup."]) == ["no_label_in_text"]


def test_images_without_labels_pass_and_the_log_says_so(caplog):
    with caplog.at_level(logging.WARNING):
        assert _judged("image_text", [picture()], ["A bowl of soup."]) == [""]
    assert "no labels" in caplog.text


def test_labels_may_come_from_a_classifier():
    texts = ["A dog on a meadow.", "A bowl of soup."]
    reasons = _judged("image_text", [picture(), picture()], texts, classifier=f"{__name__}:dogs")
    assert reasons == ["", "no_label_in_text"]

"""What is read out of a request's body, and why a body is refused."""

import json

import pytest

from photocritic.core.errors import ParamsError
from photocritic.serving.requests import Limits, read_images
from photocritic.web import Refusal
from tests.serving.payloads import BODIES, FORMS, photograph, rows

LIMITS = Limits(max_images=100)


def encoded(body):
    return body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()


@pytest.mark.parametrize("form", FORMS)
def test_the_images_of_every_form_are_found(form):
    one = photograph()
    found = read_images(encoded(FORMS[form](one)), LIMITS)
    assert ["".join(text.split()) for text in found] == [one, one]


def test_a_column_of_one_text_is_one_image_and_a_byte_order_mark_is_ignored():
    assert read_images(b'\xef\xbb\xbf{"inputs": {"image": "AAAA", "id": 7}}', LIMITS) == ["AAAA"]


@pytest.mark.parametrize("kind", BODIES)
def test_every_other_body_is_refused_with_the_reason(kind):
    body, status, words = BODIES[kind]
    with pytest.raises(Refusal) as refused:
        read_images(encoded(body), LIMITS)
    assert refused.value.status == status
    assert words in str(refused.value)


@pytest.mark.parametrize("name", ["{}", "{reason}", "\ud800", "\x1b[31m", "%s", "x" * 10**4])
def test_names_in_a_body_are_repeated_as_they_are_and_in_short(name):
    with pytest.raises(Refusal, match="no column 'image'; it has '") as refused:
        read_images(encoded({"instances": [{name: "AAAA"}]}), LIMITS)
    assert len(str(refused.value)) < 200
    assert "\x1b" not in str(refused.value)


def test_the_limit_is_on_the_images_of_a_request():
    assert len(read_images(encoded(rows(*["AAAA"] * 100)), LIMITS)) == 100


@pytest.mark.parametrize("config", [{"max_images": 0}, {"max_pixels": "many"}, {"max_image": 3}])
def test_limits_that_cannot_be_are_refused(config):
    with pytest.raises(ParamsError, match="limits of the served model"):
        Limits.of(config)

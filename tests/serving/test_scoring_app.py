"""The champion behind `photocritic serve`: what it answers, and what it refuses with which reason."""

import asyncio
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from photocritic.core.errors import TrackingError
from photocritic.serving.requests import Limits
from photocritic.serving.scoring_app import application, serve
from photocritic.tracking import mlflow_store
from tests.serving.payloads import BODIES, FORMS, blank, file, photograph, refused, rows, text, turned

pytestmark = pytest.mark.xdist_group("served")


@pytest.fixture(scope="module", autouse=True)
def patched():
    """Leave the networks as they are: another process reads them."""


@pytest.mark.parametrize("form", FORMS)
def test_every_form_that_mlflow_knows_is_answered_with_captions_topics_and_scores(ask, form):
    answer = ask(FORMS[form](photograph()), {"content-type": "application/json; charset=utf-8"})
    assert answer.status_code == 200, answer.text
    predictions = answer.json()["predictions"]
    assert len(predictions) == 2
    assert [one["caption"] for one in predictions] == ["white"] * 2
    assert predictions[0]["topics"] == predictions[1]["topics"]
    assert predictions[0]["logprob"] <= 0.0
    assert sum(one["share"] for one in predictions[0]["topics"]) == pytest.approx(1.0, abs=1e-3)
    assert {one["terms"] for one in predictions[0]["topics"]} == {"dusk"}


def test_many_images_of_many_formats_are_answered_in_their_order(ask):
    kinds = [
        photograph("PNG", "L"),
        photograph("PNG", "I;16"),
        photograph("PNG", "RGBA"),
        photograph("GIF", "P"),
        photograph("WEBP"),
        photograph("TIFF"),
        photograph("BMP"),
        photograph("JPEG", "CMYK"),
        turned(),
    ]
    answer = ask(rows(*kinds, *[photograph()] * 23))
    assert answer.status_code == 200, answer.text
    alone = [ask(rows(kind)).json()["predictions"][0]["topics"][0]["share"] for kind in kinds]
    assert [one["topics"][0]["share"] for one in answer.json()["predictions"]][:9] == pytest.approx(alone, abs=2e-4)


def test_requests_at_the_same_time_do_not_disturb_each_other(ask):
    kinds = [photograph(size=(32 + 16 * n, 32)) for n in range(4)]
    one_by_one = [ask(rows(kind)).json() for kind in kinds]
    with ThreadPoolExecutor(4) as pool:
        at_once = [answer.json() for answer in pool.map(lambda n: ask(rows(kinds[n % 4])), range(12))]
    assert at_once == one_by_one * 3


IMAGES = {
    "no base64": ("@@@@", "not base64"),
    "an incomplete one": (photograph()[:-3], "not base64"),
    "a data address": ("data:image/jpeg;base64," + photograph(), "not base64"),
    "a truncated file": (text(file()[:-40]), "unreadable image: "),
    "a text": (text(b"a text"), "unreadable image: not a known image format"),
    "an empty text": ("", "unreadable image: empty file"),
    "a program": (text(file("EPS")), "unreadable image: not a known image format (known are JPEG, "),
    "too many pixels": (blank(9000), "9000 x 9000 pixels are more than 64,000,000"),
    "a bomb": (blank(20_000), "image too large: more than 89,000,000 pixels"),
    "null": (None, "null where base64 text is wanted"),
    "a number": (7, "a number where"),
    "a list": ([photograph()], "a list where"),
    "an object": ({"b64": photograph()}, "an object where"),
    "other letters": ("ü", "not base64"),
    "half a character": ("\ud800", "not base64"),
}


@pytest.mark.parametrize("kind", IMAGES)
def test_a_broken_image_is_named(ask, kind):
    content, words = IMAGES[kind]
    refused(ask(rows(photograph(), content, photograph())), 400, "image 2 of 3: ")
    refused(ask({"inputs": {"image": [content]}}), 400, words)


@pytest.mark.parametrize("kind", BODIES)
def test_what_is_not_asked_as_it_should_be_gets_the_reason(ask, kind):
    body, status, words = BODIES[kind]
    refused(ask(body), status, words)


KINDS = {
    "none": {},
    "text": {"content-type": "text/plain"},
    "CSV": {"content-type": "text/csv"},
    "Parquet": {"content-type": "application/vnd.apache.parquet"},
    "an image": {"content-type": "image/jpeg"},
    "a form": {"content-type": "multipart/form-data; boundary=x"},
    "Latin-1": {"content-type": "application/json; charset=latin-1"},
    "packed": {"content-type": "application/json", "content-encoding": "gzip"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_another_kind_of_body_is_refused(ask, kind):
    refused(ask("a text file,\nwhatever its name is\n", KINDS[kind]), 415, "")


def answer(predict, seconds=60.0, path="/invocations"):
    """Give what an application with a model of one function answers to a good request."""

    async def act():
        transport = httpx.ASGITransport(application(predict, Limits(), seconds), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.post(path, json=rows(photograph()))

    return asyncio.run(act())


def test_an_error_of_the_models_is_not_shown():
    def fail(_):
        raise RuntimeError("a secret")

    refused(answer(fail), 500, "the server failed at this request")
    assert "secret" not in answer(fail).text


def test_an_answer_that_takes_too_long_is_not_waited_for():
    event = threading.Event()
    reply = answer(lambda _: event.wait(2), seconds=0.05)  # the loop waits for its thread before it closes
    event.set()
    refused(reply, 504, "no answer within 0.05 seconds")


def test_other_addresses_are_refused_in_the_same_form():
    refused(answer(None, path="/elsewhere"), 404, "Not Found")
    refused(answer(None, path="/ping"), 405, "Method Not Allowed")


def test_nothing_is_served_where_there_is_no_such_model(empty_store, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.setattr(mlflow_store, "STORE", tmp_path / "mlruns")
    with pytest.raises(TrackingError, match="no model here yet"):
        serve("models:/photocritic@champion", port=0)
    shutil.copytree(empty_store, tmp_path / "mlruns")
    with pytest.raises(TrackingError, match="models:/photocritic@champion: "):
        serve("models:/photocritic@champion", port=0)

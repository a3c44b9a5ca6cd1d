"""The model behind the registry: what it answers, and what it refuses."""

import base64
import io
import sys
from types import SimpleNamespace

import pandas as pd
import pytest
from mlflow.exceptions import MlflowException
from PIL import Image

from photocritic.captioning import CaptioningPipeline
from photocritic.core.errors import TrackingError, TrainingError
from photocritic.serving.pyfunc import ARTIFACT, MLFLOW_SERVER, UNGUARDED, PhotocriticModel, example, signature
from tests.images.files import DDS


@pytest.fixture
def folder(house, tmp_path):
    """Save the captioner that predicts white."""
    pipeline = CaptioningPipeline.from_pretrained(house.trained.pipelines / "white")
    pipeline.save_pretrained(tmp_path / "packed")
    return tmp_path / "packed"


@pytest.fixture
def model(folder):
    """Give the model as MLflow loads it."""
    loaded = PhotocriticModel()
    loaded.load_context(SimpleNamespace(artifacts={ARTIFACT: str(folder)}, model_config=None))
    return loaded


def image(kind="PNG"):
    buffer = io.BytesIO()
    Image.new("RGB", (9, 7), "red").save(buffer, kind)
    return base64.b64encode(buffer.getvalue()).decode()


def blank(side):
    """Make a small file of many pixels."""
    buffer = io.BytesIO()
    Image.new("1", (side, side)).save(buffer, "PNG")
    return base64.b64encode(buffer.getvalue()).decode()


def test_the_pixels_of_a_request_are_counted_together_before_any_is_decoded(model):  # M17
    with pytest.raises(MlflowException) as error:
        model.predict(pd.DataFrame({"image": [blank(5_000), image(), blank(6_300)]}))
    assert error.value.message == (
        "image 3 of 3: with its 6300 x 6300 pixels the request has 64,690,063, more than 64,000,000: "
        "scale its images down, or send fewer"
    )
    assert error.value.get_http_status_code() == 400


def test_each_row_is_answered_in_its_order_and_the_example_is_a_request(model):
    answer = model.predict(pd.concat([example(), pd.DataFrame({"image": [image(), image("JPEG")]})]))
    assert list(answer.columns) == signature().outputs.input_names()
    assert list(answer["caption"]) == ["white"] * 3
    assert {one["terms"] for row in answer["topics"] for one in row} == {""}  # no list of topics was packed
    assert model.predict(pd.DataFrame({"image": []})).empty


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("@@@", "image 2 of 3: not base64"),
        (None, "image 2 of 3: not base64"),
        ("", "image 2 of 3: unreadable image: empty file"),
        (base64.b64encode(b"text").decode(), "image 2 of 3: unreadable image: not a known image format"),
        (image()[:60], "image 2 of 3: unreadable image: "),
        (
            base64.b64encode(DDS).decode(),
            "image 2 of 3: unreadable image: not a known",
        ),  # H4: Pillow raised what was not caught
    ],
)
def test_a_broken_image_is_the_requests_fault_and_named(model, text, words):
    with pytest.raises(MlflowException) as error:
        model.predict(pd.DataFrame({"image": [image(), text, image()]}))
    assert error.value.message.startswith(words)
    assert error.value.error_code == "INVALID_PARAMETER_VALUE"
    assert error.value.get_http_status_code() == 400


def test_the_settings_it_was_measured_with_are_packed_and_a_damaged_folder_is_named(folder):
    assert CaptioningPipeline.from_pretrained(folder).settings.decoding.max_length == 1
    (folder / "pipeline.json").write_text("{}")
    with pytest.raises(TrainingError, match=r"packed: damaged pipeline"):
        CaptioningPipeline.from_pretrained(folder)


def test_a_server_without_limits_gets_the_model_only_where_that_is_said(folder, monkeypatch):
    context = SimpleNamespace(artifacts={ARTIFACT: str(folder)}, model_config=None)
    monkeypatch.setitem(sys.modules, MLFLOW_SERVER, sys)
    with pytest.raises(TrackingError, match="use `photocritic serve`"):
        PhotocriticModel().load_context(context)
    monkeypatch.setenv(UNGUARDED, "1")
    PhotocriticModel().load_context(context)

"""The captioner as an MLflow model: photographs as base64 text in, captions out."""

import base64
import binascii
import io
import os
import sys
from pathlib import Path
from typing import Any

from mlflow.exceptions import MlflowException
from mlflow.models import ModelSignature
from mlflow.protos.databricks_pb2 import INVALID_PARAMETER_VALUE
from mlflow.pyfunc.model import PythonModel
from mlflow.types import ColSpec, DataType, Schema
from mlflow.types.schema import Array, Object, Property
from pandas import DataFrame

from photocritic.captioning.inference import CaptioningPipeline
from photocritic.captioning.predictor import Caption
from photocritic.core.errors import TrackingError, UnreadableImage
from photocritic.images.decoding import Header
from photocritic.images.decoding_pool import shared
from photocritic.images.worker_main import Operation, Task
from photocritic.serving.requests import IMAGE, Limits

ARTIFACT = "captioner"  # the one artifact that the model reads
CODE = Path(__file__).with_name("model.py")  # what MLflow keeps instead of a pickle
MLFLOW_SERVER = "mlflow.pyfunc.scoring_server.app"  # the module that `mlflow models serve` serves
UNGUARDED = "PHOTOCRITIC_UNGUARDED"  # environment variable that allows that


class PhotocriticModel(PythonModel):
    """The model that `mlflow.pyfunc.load_model` returns."""

    def load_context(self, context: Any) -> None:
        """Load the captioner, onto the accelerator where there is one.

        Raises
        ------
        TrackingError
            MLflow's own server loads it, which has no limits.
        """
        if MLFLOW_SERVER in sys.modules and UNGUARDED not in os.environ:
            raise TrackingError(
                "MLflow's own server takes requests of any size and from any page: use `photocritic serve`, "
                f"or set {UNGUARDED}=1 where something before the server bounds them"
            )
        self._pipeline = CaptioningPipeline.from_pretrained(Path(context.artifacts[ARTIFACT]))
        self.limits = Limits.of(context.model_config)

    def predict(self, model_input: DataFrame) -> DataFrame:  # type: ignore[override]  # MLflow takes it without the rest
        """Caption photographs.

        Parameters
        ----------
        model_input : DataFrame
            The column `image`: an image file's content as base64 text, in one line or several, a row a photograph.

        Returns
        -------
        DataFrame
            `caption`; `logprob`, the natural logarithm of its probability; and `topics`, a list of the photograph's
            likeliest ones (`topic`, `share`, `terms`), empty where its network knows none.

        Raises
        ------
        MlflowException
            INVALID_PARAMETER_VALUE: a row holds no readable image; the message names it.
        """
        texts = list(model_input[IMAGE])
        photographs = [_content(text, place, len(texts)) for place, text in enumerate(texts, 1)]
        self._refuse_unreadable(photographs)
        captions = self._pipeline.caption(photographs)
        return DataFrame(
            [_row(caption, place, len(texts)) for place, caption in enumerate(captions, 1)],
            columns=["caption", "logprob", "topics"],
        )

    def _refuse_unreadable(self, photographs: list[bytes]) -> None:
        """Raise where a header is damaged or promises too many pixels, before any photograph is decoded."""
        pixels = 0
        headers = shared().map(photographs, lambda content: content, Task(Operation.MEASURE))
        for place, found in enumerate(headers, 1):
            if isinstance(found.answer, UnreadableImage):
                raise _refusal(place, len(photographs), str(found.answer))
            assert isinstance(found.answer, Header)
            pixels += found.answer.pixels
            if pixels > self.limits.max_pixels:
                raise _refusal(place, len(photographs), _too_many(found.answer, pixels, self.limits.max_pixels))


def signature() -> ModelSignature:
    """Return the columns that the model takes and returns."""
    topic = [
        Property("topic", DataType.long),
        Property("share", DataType.double),
        Property("terms", DataType.string),
    ]
    return ModelSignature(
        inputs=Schema([ColSpec(DataType.string, IMAGE)]),
        outputs=Schema(
            [
                ColSpec(DataType.string, "caption"),
                ColSpec(DataType.double, "logprob"),
                ColSpec(Array(Object(topic)), "topics"),
            ]
        ),
    )


def example() -> DataFrame:
    """Return a request with one small drawn image."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.linear_gradient("L").resize((32, 32)).convert("RGB").save(buffer, "PNG")
    return DataFrame({IMAGE: [base64.b64encode(buffer.getvalue()).decode()]})


def _content(text: str, place: int, total: int) -> bytes:
    """Return a photograph's bytes."""
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise _refusal(place, total, f"not base64 ({error})") from None
    except (TypeError, AttributeError):
        raise _refusal(place, total, "not base64 (no text)") from None


def _too_many(header: Header, pixels: int, most: int) -> str:
    size = f"{header.width} x {header.height} pixels"
    if header.pixels > most:
        return f"{size} are more than {most:,}: scale it down"
    return f"with its {size} the request has {pixels:,}, more than {most:,}: scale its images down, or send fewer"


def _row(caption: Caption, place: int, total: int) -> dict[str, Any]:
    if caption.problem:
        raise _refusal(place, total, caption.problem)
    return {"caption": caption.text, "logprob": caption.logprob, "topics": list(caption.topics)}


def _refusal(place: int, total: int, reason: str) -> MlflowException:
    return MlflowException(f"image {place} of {total}: {reason}", error_code=INVALID_PARAMETER_VALUE)

"""The captioner as an MLflow model: photographs as base64 text in, captions out."""

import base64
import binascii
import io
from pathlib import Path
from typing import Any

from mlflow.exceptions import MlflowException
from mlflow.models import ModelSignature
from mlflow.protos.databricks_pb2 import INVALID_PARAMETER_VALUE
from mlflow.pyfunc.model import PythonModel
from mlflow.types import ColSpec, DataType, Schema
from mlflow.types.schema import Array, Object, Property
from pandas import DataFrame

from photocritic.serving.bundle import Answer, Speaker, unpack

IMAGE, ARTIFACT = "image", "captioner"  # the one column asked for, and the one artifact
CODE = Path(__file__).with_name("model.py")  # what MLflow keeps instead of a pickle


class PhotocriticModel(PythonModel):
    """What `mlflow.pyfunc.load_model` gives."""

    def load_context(self, context: Any) -> None:
        """Read the captioner, onto the accelerator where there is one."""
        self._speaker: Speaker = unpack(Path(context.artifacts[ARTIFACT]))

    def predict(self, model_input: DataFrame) -> DataFrame:  # type: ignore[override]  # MLflow takes it without the rest
        """Caption photographs.

        Parameters
        ----------
        model_input : DataFrame
            The column `image`: an image file's content as base64 text, a row a photograph.

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
        answers = self._speaker.ask(photographs)
        return DataFrame(
            [_row(answer, place, len(texts)) for place, answer in enumerate(answers, 1)],
            columns=["caption", "logprob", "topics"],
        )


def signature() -> ModelSignature:
    """Give the columns that the model takes and gives."""
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
    """Give a request with one small drawn image."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.linear_gradient("L").resize((32, 32)).convert("RGB").save(buffer, "PNG")
    return DataFrame({IMAGE: [base64.b64encode(buffer.getvalue()).decode()]})


def _content(text: str, place: int, total: int) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, TypeError) as error:
        raise _refusal(place, total, f"not base64 ({error})") from None


def _row(answer: Answer, place: int, total: int) -> dict[str, Any]:
    if answer.caption is None:
        raise _refusal(place, total, answer.problem)
    return {"caption": answer.caption.text, "logprob": answer.caption.logprob, "topics": answer.topics}


def _refusal(place: int, total: int, reason: str) -> MlflowException:
    return MlflowException(f"image {place} of {total}: {reason}", error_code=INVALID_PARAMETER_VALUE)

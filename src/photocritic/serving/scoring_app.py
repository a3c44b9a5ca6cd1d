"""A registered model over HTTP: MLflow's scoring protocol with limits and plain errors, one request at a time."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

import mlflow
from fastapi import Depends, FastAPI, Request, Response
from mlflow.exceptions import MlflowException
from pandas import DataFrame
from pydantic import BaseModel

from photocritic.core import limits
from photocritic.core.errors import TrackingError
from photocritic.serving.pyfunc import PhotocriticModel
from photocritic.serving.request_queue import RequestQueue, weight
from photocritic.serving.requests import IMAGE, Limits, read_images
from photocritic.tracking.mlflow_store import is_there, using_this_store
from photocritic.web import App, Bodies, Bounded, Refusal, header, response
from photocritic.web import serve as serve_app

Predict = Callable[[DataFrame], DataFrame]


class Topic(BaseModel):
    """A topic of a photograph: its number, its share, and its likeliest terms."""

    topic: int
    share: float
    terms: str


class Prediction(BaseModel):
    """What the model returns for a photograph."""

    caption: str
    logprob: float
    topics: list[Topic]


class Predictions(BaseModel):
    """What the model returns for a request, in its order."""

    predictions: list[Prediction]


def serve(address: str, host: str = "127.0.0.1", port: int = 5001, seconds: float = 60.0) -> None:
    """Serve a registered model until interrupted or terminated.

    Parameters
    ----------
    address : str
        Of the model, such as models:/photocritic@champion.
    host, port : str, int
        Where to listen; port 0 takes a free one.
    seconds : float
        What an answer may take.

    Raises
    ------
    PhotocriticError
        There is no such model, or the address cannot be had.
    """
    model = _load(address)
    app = application(model.predict, model.unwrap_python_model().limits, seconds)
    serve_app(lambda _: app, host, port, lambda place: f"{address}: {place}invocations (Ctrl-C ends)", log=True)


def _load(address: str) -> Any:
    if not is_there():
        raise TrackingError("there is no model here yet; run the pipeline first (make run)")
    try:
        with using_this_store():
            model: Any = mlflow.pyfunc.load_model(address)
    except MlflowException as error:
        raise TrackingError(f"{address}: {' '.join(error.message.split())}") from None
    if not isinstance(model.unwrap_python_model(), PhotocriticModel):
        raise TrackingError(f"{address}: not a captioner of this project, which `photocritic promote` registers")
    return model


def application(predict: Predict, most: Limits, seconds: float) -> App:
    """Return the web application of a model, which bounds its requests.

    Parameters
    ----------
    predict : callable
        As `PhotocriticModel.predict`.
    most : Limits
        What one request may ask for.
    seconds : float
        What an answer may take.
    """
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)  # FastAPI's pages load scripts from the network
    _add_errors(app)
    _add_status(app)
    _add_invocations(app, predict, most, seconds)
    together = max(limits.BODIES_BYTES, 2 * most.max_body_bytes)
    return Bounded(app, Bodies(most.max_body_bytes, together, hint="send fewer or smaller images a request"))


def _add_status(app: FastAPI) -> None:
    @app.get("/ping")
    @app.get("/health")
    def health() -> Response:
        return Response("\n", media_type="application/json")

    @app.get("/version")
    def version() -> Response:
        return Response(mlflow.__version__, media_type="application/json")


def _add_invocations(app: FastAPI, predict: Predict, most: Limits, seconds: float) -> None:
    queue = RequestQueue()

    async def read(request: Request) -> tuple[list[str], float]:
        _check_kind(request)
        return await asyncio.to_thread(_understand, await request.body(), most)

    @app.post("/invocations")
    async def invocations(request: Annotated[tuple[list[str], float], Depends(read)]) -> Predictions:
        images, weighs = request
        async with queue.turn(weighs):
            try:
                answer = asyncio.to_thread(predict, DataFrame({IMAGE: images}))
                frame = await asyncio.wait_for(answer, seconds)
            except TimeoutError:
                raise Refusal(504, f"no answer within {seconds:g} seconds: send fewer or smaller images") from None
        return Predictions.model_validate({"predictions": frame.to_dict("records")})


def _understand(body: bytes, most: Limits) -> tuple[list[str], float]:
    images = read_images(body, most)
    return images, weight(images)


def _check_kind(request: Request) -> None:
    kind, _, rest = header(request.scope, b"content-type").partition(";")
    charset = rest.partition("charset=")[2].strip(' "') or "utf-8"
    if kind.strip() != "application/json":
        found = f"'{kind.strip()[:80]}'" if kind.strip() else "nothing"
        raise Refusal(415, f"the Content-Type must be application/json, images in it as base64; it says {found}")
    if charset not in {"utf-8", "utf8", "us-ascii"}:
        raise Refusal(415, f"the body must be UTF-8, not '{charset[:80]}'")
    if header(request.scope, b"content-encoding") not in {"", "identity"}:
        raise Refusal(415, "a body with a Content-Encoding is not understood: send it as it is")


def _add_errors(app: FastAPI) -> None:
    """Answer every error in the one form, without a traceback: uvicorn writes that to the log."""

    @app.exception_handler(Refusal)
    def refused(_: Request, error: Refusal) -> Response:
        return response(error)

    @app.exception_handler(404)
    @app.exception_handler(405)
    def unknown(_: Request, error: Any) -> Response:
        return response(Refusal(error.status_code, error.detail), error.headers)

    @app.exception_handler(MlflowException)
    def unanswerable(_: Request, error: MlflowException) -> Response:
        if error.error_code != "INVALID_PARAMETER_VALUE":
            raise error
        return response(Refusal(400, error.message))

    @app.exception_handler(Exception)
    def failed(_: Request, __: Exception) -> Response:
        return response(Refusal(500, "the server failed at this request; its log has the reason"))

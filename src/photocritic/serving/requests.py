"""What a request to the served model may be: JSON of bounded size, in a form of MLflow's, with base64 texts in it."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, NoReturn

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    model_validator,
)

from photocritic.config import Block, Positive
from photocritic.core import limits
from photocritic.core.errors import ParamsError
from photocritic.core.nesting import is_too_deep
from photocritic.web import Refusal

IMAGE = "image"  # the one column asked for
FORMS = ("dataframe_split", "dataframe_records", "inputs", "instances")  # MLflow's
_KINDS = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
_SHOWN = 20  # names, and characters of each, that an error repeats
_MARKS = 16  # commas and opening brackets that a photograph's row may have, other columns included; base64 has none


class Limits(Block):
    """What one request may ask for; MLflow keeps them as the model's configuration.

    Attributes
    ----------
    max_body_bytes : int
        Bytes of the request's body.
    max_images : int
        Photographs in it.
    max_pixels : int
        Width times height of all photographs together.
    """

    max_body_bytes: Positive = limits.REQUEST_BYTES
    max_images: Positive = limits.REQUEST_IMAGES
    max_pixels: Positive = limits.REQUEST_PIXELS

    @classmethod
    def of(cls, config: Mapping[str, Any] | None) -> "Limits":
        """Return the limits of a model's configuration.

        Raises
        ------
        ParamsError
            A limit is unknown or no positive number.
        """
        try:
            return cls.model_validate(dict(config or {}))
        except ValidationError as error:
            raise ParamsError(f"limits of the served model: {' '.join(str(error).split())}") from None


class Row(BaseModel):
    """A photograph; other columns are ignored."""

    image: Any


def _read_split(value: Any) -> list[dict[str, Any]]:
    """Return the rows of a table that names its columns once."""
    columns, rows = (value.get("columns"), value.get("data")) if isinstance(value, dict) else (None, None)
    if not isinstance(columns, list) or not isinstance(rows, list):
        raise ValueError(f'dataframe_split must be {{"columns": ["{IMAGE}"], "data": [["..."], ...]}}')
    if columns.count(IMAGE) != 1:
        raise ValueError(f"dataframe_split must have one column '{IMAGE}'; {_names(columns)}")
    for place, row in enumerate(rows, 1):
        if not isinstance(row, list) or len(row) != len(columns):
            raise ValueError(f"row {place} of {len(rows)}: not a list of {len(columns)} values, one a column")
    return [{IMAGE: row[columns.index(IMAGE)]} for row in rows]


def _read_inputs(value: Any, info: ValidationInfo) -> Any:
    """Return the rows of a list of rows, of a list of texts, which is a single column, or of an object of columns."""
    if isinstance(value, dict):
        if IMAGE not in value:
            raise ValueError(f"{info.field_name} has no column '{IMAGE}'; {_names(value)}")
        value = value[IMAGE] if isinstance(value[IMAGE], list) else [value[IMAGE]]
        return [{IMAGE: one} for one in value]
    if isinstance(value, list):
        return [one if isinstance(one, dict) else {IMAGE: one} for one in value]
    return value


class Invocation(BaseModel):
    """A request in one of MLflow's forms; each is a list of rows once it has been validated."""

    model_config = ConfigDict(extra="forbid")

    dataframe_split: Annotated[list[Row], BeforeValidator(_read_split)] = []
    dataframe_records: list[Row] = []
    inputs: Annotated[list[Row], BeforeValidator(_read_inputs)] = []
    instances: Annotated[list[Row], BeforeValidator(_read_inputs)] = []
    params: Any = None

    @model_validator(mode="before")
    @classmethod
    def _refuse_other_forms(cls, value: Any) -> Any:
        named = [form for form in FORMS if form in value] if isinstance(value, dict) else []
        if len(named) != 1:
            raise ValueError(f"the body must be a JSON object with one of {', '.join(FORMS)}; {_names(value)}")
        if value.get("params"):
            raise ValueError("the model takes no params: leave them out")
        return value

    def images(self) -> list[Any]:
        """Return what is in the column, in the request's order."""
        return [row.image for form in FORMS for row in getattr(self, form)]


def _check_text(text: Any) -> str:
    if not isinstance(text, str):
        raise ValueError(f"{_kind(text)} where base64 text is wanted")
    if not text.isascii():
        raise ValueError("not base64 (characters beyond ASCII)")
    return text


_TEXTS = TypeAdapter(list[Annotated[str, BeforeValidator(_check_text)]])


def read_images(body: bytes, most: Limits) -> list[str]:
    """Read the photographs' base64 texts out of a request.

    Parameters
    ----------
    body : bytes
        The request's body.
    most : Limits
        How many there may be.

    Returns
    -------
    list of str
        A text a photograph, in the request's order; whether it is base64 of an image is the model's to find out.

    Raises
    ------
    Refusal
        The body is anything else.
    """
    if sum(body.count(mark) for mark in (b",", b"[", b"{")) > _MARKS * (most.max_images + 1):
        _refuse_number("far more values than images", most)
    document = _parse(body)
    try:
        images = Invocation.model_validate(document).images()
    except ValidationError as error:
        raise Refusal(400, _problem(error, document)) from None
    if not images:
        raise Refusal(400, "no image in the request: give at least one")
    if len(images) > most.max_images:
        _refuse_number(f"{len(images):,} images", most)
    try:
        return _TEXTS.validate_python(images)
    except ValidationError as error:
        first = error.errors()[0]
        place = int(first["loc"][0]) + 1
        raise Refusal(400, f"image {place} of {len(images)}: {first['ctx']['error']}") from None


def _parse(body: bytes) -> Any:
    try:
        text = body.decode("utf-8-sig")
        if is_too_deep(text):  # before Python reads it: how deeply that can nest depends on its version
            raise Refusal(400, f"the body is nested too deeply: send JSON of at most {limits.JSON_DEPTH} levels")
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise Refusal(400, f"the body is not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except UnicodeDecodeError:
        raise Refusal(400, "the body is not JSON: not UTF-8") from None
    except ValueError as error:
        raise Refusal(400, f"the body is not JSON: {error}") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def _problem(error: ValidationError, document: Any) -> str:
    """Return what pydantic found first, in a sentence that names the row."""
    first = error.errors()[0]
    if first["type"] == "value_error":
        return str(first["ctx"]["error"])
    form, *place = first["loc"]
    if first["type"] == "extra_forbidden":
        used = next(one for one in FORMS if one in document)
        return f"'{form}' beside '{used}' means nothing here: leave it out"
    if not place:
        return f"{form} must be a list, a row an image; it is {_kind(first['input'])}"
    row = f"row {int(place[0]) + 1} of {len(document[form])}"
    if first["type"] == "missing":
        return f"{row}: no column '{IMAGE}'; {_names(first['input'])}"
    return f'{row}: not an object such as {{"{IMAGE}": "..."}}'


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "a number")


def _names(value: Any) -> str:
    """List what an object or a list has, in short."""
    if not isinstance(value, dict | list):
        return f"it is {_kind(value)}"
    shown = ", ".join(f"'{str(name)[:_SHOWN]}'" for name in list(value)[:_SHOWN])
    return f"it has {shown or 'nothing'}"


def _refuse_number(found: str, most: Limits) -> NoReturn:
    raise Refusal(413, f"{found}: send at most {most.max_images} images a request, and nothing else in it")

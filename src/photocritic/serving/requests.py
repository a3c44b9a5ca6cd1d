"""What a request to the served model may be: JSON of bounded size, in a form of MLflow's, with base64 texts in it."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from pydantic import ValidationError

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
        """Read a model's configuration.

        Raises
        ------
        ParamsError
            A limit is unknown or no positive number.
        """
        try:
            return cls.model_validate(dict(config or {}))
        except ValidationError as error:
            raise ParamsError(f"limits of the served model: {' '.join(str(error).split())}") from None


def photographs(body: bytes, most: Limits) -> list[str]:
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
        A text a photograph, in the request's order; whether it is base64 of an image is for the model to tell.

    Raises
    ------
    Refusal
        The body is anything else.
    """
    if sum(body.count(mark) for mark in (b",", b"[", b"{")) > _MARKS * (most.max_images + 1):
        _refuse_number("far more values than images", most)
    texts = _texts(_document(body))
    if not texts:
        raise Refusal(400, "no image in the request: give at least one")
    if len(texts) > most.max_images:
        _refuse_number(f"{len(texts):,} images", most)
    return [_text(text, place, len(texts)) for place, text in enumerate(texts, 1)]


def canonical(texts: Iterable[str]) -> bytes:
    """Write photographs' texts as the request that MLflow reads the same way in every version."""
    return json.dumps({"dataframe_split": {"columns": [IMAGE], "data": [[text] for text in texts]}}).encode()


def _document(body: bytes) -> dict[str, Any]:
    try:
        text = body.decode("utf-8-sig")
        if is_too_deep(text):  # before Python reads it: how deeply that can nest depends on its version
            raise Refusal(400, f"the body is nested too deeply: send JSON of at most {limits.JSON_DEPTH} levels")
        read = json.loads(text, parse_constant=_no_number)
    except ValueError as error:  # any fault of JSON's or UTF-8's
        raise Refusal(400, f"the body is not JSON: {_fault(error)}") from None
    named = [form for form in FORMS if form in read] if isinstance(read, dict) else []
    if len(named) != 1:
        raise Refusal(400, f"the body must be a JSON object with one of {', '.join(FORMS)}; {_names(read)}")
    if unknown := set(read) - {named[0], "params"}:
        raise Refusal(400, f"'{min(unknown)}' beside '{named[0]}' means nothing here: leave it out")
    if read.get("params"):
        raise Refusal(400, "the model takes no params: leave them out")
    return {str(named[0]): read[named[0]]}


def _texts(document: Mapping[str, Any]) -> list[Any]:
    [(form, value)] = document.items()
    if form == "dataframe_split":
        return _of_split(value)
    if form == "dataframe_records" or not isinstance(value, dict):
        return _of_rows(form, value)
    if IMAGE not in value:
        raise Refusal(400, f"{form} has no column '{IMAGE}'; {_names(value)}")
    column = value[IMAGE]
    return column if isinstance(column, list) else [column]


def _of_split(value: Any) -> list[Any]:
    columns, rows = (value.get("columns"), value.get("data")) if isinstance(value, dict) else (None, None)
    if not isinstance(columns, list) or not isinstance(rows, list):
        raise Refusal(400, f'dataframe_split must be {{"columns": ["{IMAGE}"], "data": [["..."], ...]}}')
    if columns.count(IMAGE) != 1:
        raise Refusal(400, f"dataframe_split must have one column '{IMAGE}'; {_names(columns)}")
    for place, row in enumerate(rows, 1):
        if not isinstance(row, list) or len(row) != len(columns):
            raise Refusal(400, f"row {place} of {len(rows)}: not a list of {len(columns)} values, one a column")
    return [row[columns.index(IMAGE)] for row in rows]


def _of_rows(form: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise Refusal(400, f"{form} must be a list, a row an image; it is {_kind(value)}")
    plain = form != "dataframe_records"  # MLflow takes a list of texts as a single column
    for place, row in enumerate(value, 1):
        if isinstance(row, dict) and IMAGE not in row:
            raise Refusal(400, f"row {place} of {len(value)}: no column '{IMAGE}'; {_names(row)}")
        if not isinstance(row, dict) and not plain:
            raise Refusal(400, f'row {place} of {len(value)}: not an object such as {{"{IMAGE}": "..."}}')
    return [row[IMAGE] if isinstance(row, dict) else row for row in value]


def _text(text: Any, place: int, total: int) -> str:
    if not isinstance(text, str):
        raise Refusal(400, f"image {place} of {total}: {_kind(text)} where base64 text is wanted")
    if not text.isascii():
        raise Refusal(400, f"image {place} of {total}: not base64 (characters beyond ASCII)")
    return text


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "a number")


def _names(value: Any) -> str:
    """List what an object or a list has, in short."""
    if not isinstance(value, dict | list):
        return f"it is {_kind(value)}"
    shown = ", ".join(f"'{str(name)[:_SHOWN]}'" for name in list(value)[:_SHOWN])
    return f"it has {shown or 'nothing'}"


def _fault(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} (line {error.lineno}, column {error.colno})"
    return "not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def _refuse_number(found: str, most: Limits) -> NoReturn:
    raise Refusal(413, f"{found}: send at most {most.max_images} images a request, and nothing else in it")

"""What is wrong with a parameter, in one line that names the nearest valid key."""

import difflib
from typing import Any, get_args

from pydantic import BaseModel

MOST_SHOWN = 200  # characters of a value in a message
_DECODING = ("strategy", "beam", "groups", "diversity", "top_p", "temperature", "min_length", "max_length")
_MOVED = {
    **{f"evaluate.{key}": f"predict.{key}" for key in (*_DECODING, "length_penalty", "no_repeat_ngram", "batch_size")},
    "evaluate.split": "predict.split",
    "evaluate.on": "predict.on",
    "evaluate.gallery": "report.gallery",
    "evaluate.champion": "promote",
    "augment.classifier": "style_judges.classifier",
    "augment.classifier_epochs": "style_judges.epochs",
    "augment.classifier_learning_rate": "style_judges.learning_rate",
}  # the present names of version 0.1's keys


def explain(problem: Any, root: type[BaseModel]) -> str:
    """Return what is wrong with a key.

    Parameters
    ----------
    problem : dict
        One of pydantic's `errors()`.
    root : type of BaseModel
        The model that its location begins in.

    Returns
    -------
    str
        The key's path, what is wrong, and for an unknown key the nearest valid one.
    """
    location = [str(part) for part in problem["loc"]]
    key = ".".join(location)
    if problem["type"] == "extra_forbidden":
        if key in _MOVED:
            return f"{key}: is {_MOVED[key]} now"
        near = difflib.get_close_matches(location[-1], _valid_names(root, location[:-1]), n=1, cutoff=0.0)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        return f"{key}: unknown key{hint}"
    message = str(problem["msg"]).removeprefix("Value error, ")
    if not key:
        return message
    got = repr(problem["input"])
    return f"{key}: {message} (got {got if len(got) <= MOST_SHOWN else got[:MOST_SHOWN] + '...'})"


def _valid_names(root: type[BaseModel], parents: list[str]) -> list[str]:
    model = root
    for parent in parents:
        if parent in model.model_fields:
            model = _section(model.model_fields[parent].annotation) or model
    return list(model.model_fields)


def _section(annotation: Any) -> type[BaseModel] | None:
    """Find the model that a field holds, or that the values of its dictionary are."""
    for kind in (annotation, *get_args(annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None

"""The perceptron's weights: whole multiples of 1/64, so that sums are exact in whatever order they are made."""

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

FILE = "perceptron.safetensors"
SCALE = 64  # units in 1.0; in NLTK's float64 such weights add up without rounding, so its tags must equal ours


class Weights(NamedTuple):
    """A perceptron as tables.

    Attributes
    ----------
    classes : list of str
        The tags, in descending order: among equal scores the first wins, which is NLTK's rule.
    rows : dict of str to int
        The row of each feature in `table`; row 0 is that of no feature and holds zeros.
    table : ndarray of int16, shape (rows, classes)
        Weights times `SCALE`.
    tagdict : dict of str to str
        Frequent words that have but one tag.
    """

    classes: list[str]
    rows: dict[str, int]
    table: NDArray[np.int16]
    tagdict: dict[str, str]

    def as_dicts(self) -> tuple[dict[str, dict[str, float]], dict[str, str], list[str]]:
        """Give weights, tag dictionary and classes as NLTK's ``PerceptronTagger.decode_json_params`` takes them."""
        names = list(self.rows)
        weights: dict[str, dict[str, float]] = defaultdict(dict)
        for row, column in zip(*np.nonzero(self.table), strict=True):
            weights[names[row - 1]][self.classes[column]] = int(self.table[row, column]) / SCALE
        return dict(weights), dict(self.tagdict), sorted(self.classes)


def save(weights: Weights, path: Path) -> None:
    """Write weights to a safetensors file; features without any weight must not be among them."""
    rows, columns = np.nonzero(weights.table)
    save_file(
        {
            "classes": _packed(weights.classes),
            "features": _packed(list(weights.rows)),
            "counts": np.bincount(rows, minlength=len(weights.table))[1:].astype(np.uint8),
            "columns": columns.astype(np.uint8),
            "values": weights.table[rows, columns],
            "tagdict.words": _packed(list(weights.tagdict)),
            "tagdict.tags": _packed(list(weights.tagdict.values())),
        },
        path,
    )


def load(path: Path) -> Weights:
    """Read what `save` wrote."""
    file = load_file(path)
    classes, features = _unpacked(file["classes"]), _unpacked(file["features"])
    table = np.zeros((len(features) + 1, len(classes)), np.int16)
    rows = np.repeat(np.arange(1, len(table)), file["counts"])
    table[rows, file["columns"]] = file["values"]
    tagdict = dict(zip(_unpacked(file["tagdict.words"]), _unpacked(file["tagdict.tags"]), strict=True))
    return Weights(classes, {name: row for row, name in enumerate(features, 1)}, table, tagdict)


def _packed(names: list[str]) -> NDArray[np.uint8]:
    """Put names, which hold no line feed, into bytes."""
    return np.frombuffer("\n".join(names).encode(), np.uint8)


def _unpacked(data: NDArray[np.uint8]) -> list[str]:
    return data.tobytes().decode().split("\n") if data.size else []

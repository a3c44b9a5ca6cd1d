"""The averaged perceptron: the features of NLTK's tagger, under its names, and their weights."""

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

FILE = "perceptron.safetensors"
# Units in 1.0, so that sums are exact in any order. In NLTK's float64 such weights add up without rounding, so its tags
# must equal ours.
SCALE = 64
PADS = ("-START-", "-START2-", "-END-", "-END2-")  # the two words before a text and the two after it, in this order
START_TAGS = ("-START-", "-START2-")  # the tags of the last word before a text, and of the one before that
POSITIONS = (0, -1, -2, 1, 2)  # a word as the one to tag, and as the neighbour that stands so many words off


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
        """Return weights, tag dictionary and classes as NLTK's ``PerceptronTagger.decode_json_params`` takes them."""
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
    """Load what `save` wrote."""
    file = load_file(path)
    classes, features = _unpacked(file["classes"]), _unpacked(file["features"])
    table = np.zeros((len(features) + 1, len(classes)), np.int16)
    rows = np.repeat(np.arange(1, len(table)), file["counts"])
    table[rows, file["columns"]] = file["values"]
    tagdict = dict(zip(_unpacked(file["tagdict.words"]), _unpacked(file["tagdict.tags"]), strict=True))
    return Weights(classes, {name: row for row, name in enumerate(features, 1)}, table, tagdict)


def _packed(names: list[str]) -> NDArray[np.uint8]:
    """Return names, which hold no line feed, as bytes."""
    return np.frombuffer("\n".join(names).encode(), np.uint8)


def _unpacked(data: NDArray[np.uint8]) -> list[str]:
    return data.tobytes().decode().split("\n") if data.size else []


def normalized(word: str) -> str:
    """Return a word's form as a neighbour: in lower case, with numbers and compounds replaced by a class."""
    if "-" in word and word[0] != "-":
        return "!HYPHEN"
    if word.isdigit() and len(word) == 4:
        return "!YEAR"
    return "!DIGITS" if word[0].isdigit() else word.lower()


def of_word(word: str) -> tuple[tuple[str, ...], ...]:
    """Return the features that depend on a word alone, for each of `POSITIONS`."""
    form = normalized(word)
    own = ("bias", f"i suffix {word[-3:]}", f"i pref1 {word[0]}", f"i word {form}")
    return own, *_of_neighbour(form)


def of_pad(pad: str) -> tuple[tuple[str, ...], ...]:
    """Return the features of a mark outside the text (`PADS`), which is never tagged itself."""
    return (), *_of_neighbour(pad)


def of_tags(previous: str, before: str) -> tuple[str, str, str]:
    """Return the features of the two tags before a word."""
    return f"i-1 tag {previous}", f"i-2 tag {before}", f"i tag+i-2 tag {previous} {before}"


def of_tag_and_word(previous: str, form: str) -> str:
    """Return the feature of the tag before a word and the word's own normalized form."""
    return f"i-1 tag+i word {previous} {form}"


def _of_neighbour(form: str) -> tuple[tuple[str, ...], ...]:
    ending = form[-3:]
    return (
        (f"i-1 word {form}", f"i-1 suffix {ending}"),
        (f"i-2 word {form}",),
        (f"i+1 word {form}", f"i+1 suffix {ending}"),
        (f"i+2 word {form}",),
    )

"""Photographs with their captions, as pictures for MLflow."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from photocritic.evaluation.evaluation_set import EvaluationExample
from photocritic.evaluation.measure import Floats
from photocritic.evaluation.predictions import Prediction
from photocritic.images import decoding
from photocritic.images.shards import read_images
from photocritic.metrics.columns import label
from photocritic.report.figures import colours, look

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EACH = 4  # photographs of the best, the middle and the worst
SIDE = 512  # pixels of a photograph's longer side
_QUALITY = 85
_LINE = 0.19  # inches from one line of text to the next
_WIDTH = 74  # letters of a line
_REFERENCES = 3  # of an image that are shown

Line = tuple[str, str, str]  # text, colour, weight


def captioned(
    examples: Sequence[EvaluationExample],
    predictions: Mapping[str, Sequence[Prediction]],
    scores: Mapping[str, Floats],
    shards: Path,
    ranked: Floats,
) -> dict[str, "Figure"]:
    """Draw some photographs with every variant's caption beside them.

    Parameters
    ----------
    examples : sequence of EvaluationExample
        The N images.
    predictions, scores : mapping
        By variant, in the order of the images: the captions and their CIDEr-D.
    shards : Path
        Where the images' bytes are.
    ranked : ndarray, shape (N,)
        What the best, the middle and the worst are by.

    Returns
    -------
    dict of str to Figure
        By name: `best_1` the very best, `median_1`..., `worst_1` the very worst.
    """
    chosen = _chosen(ranked)
    ones = [examples[place] for place in chosen.values()]
    images = read_images([one.path for one in ones], shards, [one.sha256 for one in ones])
    return {
        name: _drawn(data, examples[place], [*_captions(predictions, scores, place), *_written(examples[place])])
        for (name, place), data in zip(chosen.items(), images, strict=True)
    }


def _chosen(ranked: Floats) -> dict[str, int]:
    """Name images by their rank; none stands under two names."""
    order = np.argsort(-ranked, kind="stable").tolist()
    each = max(1, min(EACH, len(order) // 3))
    middle = (len(order) - each) // 2
    groups = {"best": order[:each], "worst": order[::-1][:each], "median": order[middle : middle + each]}
    names: dict[int, str] = {}
    for group, places in groups.items():
        for rank, place in enumerate(places, 1):
            names.setdefault(place, f"{group}_{rank}")
    return {name: place for place, name in sorted(names.items(), key=lambda item: item[1])}


def _captions(
    predictions: Mapping[str, Sequence[Prediction]], scores: Mapping[str, Floats], place: int
) -> Iterator[Line]:
    for name, colour in colours(list(predictions)).items():
        yield f"{name}   {label('cider_d')} {scores[name][place]:.3f}", colour, "bold"
        for line in _wrapped(predictions[name][place].text or "(nothing)"):
            yield line, "#24292e", "normal"


def _written(example: EvaluationExample) -> Iterator[Line]:
    yield f"what people wrote ({len(example.texts)})", "#6a737d", "bold"
    for text in example.texts[:_REFERENCES]:
        for line in _wrapped(text):
            yield line, "#6a737d", "normal"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, max_lines=3, placeholder=" …")


def _drawn(data: bytes, example: EvaluationExample, lines: Sequence[Line]) -> "Figure":
    from matplotlib.figure import Figure

    height = max(3.4, (len(lines) + 2) * _LINE)
    with look():
        figure = Figure(figsize=(10.0, height))
        axes = figure.add_axes((0.01, 0.02, 0.42, 0.9), anchor="N")
        axes.imshow(np.asarray(decoding.decode(decoding.thumbnail(data, SIDE, _QUALITY))))
        axes.set_axis_off()
        figure.text(0.01, 1 - 0.7 * _LINE / height, example.image_id, va="center", color="#6a737d")
        for number, (text, colour, weight) in enumerate(lines, 1):
            figure.text(0.45, 1 - (number + 0.5) * _LINE / height, text, va="center", color=colour, weight=weight)
    return figure

"""The predictions table: every variant's caption of every held-back image, those of validation included."""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from photocritic import tables
from photocritic.config import HOME, Params
from photocritic.core.errors import PhotocriticError
from photocritic.core.files import atomic_dir
from photocritic.evaluation.evaluation_set import EvaluationExample
from photocritic.text import caption_tokens

TABLE = "predictions.parquet"
ELSEWHERE = "elsewhere"  # folder of what is predicted on another corpus
TRAINING = "training.json"  # how what has made the predictions was trained


@dataclass(frozen=True)
class Prediction:
    """A variant's caption of an image, its words as metrics see them, and its log-probability."""

    text: str
    tokens: tuple[str, ...]
    logprob: float


Training = dict[str, dict[str, dict[str, Any]]]  # by stage and item: its `metrics`, and the rows of its `curve`


def styled(variant: str, style: str) -> str:
    """Return the name of a variant's captions in a style; no variant has such a name."""
    return f"{variant}.{style}"


def is_styled(name: str) -> bool:
    """Return whether a name in the predictions table is one that `styled` made."""
    return "." in name


def save_predictions(path: Path, ids: Mapping[str, Sequence[str]], found: Mapping[str, Sequence[Prediction]]) -> int:
    """Write a predictions table.

    Parameters
    ----------
    path : Path
        The file.
    ids, found : mapping
        The images and the predictions of them, by variant or `styled(variant, style)`.

    Returns
    -------
    int
        Number of rows.
    """
    rows = [
        {"image_id": image_id, "variant": name, "caption": one.text, "logprob": one.logprob}
        for name, some in found.items()
        for image_id, one in zip(ids[name], some, strict=True)
    ]
    return tables.save("predictions", path, tables.from_rows("predictions", rows), rows=len(rows))


def collect(folder: Path, out: Path, params: Params) -> int:
    """Write the predictions of all variants into one table, and those on another corpus into another.

    Folders of variants that params.yaml does not list any more are removed, so that what an earlier run has left makes
    no difference; DVC's cache keeps a copy.

    Parameters
    ----------
    folder : Path
        Holds a folder of each variant, as `predict` writes it.
    out : Path
        Folder to write, laid out alike.
    params : Params
        The variants.

    Returns
    -------
    int
        Number of predictions on the corpus that was trained on.

    Raises
    ------
    PhotocriticError
        A variant's predictions are missing.
    """
    for leftover in folder.iterdir():
        if leftover.name not in params.compared and not leftover.name.startswith("."):
            shutil.rmtree(leftover)
    with atomic_dir(out) as written:
        count = _join([folder / name / TABLE for name in params.compared], written / TABLE)
        if params.predict.on != HOME:
            (written / ELSEWHERE).mkdir()
            _join([folder / name / ELSEWHERE / TABLE for name in params.compared], written / ELSEWHERE / TABLE)
        save_training(written, [load_training(folder / name) for name in params.compared])
    return count


def save_training(folder: Path, trainings: Sequence[Training]) -> None:
    """Write how networks and captioners were trained, put together."""
    whole: Training = {}
    for one in trainings:
        for stage, items in one.items():
            whole.setdefault(stage, {}).update(items)
    (folder / TRAINING).write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


def read_training(metrics: Path, plots: Path) -> dict[str, Any]:
    """Read how one item was trained: its numbers, and its learning curve where it has one."""
    curve = plots / "learning_curve.json"
    return {
        "metrics": json.loads(metrics.read_text(encoding="utf-8")),
        "curve": json.loads(curve.read_text(encoding="utf-8")) if curve.is_file() else [],
    }


def load_training(folder: Path) -> Training:
    """Read what `save_training` wrote.

    Raises
    ------
    PhotocriticError
        The file is missing or damaged.
    """
    try:
        found: Training = json.loads((folder / TRAINING).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PhotocriticError(f"{folder / TRAINING}: cannot be read ({error}); run predict again") from None
    return found


def _join(paths: Sequence[Path], out: Path) -> int:
    """Write some predictions tables as one: factual captions first, then style by style."""
    whole = pa.concat_tables([tables.load("predictions", path) for path in paths])
    names = list(dict.fromkeys(whole["variant"].to_pylist()))
    ordered = [name for name in names if not is_styled(name)]
    ordered += sorted((name for name in names if is_styled(name)), key=lambda name: name.partition(".")[2])
    ranks = pa.array([ordered.index(name) for name in whole["variant"].to_pylist()], pa.int64())
    rows = whole.append_column("rank", ranks).sort_by("rank").drop_columns("rank").combine_chunks()
    return tables.save("predictions", out, rows, rows=len(rows))


def load_predictions(path: Path) -> dict[str, dict[str, Prediction]]:
    """Read a predictions table.

    Returns
    -------
    dict of str to dict of str to Prediction
        By variant, or `styled(variant, style)`, and by image_id.
    """
    found: dict[str, dict[str, Prediction]] = {}
    for batch in tables.scan("predictions", path):
        for row in batch.to_pylist():
            one = Prediction(row["caption"], tuple(caption_tokens(row["caption"])), row["logprob"])
            found.setdefault(row["variant"], {})[row["image_id"]] = one
    return found


def predictions_of(
    found: Mapping[str, Mapping[str, Prediction]], name: str, examples: Sequence[EvaluationExample], path: Path
) -> list[Prediction]:
    """Return a variant's predictions of some images, in their order.

    Raises
    ------
    PhotocriticError
        An image has none.
    """
    known = found.get(name, {})
    missing = [example.image_id for example in examples if example.image_id not in known]
    if missing:
        raise PhotocriticError(
            f"{path}: no prediction of {name} for image '{missing[0]}' and {len(missing) - 1} others; run predict again"
        )
    return [known[example.image_id] for example in examples]

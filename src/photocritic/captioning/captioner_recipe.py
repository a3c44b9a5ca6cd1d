"""What all trainings of captioners share: their recipe and their outcome."""

from typing import TYPE_CHECKING

from photocritic.config import LstmTrainParams
from photocritic.core.outcome import Outcome
from photocritic.training.loop import History, Plan
from photocritic.training.recipe import Recipe

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def captioner_plan(
    label: str, params: LstmTrainParams, seed: int, epochs: int, batch_size: int, unit: str = "captions"
) -> Plan:
    """Return the plan of a captioner's training; `unit` names its examples."""
    return Plan(
        label,
        epochs,
        batch_size,
        seed,
        params.precision,
        params.grad_clip,
        params.grad_clip_by,
        accumulate=params.accumulate,
        average=params.average,
        unit=unit,
    )


def captioner_recipe(plan: Plan, params: LstmTrainParams) -> Recipe:
    """Return the recipe of the section lstm_train for a plan."""
    return Recipe(
        plan,
        params.learning_rate,
        optimizer=params.optimizer,
        weight_decay=params.weight_decay,
        schedule=params.schedule,
    )


def training_outcome(name: str, counts: dict[str, float], history: History) -> Outcome:
    """Put together the outcome of a variant's training.

    Parameters
    ----------
    name : str
        The variant.
    counts : dict of str to float
        What was learned from.
    history : History
        The course of the training.

    Returns
    -------
    Outcome
        The counts, `epochs`, `best_epoch` and the metrics of the weights that were kept; the learning curve.
    """
    metrics = {
        **counts,
        "epochs": len(history.epochs),
        "best_epoch": history.best_epoch,
        **{key: value for key, value in history.best.items() if key != "learning_rate"},
    }
    curve = history.rows()
    return Outcome(
        metrics={key: float(value) for key, value in metrics.items()},
        plots={"learning_curve": curve},
        figures={"learning_curve": _figure(name, curve)},
    )


def _figure(name: str, curve: list[dict[str, float]]) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 3.2), layout="constrained")
    axes = figure.add_subplot(xlabel="epoch", ylabel="nats a token", title=f"lstm_train {name}")
    _line(axes, curve, "train_loss", "training (smoothed, with dropout)", "C0")
    _line(axes, curve, "val_loss", "validation", "C1")
    axes.legend(loc="upper left")
    if any("val_cider_d" in row for row in curve):
        scores = axes.twinx()
        scores.set_ylabel("CIDEr-D")
        _line(scores, curve, "val_cider_d", "validation CIDEr-D", "C2")
        scores.legend(loc="lower right")
    return figure


def _line(axes: "Axes", curve: list[dict[str, float]], key: str, label: str, colour: str) -> None:
    points = [(row["epoch"], row[key]) for row in curve if key in row]
    if points:
        axes.plot(*zip(*points, strict=True), marker="o", label=label, color=colour)

"""What a stage's library function gives back besides the tables it wrote."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass
class Outcome:
    """Numbers and pictures of one stage, for DVC, MLflow and the report.

    Attributes
    ----------
    metrics : dict of str to float
        Final numbers by name (lower case, underscores).
    plots : dict of str to list of dict
        Data for `dvc plots`: the rows of each plot by the plot's name.
    figures : dict of str to matplotlib Figure
        Pictures for MLflow by file stem.
    """

    metrics: dict[str, float] = field(default_factory=dict)
    plots: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    figures: dict[str, "Figure"] = field(default_factory=dict)

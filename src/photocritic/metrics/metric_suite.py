"""The metrics by name, and what runs several on the same captions."""

from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Literal

from photocritic.core import plugins
from photocritic.core.errors import MetricError
from photocritic.metrics.metric import Captions, Metric, References, Scores

PURE = ("bleu", "rouge_l", "cider", "cider_d")  # need no Java
KEY = "evaluate.metrics"  # of params.yaml, which names metrics


def names() -> list[str]:
    """Return the names of all metrics, in the order of the tables."""
    return sorted(plugins.available("metric"), key=lambda name: (kind(name).place, name))


def kind(name: str) -> type[Metric]:
    """Return the class of a metric; raises ParamsError where there is none of this name."""
    found: type[Metric] = plugins.find("metric", name, KEY)
    return found


def get(name: str) -> Metric:
    """Make a metric by its name.

    Parameters
    ----------
    name : str
        As `names` lists it.

    Returns
    -------
    Metric
        Ready to score; close it afterwards.

    Raises
    ------
    ParamsError
        No metric has this name.
    MetricError
        What it needs is not installed.
    """
    if hint := missing(name):
        raise MetricError(f"{name}: not installed ({hint})")
    return kind(name)()


def missing(name: str) -> str:
    """Return what has to be installed before a metric can be made; empty where nothing is missing."""
    return kind(name).missing()


def choose(wanted: Literal["auto"] | Sequence[str]) -> list[str]:
    """Return the names of the metrics to use.

    Parameters
    ----------
    wanted : "auto" or sequence of str
        All that are installed, or these.

    Returns
    -------
    list of str
        In the order of the tables, each once.

    Raises
    ------
    ParamsError
        No metric has such a name.
    MetricError
        One that is wanted by name is not installed.
    """
    if wanted == "auto":
        return [name for name in names() if not missing(name)]
    for name in wanted:
        if hint := missing(name):
            raise MetricError(f"{KEY}: {name} is not installed ({hint}); or say auto, for what is installed")
    return sorted(set(wanted), key=lambda name: (kind(name).place, name))


class Suite:
    """Several metrics, made once for the captions of any number of captioners.

    Parameters
    ----------
    names : sequence of str
        Which metrics.

    Examples
    --------
    >>> with Suite(["bleu", "rouge_l"]) as suite:
    ...     suite.score(Captions([["a", "dog"]]), References([[["a", "dog"]]])).corpus["rouge_l"]
    1.0
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._metrics = [get(name) for name in names]

    def __enter__(self) -> "Suite":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with ExitStack() as stack:
            for metric in self._metrics:
                stack.callback(metric.close)

    def score(self, candidates: Captions, references: References) -> Scores:
        """Score captions with every metric; the counting is shared.

        Parameters
        ----------
        candidates : Captions
            One an image.
        references : References
            Of the same images.

        Returns
        -------
        Scores
            The keys of all the metrics together.
        """
        result = Scores({}, {})
        for metric in self._metrics:
            part = metric.score(candidates, references)
            result.corpus.update(part.corpus)
            result.per_image.update(part.per_image)
        return result


def score(candidates: Captions, references: References, names: Sequence[str] = PURE) -> Scores:
    """Score the captions of one captioner with several metrics; by default those that need no Java."""
    with Suite(names) as suite:
        return suite.score(candidates, references)

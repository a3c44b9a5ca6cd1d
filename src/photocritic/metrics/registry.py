"""The metrics by name, and what runs several on the same captions."""

from collections.abc import Sequence
from contextlib import ExitStack
from importlib import import_module
from types import TracebackType
from typing import Literal

from photocritic.core.errors import MetricError, ParamsError
from photocritic.metrics.contract import Captions, Metric, References, Scores

# A metric is imported when it is asked for: some need heavy parts.
_METRICS = {
    "bleu": "photocritic.metrics.bleu:Bleu",
    "rouge_l": "photocritic.metrics.rouge:RougeL",
    "cider": "photocritic.metrics.cider:Cider",
    "cider_d": "photocritic.metrics.cider_d:CiderD",
    "meteor": "photocritic.metrics.meteor:Meteor",
    "spice": "photocritic.metrics.spice:Spice",
}
NAMES = tuple(_METRICS)
PURE = ("bleu", "rouge_l", "cider", "cider_d")  # need no Java


def get(name: str) -> Metric:
    """Make a metric by its name.

    Parameters
    ----------
    name : str
        One of `NAMES`.

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
    return _kind(name)()


def missing(name: str) -> str:
    """Say what has to be installed before a metric can be made; empty where nothing is missing."""
    return _kind(name).missing()


def choose(wanted: Literal["auto"] | Sequence[str]) -> list[str]:
    """Give the names of the metrics to use.

    Parameters
    ----------
    wanted : "auto" or sequence of str
        All that are installed, or these.

    Returns
    -------
    list of str
        In the order of `NAMES`, each once.

    Raises
    ------
    ParamsError
        No metric has such a name.
    MetricError
        One that is wanted by name is not installed.
    """
    if wanted == "auto":
        return [name for name in NAMES if not missing(name)]
    for name in wanted:
        if hint := missing(name):
            raise MetricError(f"evaluate.metrics: {name} is not installed ({hint}); or say auto, for what is installed")
    return [name for name in NAMES if name in wanted]


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


def _kind(name: str) -> type[Metric]:
    if name not in _METRICS:
        raise ParamsError(f"no metric is called '{name}'; known are {', '.join(NAMES)}")
    module, attribute = _METRICS[name].split(":")
    kind: type[Metric] = getattr(import_module(module), attribute)
    return kind

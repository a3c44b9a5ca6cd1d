"""The metrics by name, and the one call that runs several on the same captions."""

from collections.abc import Sequence
from importlib import import_module

from photocritic.errors import ParamsError
from photocritic.metrics.contract import Captions, Metric, References, Scores

# A metric is imported when it is asked for: some need heavy parts.
_METRICS = {
    "bleu": "photocritic.metrics.bleu:Bleu",
    "rouge_l": "photocritic.metrics.rouge:RougeL",
    "cider": "photocritic.metrics.cider:Cider",
    "cider_d": "photocritic.metrics.cider_d:CiderD",
}
NAMES = tuple(_METRICS)


def get(name: str) -> Metric:
    """Make a metric by its name.

    Parameters
    ----------
    name : str
        One of `NAMES`.

    Returns
    -------
    Metric
        Ready to score.

    Raises
    ------
    ParamsError
        No metric has this name.
    """
    if name not in _METRICS:
        raise ParamsError(f"no metric is called '{name}'; known are {', '.join(NAMES)}")
    module, attribute = _METRICS[name].split(":")
    metric: Metric = getattr(import_module(module), attribute)()
    return metric


def score(candidates: Captions, references: References, names: Sequence[str] = NAMES) -> Scores:
    """Score captions with several metrics; the counting is shared.

    Parameters
    ----------
    candidates : Captions
        One an image.
    references : References
        Of the same images.
    names : sequence of str
        Which metrics; all by default.

    Returns
    -------
    Scores
        The keys of all the metrics together.
    """
    result = Scores({}, {})
    for name in names:
        part = get(name).score(candidates, references)
        result.corpus.update(part.corpus)
        result.per_image.update(part.per_image)
    return result

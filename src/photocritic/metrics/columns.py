"""How numbers are written, explained and compared: what the metrics and the measures of diversity say of themselves."""

from photocritic.metrics import diversity
from photocritic.metrics.metric import Column
from photocritic.metrics.metric_suite import kind, names


def headline() -> list[str]:
    """Return the keys of the main table, in its order, whether or not they can be measured here."""
    return [key for name in names() for key, column in kind(name).columns.items() if column.headline]


def column(key: str) -> Column:
    """Return how a number is shown; one that nobody knows is written as its key, without an explanation."""
    known = (kind(name).columns for name in names())
    found = next((columns[key] for columns in (*known, diversity.COLUMNS) if key in columns), None)
    return found or Column(key.replace("_", " "), headline=False)


def label(key: str) -> str:
    """Return a number's name as the field writes it: bleu_4 becomes BLEU-4."""
    return column(key).label


def best(key: str, values: list[float]) -> float | None:
    """Return the best of some numbers of one kind; None where none is better than the others."""
    if column(key).better == "neither" or len(set(values)) < 2:
        return None
    return max(values, key=lambda value: goodness(key, value))


def goodness(key: str, value: float) -> float:
    """Return a value by which numbers of one kind can be compared: the higher, the better."""
    return -value if column(key).better == "lower" else value

"""One logging setup and one kind of progress bar for the command, the stages and the flows."""

import logging
import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def setup(level: str = "INFO") -> None:
    """Send photocritic's log to stderr, pretty on a terminal and plain elsewhere.

    Parameters
    ----------
    level : str
        A level name of the logging module.
    """
    from rich.logging import RichHandler

    handler: logging.Handler
    if sys.stderr.isatty():
        handler = RichHandler(show_path=False, rich_tracebacks=False)
        handler.setFormatter(logging.Formatter("%(message)s"))
    else:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger("photocritic")
    logger.handlers[:] = [handler]
    logger.setLevel(level)
    logger.propagate = False


def progress(items: Iterable[Item], label: str, total: int | None = None) -> Iterator[Item]:
    """Iterate with a progress bar on a terminal, and silently elsewhere.

    Parameters
    ----------
    items : iterable
        What to iterate over.
    label : str
        What is being done, shown beside the bar.
    total : int, optional
        Number of items, where it is known.

    Yields
    ------
    Item
        The items, unchanged.
    """
    from rich.console import Console
    from rich.progress import track

    yield from track(
        items,
        label,
        total=total,
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    )

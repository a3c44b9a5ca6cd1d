"""One logging setup and one kind of progress bar for the command, the stages and the flows."""

import logging
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TypeVar

Item = TypeVar("Item")


def setup(level: str = "INFO") -> None:
    """Send photocritic's log to stderr, pretty on a terminal and plain elsewhere; escape what a stream cannot encode.

    Parameters
    ----------
    level : str
        A level name of the logging module.
    """
    from rich.logging import RichHandler

    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as stderr does: a path need not be UTF-8
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


@contextmanager
def counter(label: str, total: int, done: int = 0, unit: str = "comments") -> Iterator[Callable[[int], None]]:
    """Show the progress of counted work: a bar with its speed on a terminal, one line at the end elsewhere.

    Parameters
    ----------
    label : str
        What is being done.
    total, done : int
        Items in all, and those done before.
    unit : str
        What is counted.

    Yields
    ------
    callable
        Call it with the number of items done since the last call.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    began, finished = time.monotonic(), 0
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[speed]}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as bar:
        task = bar.add_task(label, total=total, completed=done, speed="")

        def advance(more: int) -> None:
            nonlocal finished
            finished += more
            speed = finished / max(time.monotonic() - began, 1e-9)
            bar.update(task, advance=more, speed=f"{speed:,.0f} {unit}/s")

        yield advance
    took = max(time.monotonic() - began, 1e-9)
    logging.getLogger(__name__).info("%s: %d %s, %.0f %s/s", label, finished, unit, finished / took, unit)

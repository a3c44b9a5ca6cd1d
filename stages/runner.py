"""What every stage does around its work: declared inputs through their gates, the run, outputs that change together."""

import argparse
import atexit
import json
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from photocritic import config, tracking
from photocritic.core import logs, results, snapshot
from photocritic.core.declaration import VARIABLE, Declaration, declaration
from photocritic.core.environment import FINAL, is_first_worker, is_reproducible
from photocritic.core.errors import PhotocriticError
from photocritic.core.files import atomic_dir, atomic_file
from photocritic.core.generation import aside, generation
from photocritic.core.lock import beside_others
from photocritic.core.outcome import Outcome
from photocritic.core.paths import CHECKPOINTS, GENERATIONS, REPORTS
from photocritic.core.system_errors import refused
from stages.validation import validate_inputs

RECORDED_AS = {"fuse_features": "cnn_pretrain"}  # stages whose numbers stand among another's: both make features

logger = logging.getLogger("photocritic.stages")


@dataclass(frozen=True)
class Stage:
    """A stage that runs.

    Attributes
    ----------
    declared : Declaration
        What dvc.yaml says of it.
    params : Params
        The parameters.
    run : tracking.Run
        The open run.
    """

    declared: Declaration
    params: config.Params
    run: tracking.Run

    @property
    def item(self) -> str:
        """What stands after the @ of its name."""
        return self.declared.name.partition("@")[2]

    @property
    def checkpoint(self) -> Path:
        """Where it keeps what an interrupted run resumes from."""
        return CHECKPOINTS / self.declared.name

    def reads(self, path: Path) -> Path:
        """Return an input's path; raises UndeclaredPath where dvc.yaml does not list it."""
        return self.declared.reads(path)

    def writes(self, path: Path) -> Path:
        """Return where to write an output until all take their places; raises as `reads`."""
        return aside(self.declared.writes(path))


Work = Callable[[Stage], Outcome]


def run_stage(
    name: str, work: Work, *, items: bool = False, headline: bool = False, context: str = "training"
) -> NoReturn:
    """Run a stage's work on what dvc.yaml declares for it, and exit the process.

    Its input tables pass their gates first; their hashes, the parameters that it reads, its numbers and its plots are
    recorded; its outputs take their places together. Under torchrun the first worker alone records and writes.

    Parameters
    ----------
    name : str
        The stage's name in dvc.yaml.
    work : callable
        Takes the running stage, writes its outputs, returns an Outcome.
    items : bool
        Whether DVC runs it once for each item of a list; the item is the command's one argument.
    headline : bool
        Whether the numbers go to the pipeline's run too.
    context : str
        What the tables are used for: training or evaluation.
    """
    parser = argparse.ArgumentParser(prog=f"python -m stages.{name}", description=sys.modules["__main__"].__doc__)
    if items:
        parser.add_argument("item", help="the item, as after the @ of the stage's name")
        name = f"{name}@{parser.parse_args().item}"
    run_declared(name, work, headline=headline, context=context)
    _end()


def _end() -> NoReturn:
    """Exit without freeing every imported object, which takes longer than many stages do."""
    threading._shutdown()  # type: ignore[attr-defined]  # as Python does first: waits for threads
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def run_declared(name: str, work: Work, *, headline: bool = False, context: str = "training") -> None:
    """Run a stage by its full name; parameters as in `run_stage`."""
    os.environ.setdefault("PYTHONHASHSEED", "0")
    logs.setup("INFO" if is_first_worker() else "WARNING")
    with _reported(name), _named(name):
        params = config.load(snapshot.path())
        declared = declaration(name)
        if params.reproducible and not is_reproducible():
            logger.warning("%s was not started by stages/run: its numbers depend on the processor", name)
        if not is_first_worker():
            work(Stage(declared, params, tracking.UnrecordedRun(name)))
            return
        sections = list(dict.fromkeys(key.partition(".")[0] for key in declared.params))
        read = {section: params.model_dump(mode="json")[section] for section in sections}
        tags = {"preset": params.preset, **tracking.corpus_tags(params.ingest.reader, params.ingest.source)}
        with (
            beside_others(),
            tracking.stage_run(name, read, declared.inputs, tags, context) as run,
            generation(GENERATIONS / f"{name}.json", wait=True, within=Path()),
            snapshot.held(*sections),
        ):
            validate_inputs(declared, params)
            outcome = work(Stage(declared, params, run))
            write_outcome(declared, outcome)
            run.log_outcome(outcome, headline=headline)
    shown = ", ".join(f"{key} {value:.4g}" for key, value in list(outcome.metrics.items())[:8])
    logger.info("%s done: %s", name, shown)


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Name the running stage to whoever opens a table, here and in processes that it starts."""
    os.environ[VARIABLE] = name
    try:
        yield
    finally:
        del os.environ[VARIABLE]


@contextmanager
def _reported(name: str) -> Iterator[None]:
    try:
        with results.recorded(name):
            yield
    except PhotocriticError as error:
        logger.error("%s: %s", name, error)
        sys.exit(FINAL)
    except Exception as error:
        if not (message := refused(error) or tracking.unavailable(error)):
            raise
        logger.error("%s: %s", name, message)
        logger.debug("where it happened", exc_info=True)
        sys.exit(1)  # worth another try


def write_outcome(declared: Declaration, outcome: Outcome) -> None:
    """Write an outcome's numbers, plots and tables; raises UndeclaredPath where dvc.yaml lists no place for them."""
    stage, _, item = declared.name.partition("@")
    stage = RECORDED_AS.get(stage, stage)
    place = Path(stage) / item if item else Path(stage)
    numbers = REPORTS / "metrics" / (place / "metrics.json" if item else place.with_suffix(".json"))
    plots, tables = REPORTS / "plots" / place, REPORTS / "tables" / place
    with atomic_file(aside(declared.writes(numbers))) as path:
        _dump(path, {key: round(value, 6) for key, value in outcome.metrics.items()})
    if outcome.plots or plots in declared.outs:
        with atomic_dir(aside(declared.writes(plots))) as folder:
            for plot, rows in outcome.plots.items():
                _dump(folder / f"{plot}.json", rows)
    if outcome.tables or tables in declared.outs:
        with atomic_dir(aside(declared.writes(tables))) as folder:
            outcome.write_tables(folder)


def _dump(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

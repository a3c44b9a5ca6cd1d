"""What every stage does around its work: parameters, the run, numbers and plots, and errors told in one line."""

import argparse
import json
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from photocritic import config, tracking
from photocritic.core import logs, snapshot
from photocritic.core.environment import FINAL
from photocritic.core.errors import PhotocriticError
from photocritic.core.files import atomic_dir, atomic_file, refused
from photocritic.core.generation import aside, generation
from photocritic.core.lock import beside_others
from photocritic.core.outcome import Outcome
from photocritic.core.paths import GENERATIONS, REPORTS
from photocritic.training import workers

Work = Callable[[config.Params, tracking.Run], Outcome]

logger = logging.getLogger("photocritic.stages")


def run_stage(
    name: str,
    work: Work,
    sections: tuple[str, ...],
    inputs: list[Path],
    headline: bool = False,
    context: str = "training",
) -> None:
    """Run a stage's work inside its tracking run and write its numbers and plots.

    Under torchrun the first worker alone records and writes; the work itself is to leave its tables to that one too.

    Parameters
    ----------
    name : str
        The stage's name in dvc.yaml, with `@` and its item where it has one.
    work : callable
        Takes the parameters and the open run, writes the tables, gives back an Outcome.
    sections : tuple of str
        Sections of params.yaml that the stage reads, recorded with the run.
    inputs : list of Path
        Files and folders the stage reads; their hashes are recorded with the run, tables as MLflow's datasets too.
    headline : bool
        Whether the numbers go to the pipeline's run too.
    context : str
        What the tables are used for: training or evaluation.
    """
    os.environ.setdefault("PYTHONHASHSEED", "0")
    logs.setup("INFO" if workers.is_first() else "WARNING")
    try:
        loaded = config.load(snapshot.path())
        if not workers.is_first():
            work(loaded, tracking.UnrecordedRun(name))
            return
        read = {section: loaded.model_dump(mode="json")[section] for section in ("seed", *sections)}
        tags = {"preset": loaded.preset, **tracking.corpus_tags(loaded.ingest.reader, loaded.ingest.source)}
        with (
            beside_others(),
            tracking.stage_run(name, read, inputs, tags, context) as run,
            generation(GENERATIONS / f"{name}.json", wait=True, within=Path()),
            snapshot.held("seed", *sections),
        ):
            outcome = work(loaded, run)
            _write(name, outcome)
            run.log_outcome(outcome, headline=headline)
    except PhotocriticError as error:
        logger.error("%s: %s", name, error)
        sys.exit(FINAL)
    except Exception as error:
        if not (message := refused(error) or tracking.unavailable(error)):
            raise
        logger.error("%s: %s", name, message)
        logger.debug("where it happened", exc_info=True)
        sys.exit(1)  # worth another try
    told = ", ".join(f"{key} {value:.4g}" for key, value in list(outcome.metrics.items())[:8])
    logger.info("%s done: %s", name, told)


def item_argument(name: str, description: str) -> str:
    """Read the one positional argument of a stage that DVC runs once for each item of a list."""
    parser = argparse.ArgumentParser(prog=f"python -m stages.{name}", description=description)
    parser.add_argument("item", help="the item, as after the @ of the stage's name")
    return str(parser.parse_args().item)


def _write(name: str, outcome: Outcome) -> None:
    stage, _, item = name.partition("@")
    place = Path(stage) / item if item else Path(stage)
    numbers = place / "metrics.json" if item else place.with_suffix(".json")
    with atomic_file(aside(REPORTS / "metrics" / numbers)) as path:
        _dump(path, {key: round(value, 6) for key, value in outcome.metrics.items()})
    with atomic_dir(aside(REPORTS / "plots" / place)) as folder:
        for plot, rows in outcome.plots.items():
            _dump(folder / f"{plot}.json", rows)
    if outcome.tables:
        with atomic_dir(aside(REPORTS / "tables" / place)) as folder:
            outcome.write_tables(folder)


def _dump(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

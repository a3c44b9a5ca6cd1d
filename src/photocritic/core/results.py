"""How a stage ended, in a small JSON file, for whoever has started it."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from photocritic.core.errors import PhotocriticError
from photocritic.core.files import atomic_file

FOLDER = Path(".dvc/tmp/photocritic/results")  # from the project's root; no output, so DVC and git leave it alone
Status = Literal["running", "done", "refused", "failed"]


@dataclass(frozen=True)
class StageResult:
    """How the latest try of a stage stands.

    Attributes
    ----------
    stage : str
        Its name in dvc.yaml.
    process : int
        The process that runs or has run it.
    status : str
        `running`, also of a process that was killed; `done`; `refused`: its input or a gate, and another try is in
        vain; `failed`: another try may succeed.
    message : str
        What went wrong.
    epoch, epochs : int
        How far its training is; 0 where it trains nothing.
    """

    stage: str
    process: int
    status: Status
    message: str = ""
    epoch: int = 0
    epochs: int = 0


def read_result(stage: str, root: Path = Path()) -> StageResult | None:
    """Read how the latest try of a stage stands; None where it has never run in this folder."""
    try:
        return StageResult(**json.loads((root / _file(stage)).read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def write_progress(stage: str, epoch: int, epochs: int) -> None:
    """Write how far the training of a stage is."""
    _write(StageResult(stage, os.getpid(), "running", epoch=epoch, epochs=epochs))


@contextmanager
def recorded(stage: str) -> Iterator[None]:
    """Write how a stage ends: what is raised within the block, or that it is done."""
    _write(StageResult(stage, os.getpid(), "running"))
    try:
        yield
    except PhotocriticError as error:
        _write(StageResult(stage, os.getpid(), "refused", str(error)))
        raise
    except Exception as error:
        _write(StageResult(stage, os.getpid(), "failed", f"{type(error).__name__}: {error}"))
        raise
    _write(StageResult(stage, os.getpid(), "done"))


def _file(stage: str) -> Path:
    """Return a stage's file; what is no stage's name leads to no other folder."""
    return FOLDER / f"{re.sub(r'[^A-Za-z0-9_@-]', '_', stage)}.json"


def _write(result: StageResult) -> None:
    with atomic_file(_file(result.stage)) as temporary:
        temporary.write_text(json.dumps(asdict(result), indent=1) + "\n", encoding="utf-8")

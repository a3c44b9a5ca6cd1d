"""The run's report together with what people said about its captions."""

from collections.abc import Sequence
from pathlib import Path

from photocritic.core.errors import PhotocriticError
from photocritic.core.files import atomic_file
from photocritic.report.blocks import insert
from photocritic.studies.report import section
from photocritic.studies.results import CUT
from photocritic.studies.store import FOLDER


def write_joined(studies: Sequence[Path], report: Path, out: Path, cut: float = CUT) -> list[Path]:
    """Copy a run's report with a section for each study at its end; the run's own file stays as it is.

    That one is an output of a DVC stage: raters go on answering while nothing that the stage reads has changed.

    Parameters
    ----------
    studies : sequence of Path
        The studies' files; where there are none, all in the folder of studies.
    report : Path
        The page that the stage evaluate wrote.
    out : Path
        The page to write.
    cut : float
        Scores from 0 to 100 are good from here on.

    Returns
    -------
    list of Path
        The studies that stand in it. The same studies and report give the same bytes.

    Raises
    ------
    PhotocriticError
        There is no report or no study, or a file is none.
    """
    if not report.is_file():
        raise PhotocriticError(f"{report}: no such report; run the pipeline first (make run)")
    chosen = list(studies) or sorted(FOLDER.glob("*.db"))
    if not chosen:
        raise PhotocriticError(f"{FOLDER}: no study here; make one with photocritic study create")
    sections = [section(study, cut) for study in chosen]
    try:
        page = insert(report.read_text(encoding="utf-8"), sections)
    except PhotocriticError as error:
        raise PhotocriticError(f"{report}: {error}") from None
    with atomic_file(out) as temporary:
        temporary.write_text(page, encoding="utf-8")
    return chosen

"""What a study found: CSV files, a page, a section for the evaluation's report, and tables for the terminal."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from photocritic.core.errors import PhotocriticError
from photocritic.core.files import atomic_file
from photocritic.core.outcome import Outcome
from photocritic.report.blocks import Block, Fact, Report, Section, Table, insert, markdown
from photocritic.report.blocks import write as write_page
from photocritic.studies.raters import count_excluded
from photocritic.studies.result_figures import result_figure
from photocritic.studies.result_tables import agreement_table, results_table
from photocritic.studies.study_file import FOLDER, connect, count_trials, read_judged, read_ratings, read_terms
from photocritic.studies.study_kinds import KINDS
from photocritic.studies.study_results import CUT, Findings, findings

if TYPE_CHECKING:
    from rich.table import Table as Shown


def read(study: Path, cut: float = CUT) -> Findings:
    """Read a study's answers, also while it is served; training trials do not count.

    Parameters
    ----------
    study : Path
        The file.
    cut : float
        Scores from 0 to 100 are good from here on.

    Raises
    ------
    PhotocriticError
        The file is not a study.
    """
    with connect(study) as database:
        trials = sum(count_trials(database).values())
        found = findings(read_terms(database), trials, read_ratings(database), cut)
        judged = read_judged(database) if found.terms.kind == "grades" else []
        return replace(found, excluded=count_excluded(database), judged=judged)


def write_report(study: Path, cut: float = CUT) -> tuple[Path, list[Table]]:
    """Write what a study found into the folder beside it that has its name.

    Parameters
    ----------
    study, cut
        As in `read`.

    Returns
    -------
    Path, list of Table
        The folder, with results.csv, agreement.csv, raters.csv, ratings.csv, report.html, report.md and, where comments
        were graded, judged.csv, which the filter learns from; and the tables.
    """
    found = read(study, cut)
    folder = study.with_suffix("")
    folder.mkdir(exist_ok=True)
    tables = [results_table(found, cut), agreement_table(found)]
    ratings = [
        asdict(one) | {"sources": " ".join(one.sources), "seconds": round(one.seconds, 1)} for one in found.ratings
    ]
    named = {"results": found.results, "agreement": found.agreement, "raters": found.raters, "ratings": ratings}
    if found.terms.kind == "grades":
        named["judged"] = found.judged
    Outcome(tables=named).write_tables(folder)
    part = _section(found, study.stem, cut)
    counts = {"raters": len(found.raters), "trials": found.trials, "answers": len(ratings)}
    if found.excluded:
        counts["raters excluded"] = found.excluded
    facts = [Fact(label, f"{count:,}") for label, count in counts.items()]
    write_page(Report(f"Study {study.stem}", KINDS[found.terms.kind].question, facts, [part]), folder / "report.html")
    with atomic_file(folder / "report.md") as temporary:
        text = f"# Study {study.stem}\n\n{part.intro}\n\n" + "\n".join(
            f"{markdown(one)}\n{one.note}\n" for one in tables
        )
        temporary.write_text(text, encoding="utf-8")
    return folder, tables


def section(study: Path, cut: float = CUT) -> Section:
    """Return what a study found as a section for any report; parameters as in `read`."""
    return _section(read(study, cut), study.stem, cut)


def _section(found: Findings, name: str, cut: float) -> Section:
    terms, kind = found.terms, KINDS[found.terms.kind]
    each = f"{terms.raters} raters a trial" if terms.raters else "every rater asked about every trial"
    left_out = f" ({found.excluded} more excluded, with all their answers)" if found.excluded else ""
    training = f"; {terms.training} training trials before them do not count" if terms.training else ""
    intro = (
        f"“{kind.question}” {kind.paper}: {len(found.raters)} raters{left_out}, {found.trials:,} trials, "
        f"{each}{training}. Raters did not know where a caption came from."
    )
    picture = result_figure(found)
    blocks: list[Block] = [results_table(found, cut), *([picture] if picture else []), agreement_table(found)]
    return Section(f"People's judgement: {name}", blocks, intro)


def shown(tables: Sequence[Table]) -> list["Shown"]:
    """Return tables in the form that a terminal shows."""
    from rich.markup import escape
    from rich.table import Table as Shown

    result = []
    for table in tables:
        one = Shown(box=None, caption=escape(table.note), caption_justify="left")
        for place, (title, _) in enumerate(table.columns):
            one.add_column(escape(title), justify="right" if place else "left", overflow="fold")
        for row in table.rows:
            cells = [escape(f"{cell.text} ({cell.note})" if cell.note else cell.text) for cell in row.cells]
            one.add_row(escape(row.name), *cells, style="dim" if row.muted else None)
        result.append(one)
    return result


def write_joined(studies: Sequence[Path], report: Path, out: Path, cut: float = CUT) -> list[Path]:
    """Copy a run's report with a section for each study at its end; the run's own file stays as it is.

    That one is an output of a DVC stage: raters go on answering while nothing that the stage reads has changed.

    Parameters
    ----------
    studies : sequence of Path
        The studies' files; where there are none, all in the folder of studies.
    report : Path
        The page that the stage report wrote.
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

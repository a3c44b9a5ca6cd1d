"""Subcommands for studies: what people think of captions, blind to where they come from."""

import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="Let people judge captions, blind to where they come from.")
MOST_SEED = 2**32 - 1  # as in params.yaml
_Study = Annotated[str, typer.Argument(help="Name of a study in the folder studies, or the path of a .db file.")]


@app.command("create")
def create(
    name: _Study,
    kind: Annotated[
        str,
        typer.Option(
            help="grades (comments, for photocritic filter train), rating or informative (AIC), yesno (CC), pairs, "
            "creative or multiple (Déjà)."
        ),
    ],
    sources: Annotated[
        str,
        typer.Option(
            help="Variants, human, accepted, discarded, with commas between; for grades uncertain (comments that the "
            "filter is least sure of) or random; what suits the kind by default."
        ),
    ] = "",
    images: Annotated[int | None, typer.Option(min=1, help="Photographs drawn; for grades, comments.")] = None,
    training: Annotated[int | None, typer.Option(min=0, help="Training trials, on others.")] = None,
    raters: Annotated[
        int | None, typer.Option(min=0, help="Raters of each trial; 0: everybody rates everything.")
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="Of the photographs: train, val or test; test by default, all for grades.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=MOST_SEED, help="Of the drawing.")] = 7,
    data: Annotated[
        Path, typer.Option(help="Folder of the project's tables; for grades also a table of photocritic filter.")
    ] = Path("data"),
) -> None:
    """Draw photographs and captions, or comments to grade, into one file that can be served anywhere.

    Counts that no option says are the paper's.
    """
    from photocritic.studies import create

    wanted = [part.strip() for part in sources.split(",") if part.strip()]
    made, terms, trials = create(
        name,
        kind,
        data,
        sources=wanted,
        images=images,
        training=training,
        raters=raters,
        split=split,
        seed=seed,
    )
    each = f"{terms.raters} raters each" if terms.raters else "every rater asked about each"
    sys.stdout.write(
        f"{made}: {trials} trials on captions by {', '.join(terms.sources)}, {each}, {terms.training} training trials\n"
    )


@app.command("invite")
def invite(
    name: _Study,
    n: Annotated[int, typer.Option("--n", min=1, max=1000, help="Invitations to make.")] = 1,
    address: Annotated[str, typer.Option(help="Where raters reach the page.")] = "http://127.0.0.1:8700/",
) -> None:
    """Print links to the study's page, one a rater; whoever takes up a link is its rater from then on."""
    from photocritic.studies.raters import invite
    from photocritic.studies.study_file import connect, locate

    with connect(locate(name)) as database:
        tokens = invite(database, n)
    sys.stdout.write("".join(f"{address.rstrip('/')}/#{token}\n" for token in tokens))


@app.command("exclude")
def exclude(
    name: _Study,
    rater: Annotated[str, typer.Argument(help="A rater's name, or number in raters.csv.")],
    undo: Annotated[bool, typer.Option("--undo", help="Let the answers count again.")] = False,
) -> None:
    """Leave a rater's answers out of all results, and let them rate no more; nothing is deleted."""
    from photocritic.studies.raters import exclude
    from photocritic.studies.study_file import connect, locate

    with connect(locate(name)) as database:
        number, answers = exclude(database, rater, not undo)
    sys.stdout.write(f"rater {number}: {answers} answers {'count again' if undo else 'do not count any more'}\n")


@app.command("serve")
def serve(
    name: _Study,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8700,
) -> None:
    """Show the study's page to raters until interrupted; any number at once, each goes on where they stopped."""
    from photocritic.studies import serve
    from photocritic.studies.study_file import locate

    serve(locate(name), host, port)


@app.command("join")
def join(
    names: Annotated[
        list[str] | None, typer.Argument(help="Names or .db files of studies; all in the folder studies by default.")
    ] = None,
    report: Annotated[Path, typer.Option(help="The page that evaluate wrote.")] = Path("reports/report.html"),
    out: Annotated[Path, typer.Option(help="Page to write.")] = Path("studies/report.html"),
    cut: Annotated[float, typer.Option(min=0, max=100, help="Scores from 0 to 100 are good from here on.")] = 50.0,
) -> None:
    """Write the run's report anew with what the raters found at its end."""
    from photocritic.studies.study_file import locate
    from photocritic.studies.study_report import write_joined

    joined = write_joined([locate(name) for name in names or []], report, out, cut)
    sys.stdout.write(f"{out}: {report} with {', '.join(path.stem for path in joined)}\n")


@app.command("report")
def report(
    name: _Study,
    cut: Annotated[float, typer.Option(min=0, max=100, help="Scores from 0 to 100 are good from here on.")] = 50.0,
) -> None:
    """Print what the raters found, and write it beside the study as CSV, HTML and Markdown."""
    from rich.console import Console

    from photocritic.studies.study_file import locate
    from photocritic.studies.study_report import shown, write_report

    folder, tables = write_report(locate(name), cut)
    for table in shown(tables):
        Console().print(table)
    sys.stdout.write(f"written to {folder}\n")

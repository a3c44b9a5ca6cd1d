"""Subcommands that run the pipeline and summarise its results."""

import sys
from typing import Annotated

import typer

app = typer.Typer()


@app.command()
def run(
    preset: Annotated[str, typer.Option(help="Write params.yaml from this preset first.")] = "",
    corpus: Annotated[str, typer.Option(help="Folder or file of the corpus to run on.")] = "",
    jobs: Annotated[int, typer.Option(min=1, help="Stages at once, each on its share of the cores.")] = 1,
) -> None:
    """Run the whole pipeline (dvc repro) and print where the results are."""
    from photocritic.cli import pipeline_run

    pipeline_run.run(preset, corpus, jobs)
    sys.stdout.write(pipeline_run.summary() + "\n")


@app.command()
def summary() -> None:
    """Print the headline metrics and where the report is."""
    from photocritic.cli import pipeline_run

    sys.stdout.write(pipeline_run.summary() + "\n")


@app.command()
def promote() -> None:
    """Register the variant that the rule `promote` chooses, and make it the champion where it earns that."""
    from photocritic.cli import pipeline_run
    from photocritic.core.lock import beside_others

    with beside_others():
        sys.stdout.write(pipeline_run.promote(anew=True) + "\n")


@app.command()
def seeds(
    experiments: Annotated[
        list[str] | None, typer.Argument(help="DVC experiments or revisions; all of the current commit by default.")
    ] = None,
) -> None:
    """Compare finished experiments of several seeds: means, deviations, and differences with intervals."""
    from photocritic.cli.seeds import compare_seeds
    from photocritic.core.paths import SEEDS

    sys.stdout.write(f"{compare_seeds(experiments or [], SEEDS)}\nwritten to {SEEDS}\n")

"""The command as a whole: its groups of subcommands, and errors in one line."""

import io
import sys

import typer

from photocritic.cli import caption_commands, corpora, filter_commands, pipeline_commands, study
from photocritic.core import extras, logs
from photocritic.core.errors import PhotocriticError
from photocritic.core.system_errors import refused

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="From what people write under photographs to a model that critiques photographs.",
)
for group in (pipeline_commands, caption_commands, corpora):
    app.add_typer(group.app)
app.add_typer(filter_commands.app, name="filter")
app.add_typer(study.app, name="study")


def main() -> None:
    """Run the command; a user's mistake, or what the system refuses, ends it with one line and exit status 1."""
    logs.setup()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names of files need not be of the terminal's encoding
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except PhotocriticError as error:
        sys.exit(f"photocritic: {error}")
    except ModuleNotFoundError as error:
        if not (advice := extras.advice(error.name or "")):
            raise
        sys.exit(f"photocritic: {advice}")
    except Exception as error:
        if not (message := refused(error)):
            raise
        sys.exit(f"photocritic: {message}")

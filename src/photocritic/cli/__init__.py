"""The photocritic command: one file a group of subcommands."""

from photocritic.cli.command import app, main

__all__ = ["app", "main"]

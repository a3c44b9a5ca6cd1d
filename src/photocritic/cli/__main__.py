"""The command as `python -m photocritic.cli`."""

from photocritic.cli import main

main()

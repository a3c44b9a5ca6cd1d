"""The errors a user can cause, each with a message that says what, where, and what to do."""

import re

# A terminal obeys them, and names of files and texts of a corpus may have any. Lines and tabs stay.
_CONTROL = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]")


class PhotocriticError(Exception):
    """Base of every error that is shown to a user as one line, without a traceback or control characters."""

    def __str__(self) -> str:
        return _CONTROL.sub(lambda match: repr(match[0])[1:-1], super().__str__())


class ParamsError(PhotocriticError):
    """A key or value in params.yaml that cannot be used."""


class CorpusError(PhotocriticError):
    """A corpus that cannot be read at all; single bad rows go to the quarantine table instead."""


class UnreadableImage(CorpusError):
    """One image that cannot be read or decoded; the message is the reason alone, for the caller to name the image."""


class OutputError(PhotocriticError):
    """A place that cannot be written to, or that holds what must not be replaced."""


class TableError(PhotocriticError):
    """A table file that is missing, truncated, or has other columns than its schema."""


class GateFailed(PhotocriticError):
    """A data check failed; the message names the table, the column and the offending rows."""


class TrainingError(PhotocriticError):
    """Training that cannot go on, such as a loss that is not a number."""


class MetricError(PhotocriticError):
    """A metric that cannot be computed, such as one whose program is not installed or has failed."""


class TrackingError(PhotocriticError):
    """A model of the registry that cannot be used."""

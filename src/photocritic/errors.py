"""The errors a user can cause, each with a message that says what, where, and what to do."""


class PhotocriticError(Exception):
    """Base of every error that is shown to a user as one line, without a traceback."""


class ParamsError(PhotocriticError):
    """A key or value in params.yaml that cannot be used."""


class CorpusError(PhotocriticError):
    """A corpus that cannot be read at all; single bad rows go to the quarantine table instead."""


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

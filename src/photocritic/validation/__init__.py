"""Data checks: one Great Expectations suite a table, and the gate that runs them."""

from photocritic.validation.failure import SHOWN_ROWS, Failure
from photocritic.validation.gate import check, refuse

__all__ = ["SHOWN_ROWS", "Failure", "check", "refuse"]

"""Data checks: one Great Expectations suite a table, and the gate that runs them."""

from photocritic.quality.failure import SHOWN_ROWS, Failure
from photocritic.quality.gate import check, refuse

__all__ = ["SHOWN_ROWS", "Failure", "check", "refuse"]

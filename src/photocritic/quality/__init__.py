"""Data checks: one Great Expectations suite a table, and the gate that runs them."""

from photocritic.quality.gate import SHOWN_ROWS, Failure, check, refuse

__all__ = ["SHOWN_ROWS", "Failure", "check", "refuse"]

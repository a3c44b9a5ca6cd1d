"""Data checks: one Great Expectations suite a table, and the gate that runs them."""

from photocritic.quality.gate import Failure, check, refuse

__all__ = ["Failure", "check", "refuse"]

"""Data checks: the gate that runs them with Great Expectations, and what tables' checks are made of."""

from photocritic.validation.failures import SHOWN_ROWS, Failure
from photocritic.validation.gate import Suite, check, refuse, remove_docs

__all__ = ["SHOWN_ROWS", "Failure", "Suite", "check", "refuse", "remove_docs"]

"""The finished run of a small corpus that reports are written of."""

from tests.evaluation.conftest import finished, world

__all__ = ["finished", "world"]

"""Tables: their schemas, and the only way to load and save them."""

from photocritic.tables.schemas import expected
from photocritic.tables.store import ROW_GROUP, check, count, from_rows, load, part, save, scan

__all__ = ["ROW_GROUP", "check", "count", "expected", "from_rows", "load", "part", "save", "scan"]

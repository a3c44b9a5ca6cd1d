"""Tables: their schemas, and the only way to load and save them."""

from photocritic.tables.store import ROW_GROUP, count, from_rows, load, save, scan

__all__ = ["ROW_GROUP", "count", "from_rows", "load", "save", "scan"]

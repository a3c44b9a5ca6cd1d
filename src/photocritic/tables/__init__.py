"""Tables: their schemas, and the only way to load and save them."""

from photocritic.tables.features import Regions, Stored, View, network_width, read_regions
from photocritic.tables.relations import refuse_empty, refuse_strangers, refuse_width
from photocritic.tables.schemas import expected, name_of
from photocritic.tables.store import ROW_GROUP, check, count, from_rows, load, part, save, scan

__all__ = [
    "ROW_GROUP",
    "Regions",
    "Stored",
    "View",
    "check",
    "count",
    "expected",
    "from_rows",
    "load",
    "name_of",
    "network_width",
    "part",
    "read_regions",
    "refuse_empty",
    "refuse_strangers",
    "refuse_width",
    "save",
    "scan",
]

"""Tables: all that is known of each, and the only way to load and save them."""

from photocritic.tables.captions_table import (
    FACTUAL,
    KEPT,
    REJECTED,
    STYLED,
    UNSTYLED,
    of_split,
    of_style,
    scan_outcomes,
)
from photocritic.tables.features_table import Regions, Stored, View, network_width, read_regions
from photocritic.tables.relations import check_references, validate_input
from photocritic.tables.table import (
    EVERY_ROW,
    GRID,
    VECTOR,
    ForeignKey,
    Table,
    TableView,
    available,
    find,
    name_of,
    schema,
)
from photocritic.tables.table_store import ROW_GROUP, check, count, from_rows, load, part, save, scan

__all__ = [
    "EVERY_ROW",
    "FACTUAL",
    "GRID",
    "KEPT",
    "REJECTED",
    "ROW_GROUP",
    "STYLED",
    "UNSTYLED",
    "VECTOR",
    "ForeignKey",
    "Regions",
    "Stored",
    "Table",
    "TableView",
    "View",
    "available",
    "check",
    "check_references",
    "count",
    "find",
    "from_rows",
    "load",
    "name_of",
    "network_width",
    "of_split",
    "of_style",
    "part",
    "read_regions",
    "save",
    "scan",
    "scan_outcomes",
    "schema",
    "validate_input",
]

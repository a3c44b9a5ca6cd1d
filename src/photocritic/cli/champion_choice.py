"""Which variant is the champion, as the latest report says."""

import csv

from photocritic.core.paths import CHOICE


def chosen_variant() -> str:
    """Return the variant that the rule `promote` has chosen; empty where none is eligible."""
    if not CHOICE.is_file():
        return ""
    with CHOICE.open(encoding="utf-8", newline="") as stream:
        return next((row["variant"] for row in csv.DictReader(stream) if row["chosen"] == "True"), "")

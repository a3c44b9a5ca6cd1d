"""The tables of a stage's results."""

import csv
from pathlib import Path

from photocritic.core.outcome import Outcome


def test_a_text_is_no_formula_in_a_table(tmp_path: Path) -> None:
    texts = ["+1+cmd|' /C calc'!A0", "=1+1", "-2+3+cmd", "@SUM(1)", "\t=1", "-.25", "+3.1%", "fine = good"]
    Outcome(tables={"t": [{"text": text, "number": -1.5} for text in texts]}).write_tables(tmp_path)
    with (tmp_path / "t.csv").open(newline="") as stream:
        found = list(csv.DictReader(stream))
    assert [row["text"] for row in found] == [f"'{text}" for text in texts[:5]] + texts[5:]
    assert {row["number"] for row in found} == {"-1.5"}

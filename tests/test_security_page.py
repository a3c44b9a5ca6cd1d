"""docs/security.md lists the limits as they stand in the code."""

import re
from pathlib import Path

from photocritic.core import limits

ROW = re.compile(r"^([A-Z_]+) = .*?  # (.+)$", re.MULTILINE)


def table():
    """Write the limits of photocritic.core.limits as rows of a table, with what their comments say of them."""
    source = Path(limits.__file__).read_text(encoding="utf-8")
    return "\n".join(f"| `{name}` | {getattr(limits, name):,} | {said} |" for name, said in ROW.findall(source))


def test_the_page_lists_every_limit_with_its_value(root):
    rows = table()
    named = {name for name in vars(limits) if name.isupper() and name != "MIB"}
    assert {line.split("`")[1] for line in rows.splitlines()} == named, "a limit has no comment that tells of what"
    assert rows in (root / "docs" / "security.md").read_text(encoding="utf-8"), f"put these rows there:\n{rows}"


def test_the_readme_points_to_the_page(root):
    assert "docs/security.md" in (root / "README.md").read_text(encoding="utf-8")

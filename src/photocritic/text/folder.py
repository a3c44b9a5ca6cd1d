"""Where the bundled pipeline lies."""

from pathlib import Path

BUNDLED = Path(__file__).parent / "data" / "en_photocritic"

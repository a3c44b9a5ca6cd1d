"""What Prefect must find in the environment; imported before Prefect, which reads its settings when it is imported."""

import os
from pathlib import Path

from flows import access
from photocritic.core.environment import OFFLINE

os.environ.update(OFFLINE)
os.environ.setdefault("PREFECT_HOME", str(Path(".prefect").absolute()))
access.use()

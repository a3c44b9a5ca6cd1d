"""Prefect flows: they know stages by name, and nothing of their insides.

Prefect reads its settings when it is imported, so the environment is set here, which Python runs before any flow.
"""

import os
from pathlib import Path

from flows import access
from photocritic.core.environment import OFFLINE

os.environ.update(OFFLINE)
os.environ.setdefault("PREFECT_HOME", str(Path(".prefect").absolute()))
access.use()

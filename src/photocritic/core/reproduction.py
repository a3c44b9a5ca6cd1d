"""DVC, reading the parameters that a run began with: python -m photocritic.core.reproduction repro [...].

DVC reads params.yaml when it starts, before each stage, and again after it, when it writes dvc.lock. Where somebody
edits the file meanwhile, dvc.lock would record values that the stage has not used. DVC documents no way to name another
file, so this replaces how it opens one. It is the counterpart in the package of flows/dvc_api.py, which the command may
not import, and the reason besides for which pyproject.toml caps DVC's version.
"""

import os
import sys
from pathlib import Path
from typing import Any

from photocritic.core import snapshot


def main() -> int:
    """Run DVC's command line on the snapshot of the parameters; return its exit status."""
    from dvc.cli import main as dvc
    from dvc.fs import LocalFileSystem

    stored, params = snapshot.path().resolve(), snapshot.PARAMS.resolve()
    plain = LocalFileSystem.open

    def read(self: Any, path: Any, mode: str = "r", **options: Any) -> Any:
        wanted = isinstance(path, str | os.PathLike) and "r" in mode and Path(path).name == params.name
        return plain(self, stored if wanted and Path(path).resolve() == params else path, mode, **options)

    LocalFileSystem.open = read
    return int(dvc(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())

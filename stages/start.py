"""Start a stage: python -m stages.start NAME [ITEM], for `stages/run`, in the environment that its parameters ask for.

Libraries read when they are loaded which instructions they may use and on how many threads they work. So this process,
which has loaded none of them, sets that and then becomes the stage's.
"""

import os
import sys

from photocritic.core import snapshot
from photocritic.core.environment import REPRODUCIBLE


def main() -> None:
    """Replace this process by the stage's."""
    name, *item = sys.argv[1:]
    pinned = REPRODUCIBLE if snapshot.values("reproducible")["reproducible"] is True else {}
    command = [sys.executable, "-m", f"stages.{name}", *item]
    os.execve(sys.executable, command, {**os.environ, **pinned})  # noqa: S606 - a shell is not wanted


if __name__ == "__main__":
    main()

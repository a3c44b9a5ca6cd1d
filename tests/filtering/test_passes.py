"""Passes in worker processes: one that is killed is one clear line, and a killed run loses nothing."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from photocritic.config import FilterParams, LanguageParams
from photocritic.core import files
from photocritic.core.errors import PhotocriticError
from photocritic.filtering import passes
from tests.filtering.test_filter_comments import MANY, write

KILLED = """
import os
import signal
import sys
from pathlib import Path
from photocritic.config import FilterParams, LanguageParams
from photocritic.filtering import passes
from photocritic.filtering.filter_comments import filter_comments

folder, kills = Path(sys.argv[1]), "kill" in sys.argv
run = passes.Worker.run

def run_until_killed(worker, number, shard):
    if kills and list(folder.glob("work/*/pass-1/*.arrow")):
        os.killpg(0, signal.SIGKILL)
    return run(worker, number, shard)

passes.Worker.run = run_until_killed  # in worker processes too, which import this file
if __name__ == "__main__":
    params = FilterParams(unit="sentence", score="agreement", threshold="auto")
    filter_comments(folder / "comments.parquet", None, folder / "captions.parquet", folder / "ngrams.parquet",
                    params, LanguageParams(), folder / "work")
"""


@pytest.mark.timeout(240)
def test_kill_9_at_half_way_loses_nothing(tmp_path: Path) -> None:
    texts = [
        (text.replace("light", f"light{number % 97}") + " Nice shot!" * (number % 3), style)
        for number in range(40)
        for text, style in MANY
    ]
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    for way in ("killed", "whole"):
        write(tmp_path / way / "comments.parquet", texts)
    command = [sys.executable, str(script), str(tmp_path / "killed")]
    assert subprocess.run([*command, "kill"], start_new_session=True, check=False).returncode == -signal.SIGKILL
    assert not (tmp_path / "killed" / "captions.parquet").exists()
    for way in ("killed", "whole"):
        subprocess.run([sys.executable, str(script), str(tmp_path / way)], check=True)
    for name in ("captions.parquet", "ngrams.parquet"):
        assert files.sha256(tmp_path / "whole" / name) == files.sha256(tmp_path / "killed" / name)


class Killed(passes.Job):
    """A job whose worker process is killed when it begins."""

    @property
    def passes(self) -> list[Any]:
        os.kill(os.getpid(), signal.SIGKILL)
        return []


def test_a_killed_worker_is_one_clear_line(tmp_path: Path) -> None:
    comments = write(tmp_path / "comments.parquet", MANY)
    job = Killed(comments, None, FilterParams(), LanguageParams(), tmp_path / "work")
    with passes.WorkerPool(job, 2) as pool, pytest.raises(PhotocriticError, match="run again"):
        list(pool.run(0, [0]))

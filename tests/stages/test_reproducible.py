"""With `reproducible: true` a stage computes the same numbers whatever the processor, its cores and the environment."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from photocritic.core.environment import REPRODUCIBLE, environment

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "tests" / "stages" / "small_chain.py"
OTHERS = {  # what a processor with other instructions and cores, or a user, would have the libraries choose
    "ATEN_CPU_CAPABILITY": "default",
    "ONEDNN_MAX_CPU_ISA": "SSE41",
    "MKL_CBWR": "AUTO",
    "OPENBLAS_CORETYPE": "Nehalem",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3",
    "OMP_NUM_THREADS": "3",
    "OPENBLAS_NUM_THREADS": "2",
}
EMULATED = ("Haswell-noTSX",)  # of qemu-user 10; 7.2 emulates some instructions of AVX2 wrongly


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose one stage is the small chain."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "stages").mkdir()
    for name in ("run", "start.py", "__init__.py"):
        shutil.copy(ROOT / "stages" / name, folder / "stages")
    shutil.copy(PROGRAM, folder / "stages")
    (folder / ".venv").symlink_to(sys.prefix)
    for name in ("src", "presets"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def compute(project: Path, reproducible: bool, env: dict[str, str], cores: set[int] | None = None) -> dict[str, str]:
    (project / "params.yaml").write_text(f"reproducible: {str(reproducible).lower()}\n")
    command = [shutil.which("taskset"), "--cpu-list", ",".join(map(str, cores))] if cores else []
    subprocess.run(
        [*command, "stages/run", "small_chain", "out.json"], cwd=project, env=environment() | env, check=True
    )
    return json.loads((project / "out.json").read_text())


@pytest.fixture(scope="module")
def numbers(project: Path) -> dict[str, str]:
    """The hashes of all parts' numbers, in the environment that the test has."""
    return compute(project, True, {})


def test_other_settings_and_one_core_change_nothing(project: Path, numbers: dict[str, str]) -> None:
    assert compute(project, True, OTHERS, {min(os.sched_getaffinity(0))}) == numbers


def test_without_the_parameter_the_environment_counts(project: Path) -> None:
    told = "import os, sys, json; json.dump(dict(os.environ), open(sys.argv[1], 'w'))"
    (project / "stages" / "telling.py").write_text(told)
    for content, wanted in (("reproducible: false", OTHERS), ("seed: 1", OTHERS), ("reproducible: true", REPRODUCIBLE)):
        (project / "params.yaml").write_text(content)
        subprocess.run(["stages/run", "telling", "env.json"], cwd=project, env=environment() | OTHERS, check=True)
        assert wanted.items() <= json.loads((project / "env.json").read_text()).items()


@pytest.mark.skipif(not shutil.which("qemu-x86_64"), reason="needs qemu-user 10, which emulates other processors")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("processor", EMULATED)
def test_other_makes_of_processors_compute_the_same(tmp_path: Path, numbers: dict[str, str], processor: str) -> None:
    out = tmp_path / "out.json"
    env = environment() | REPRODUCIBLE | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    python = Path(sys.executable).resolve()  # qemu starts no script and no link to one
    subprocess.run(["qemu-x86_64", "-cpu", processor, python, PROGRAM, out], env=env, check=True)
    assert json.loads(out.read_text()) == numbers

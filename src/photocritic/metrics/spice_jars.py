"""The two jars that SPICE needs beside pycocoevalcap's wheel: where they are, and how to get them.

`python -m photocritic.metrics.spice_jars` (`make spice`) fetches them with Maven.
"""

import logging
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from photocritic.core.errors import MetricError, PhotocriticError
from photocritic.core.files import sha256

FOLDER = Path(".spice")  # of the project; PHOTOCRITIC_SPICE names another
_VERSION = "edu.stanford.nlp:stanford-corenlp:3.6.0"  # the version that SPICE 1.0 is written for
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"

# File, Maven coordinates, and SHA-256 of what they stand for.
JARS = {
    "stanford-corenlp-3.6.0.jar": (
        f"{_VERSION}:jar",
        "d341d5863276f55782c5ef73212222d6b3b48e02ae1951ab6de7618d28b12742",
    ),
    "stanford-corenlp-3.6.0-models.jar": (
        f"{_VERSION}:jar:models",
        "d285157bd7887ee3018094b5dbae092e49088b023361ccdb550ee1daf9b2c9bd",
    ),
}

log = logging.getLogger(__name__)


def folder() -> Path:
    """Return the folder of the jars."""
    return Path(os.environ.get("PHOTOCRITIC_SPICE", FOLDER)).absolute()


def present() -> bool:
    """Return whether both jars are there."""
    return all((folder() / name).is_file() for name in JARS)


def fetch(target: Path) -> None:
    """Fetch both jars with Maven, check what came, and put them into a folder; nothing else in it is touched.

    Parameters
    ----------
    target : Path
        The folder; it is made.

    Raises
    ------
    MetricError
        Maven is not installed or failed, or a file is not the one that SPICE is known to work with.
    """
    maven = shutil.which("mvn")
    if maven is None:
        raise MetricError("make spice: Maven's command mvn is not installed; install the package maven, then try again")
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetch", dir=target) as temporary:
        for name, (coordinates, digest) in JARS.items():
            log.info("fetching %s", coordinates)
            command = [maven, "-q", "-B", _COPY, f"-Dartifact={coordinates}", f"-DoutputDirectory={temporary}"]
            if subprocess.run(command, check=False).returncode != 0:
                raise MetricError(f"make spice: Maven could not get {coordinates}; its own message stands above")
            _put(Path(temporary) / name, target / name, digest)


def _put(fetched: Path, path: Path, digest: str) -> None:
    """Move a file to its place if it is the right one."""
    if not fetched.is_file() or (found := sha256(fetched)) != digest:
        found = found if fetched.is_file() else "of nothing"
        raise MetricError(f"make spice: {path.name} has SHA-256 {found}, not {digest}; it is not used")
    fetched.replace(path)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        fetch(folder())
    except PhotocriticError as error:
        sys.exit(str(error))

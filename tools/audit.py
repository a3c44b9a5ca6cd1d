"""Audit the pinned packages against a list of known vulnerabilities: `python -m tools.audit`.

pip-audit calls packages clean that it could not look up. Here these are counted, and a release that is known to be
vulnerable is looked up first: whoever finds nothing about that one has no list.
"""

import json
import logging
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from photocritic.core.errors import PhotocriticError
from photocritic.core.redaction import redacted

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[1]
LOCKS = (ROOT / "requirements.lock", ROOT / "requirements-uv.lock")
VULNERABLE = "django==3.0"  # CVE-2019-19844 and many more
CLEAN, FOUND, UNKNOWN = 0, 1, 2  # exit statuses
MOST_NAMED = 5
COMMAND = (sys.executable, "-m", "pip_audit", "--progress-spinner", "off", "--format", "json", "--disable-pip")

_PIN = re.compile(r"^[\w.-]+(\[[^]]*\])?==", re.MULTILINE)


class NoList(PhotocriticError):
    """No list of vulnerabilities could be had; the message is the reason."""


def main(locks: tuple[Path, ...] = LOCKS) -> int:
    """Audit, log what was found, and return the exit status.

    Parameters
    ----------
    locks : tuple of Path
        Files of requirements with hashes.

    Returns
    -------
    int
        0: all packages were looked up, and none is known to be vulnerable; 1: some are; 2: there was no list, or not
        all packages were in it.
    """
    pins = sum(len(_PIN.findall(path.read_text(encoding="utf-8"))) for path in locks)
    try:
        _refuse_an_empty_list()
        return judge(look_up("--require-hashes", *locks), pins)
    except NoList as error:
        log.error("audit: no list of vulnerabilities could be had (%s): none of %d packages was audited", error, pins)
        return UNKNOWN


def judge(packages: list[dict[str, Any]], pins: int) -> int:
    """Log what was found about packages, and return the exit status.

    Parameters
    ----------
    packages : list of dict
        pip-audit's dependencies: `name` with `version` and `vulns`, or with `skip_reason`.
    pins : int
        How many packages are pinned; those of other Pythons and machines are not among `packages`.

    Returns
    -------
    int
        As of `main`.
    """
    skipped = [package["name"] for package in packages if "vulns" not in package]
    found = [(package, one) for package in packages for one in package.get("vulns", [])]
    for package, one in found:
        fixed = ", ".join(one["fix_versions"]) or "none yet"
        log.error("%s %s: %s (fixed in: %s)", package["name"], package["version"], one["id"], fixed)
    if skipped:
        named = ", ".join(skipped[:MOST_NAMED]) + (", ..." if len(skipped) > MOST_NAMED else "")
        log.error("audit: %d of %d packages are not in the list and were not audited: %s", len(skipped), pins, named)
    others = f"; {pins - len(packages)} pins are of other Pythons or machines" if pins > len(packages) else ""
    audited = len(packages) - len(skipped)
    log.info("audit: %d known vulnerabilities in the %d packages that were audited%s", len(found), audited, others)
    return FOUND if found else UNKNOWN if skipped or not packages else CLEAN


def look_up(*arguments: str | Path) -> list[dict[str, Any]]:
    """Run pip-audit on files of requirements.

    Parameters
    ----------
    *arguments : str or Path
        Options, and files.

    Returns
    -------
    list of dict
        As `judge` takes them.

    Raises
    ------
    NoList
        pip-audit has failed.
    """
    files = [part for path in arguments for part in (("--requirement", path) if isinstance(path, Path) else (path,))]
    done = subprocess.run([*COMMAND, *files], capture_output=True, encoding="utf-8", errors="replace", check=False)
    try:
        packages: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        raise NoList(_reason(done.stderr)) from None
    return packages


def _refuse_an_empty_list() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "requirements.txt"
        path.write_text(f"{VULNERABLE}\n", encoding="utf-8")
        [package] = look_up("--no-deps", path)
    if not package.get("vulns"):
        reason = package.get("skip_reason") or "nothing stands in it"
        raise NoList(f"{VULNERABLE}, which is known to be vulnerable, was looked up: {reason}")


def _reason(told: str) -> str:
    lines = [line.strip() for line in told.splitlines() if line.strip()] or ["pip-audit has failed"]
    reason = next((line for line in lines if line.startswith("ERROR:")), lines[-1])
    return redacted(reason.removeprefix("ERROR:pip_audit._cli:"))[:200]


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    sys.exit(main())

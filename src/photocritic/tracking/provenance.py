"""What a run's numbers come from: the code, the state of DVC, and the corpus, as tags."""

import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from photocritic.core.files import sha256

LOCK = Path("dvc.lock")
_SMALL = 64 << 20  # bytes of a file that is hashed here
_MADE = (
    ":!dvc.lock",
    ":!reports",
    ":!params.yaml",
)  # what a run writes, and what its tags and parameters record


def commit() -> str:
    """Return the current commit, or an empty text outside a repository."""
    return _git("rev-parse", "HEAD")


def revision_tags() -> dict[str, str]:
    """Return the state of the code and of DVC as tags.

    Returns
    -------
    dict of str to str
        `git_commit`; `dvc_revision`, what DVC calls this state: the commit, with `-dirty` where the code or the graph
        differs from it; `dvc_lock`, the digest of the lock that a stage begins with, which pins what it reads; and
        `dvc_experiment`, the name under `dvc exp run`. What is not known is left out.
    """
    head = commit()
    dirty = "-dirty" if head and _git("status", "--porcelain", "--untracked-files=no", "--", ".", *_MADE) else ""
    tags = {
        "git_commit": head,
        "dvc_revision": head[:12] + dirty,
        "dvc_lock": sha256(LOCK)[:16] if LOCK.is_file() else "",
        "dvc_experiment": os.environ.get("DVC_EXP_NAME", ""),
    }
    return {key: value for key, value in tags.items() if value}


def corpus_tags(reader: str, source: str) -> dict[str, str]:
    """Return the corpus of a run as tags.

    Parameters
    ----------
    reader, source : str
        Of the section `ingest`.

    Returns
    -------
    dict of str to str
        `corpus`, the reader; `corpus_source`; and `corpus_digest`, DVC's hash of the corpus as `ingest` has read it,
        once that has run.
    """
    digest = _locked().get(source, "")
    return {"corpus": reader, "corpus_source": source, **({"corpus_digest": digest} if digest else {})}


def input_digests(paths: Iterable[Path]) -> dict[Path, str]:
    """Hash what a stage reads, without reading a corpus or its shards once more.

    Parameters
    ----------
    paths : iterable of Path
        Files and folders.

    Returns
    -------
    dict of Path to str
        Of a table the beginning of its sha256; of anything else DVC's hash, or the sha256 of a small file that DVC does
        not know yet. What is not there, and a folder that DVC has not hashed yet, are left out.
    """
    locked = _locked()
    found = {path: _digest(path, locked) for path in paths if path.exists()}
    return {path: digest for path, digest in found.items() if digest}


def _digest(path: Path, locked: Mapping[str, str]) -> str:
    if path.suffix != ".parquet" and (known := locked.get(path.as_posix())):
        return known
    if path.is_file() and (path.suffix == ".parquet" or path.stat().st_size <= _SMALL):
        return sha256(path)[:16]
    return ""


def _locked() -> dict[str, str]:
    """Read DVC's hash of everything that a stage has read or written."""
    if not LOCK.is_file():
        return {}
    from ruamel.yaml import YAML

    lock: Mapping[str, Any] = YAML(typ="safe").load(LOCK) or {}
    return {
        str(one["path"]): str(one.get("md5", ""))
        for stage in lock.get("stages", {}).values()
        for one in (*stage.get("deps", ()), *stage.get("outs", ()))
    }


def _git(*words: str) -> str:
    result = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    return result.stdout.strip() if result.returncode == 0 else ""

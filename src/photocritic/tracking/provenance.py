"""What a run's numbers come from: the code, the state of DVC, and the corpus, as tags."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from photocritic.core.files import sha256

LOCK = Path("dvc.lock")
_MADE = (":!dvc.lock", ":!reports", ":!params.yaml")  # what a run itself writes, and what tags and parameters tell


def commit() -> str:
    """Give the commit of the code at hand, or an empty text outside a repository."""
    return _git("rev-parse", "HEAD")


def revision_tags() -> dict[str, str]:
    """Tell the code's and DVC's state.

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
    """Tell which corpus a run is about.

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
    digest = _locked(source)
    return {"corpus": reader, "corpus_source": source, **({"corpus_digest": digest} if digest else {})}


def _locked(source: str) -> str:
    """Give DVC's hash of what ingest has read."""
    if not LOCK.is_file():
        return ""
    from ruamel.yaml import YAML

    lock: Mapping[str, Any] = YAML(typ="safe").load(LOCK) or {}
    deps = lock.get("stages", {}).get("ingest", {}).get("deps", [])
    return next((str(dep.get("md5", "")) for dep in deps if dep.get("path") == source), "")


def _git(*words: str) -> str:
    result = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    return result.stdout.strip() if result.returncode == 0 else ""

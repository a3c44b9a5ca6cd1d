"""Names of pretrained models in params.yaml: a local path, or NAME@REVISION of the Hugging Face hub."""

import logging
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

_PART = r"\w[\w.-]*"
_HUB_NAME = re.compile(rf"{_PART}(/{_PART})?", re.ASCII)
_REVISION = re.compile(rf"{_PART}(/{_PART})*", re.ASCII)  # refs/pr/1 is one
_REVISION_CHARACTERS = 255


@dataclass(frozen=True)
class PretrainedName:
    """Where a pretrained model comes from.

    Attributes
    ----------
    name : str
        Its name on the hub, or a local path.
    revision : str
        A commit hash, a tag or a branch of the hub; empty: the hub's main branch, or none, as local paths have none.
    on_hub : bool
        Whether it is a name on the hub.
    """

    name: str
    revision: str = ""
    on_hub: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """Return the keyword arguments of transformers' `from_pretrained`: the revision, and never code of the hub."""
        return {"trust_remote_code": False} | ({"revision": self.revision} if self.revision else {})


def split(text: str) -> PretrainedName:
    """Split a name from its revision.

    What exists on this machine is a path, and so is what no name on the hub looks like, such as `./model` or
    `/models/gpt2`: an @ belongs to it.

    Parameters
    ----------
    text : str
        A path, or NAME or NAME@REVISION of the hub.

    Returns
    -------
    PretrainedName
        Its parts.

    Raises
    ------
    ValueError
        The revision is malformed, or is that of a local path.
    """
    name = text.partition("@")[0]
    if not _HUB_NAME.fullmatch(name) or _exists(text):
        return PretrainedName(text)
    if name != text and _exists(name):
        raise ValueError(f"{name} is a local path, which has no revision; remove the part from @ on")
    return split_hub_name(text)


def split_hub_name(text: str) -> PretrainedName:
    """Split a name that is never a local path from its revision; otherwise as `split`."""
    name, at, revision = text.partition("@")
    fitting = _REVISION.fullmatch(revision) and ".." not in revision and len(revision) <= _REVISION_CHARACTERS
    if at and not fitting:
        raise ValueError(f"{name[:80]}: what follows @ is no revision; use a commit hash, a tag or a branch")
    return PretrainedName(name, revision, on_hub=True)


@cache
def warn_unless_pinned(chosen: PretrainedName, key: str) -> None:
    """Log a warning, once, where a name on the hub has no revision.

    Parameters
    ----------
    chosen : PretrainedName
        What is about to be loaded.
    key : str
        The key of params.yaml that names it.
    """
    if chosen.on_hub and not chosen.revision:
        log.warning(
            "%s: %s has no revision, so that later runs may load other weights; write %s@<commit hash>",
            key,
            chosen.name,
            chosen.name,
        )


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except OSError:  # longer than any name of a file
        return False

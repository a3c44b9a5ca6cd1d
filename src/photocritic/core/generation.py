"""Several files and folders that change together.

All are written aside first. Then a journal with the hash of each file is put on the disk, and from that moment on the
new generation is the one that counts: whoever comes next carries on with a switch that was killed, and removes what was
killed before its journal was whole. What stood there before is removed last.

For the journal `data/.generations/filter.json` and the target `data/filter/captions.parquet` the new file is written as
`data/filter/.filter.staged/captions.parquet`: on the same disk as its target, whatever is mounted where.
"""

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from photocritic.core.errors import OutputError
from photocritic.core.files import atomic_file, clear_litter, remove, replace, sha256, sync, sync_entry, writable
from photocritic.core.lock import hold

_STAGED = ".staged"
_ABSENT = ""  # the hash of a target that the new generation does not have

logger = logging.getLogger(__name__)


@dataclass
class _Generation:
    """What is being written: by each target the path where it is written meanwhile."""

    journal: Path
    targets: list[Path] = field(default_factory=list)

    def aside(self, target: Path) -> Path:
        target = _absolute(target)
        if target not in self.targets:
            self.targets.append(target)
            self.note(None)
            staged = self.staged(target)
            with writable(target):
                staged.parent.mkdir(parents=True, exist_ok=True)
        return self.staged(target)

    def staged(self, target: Path) -> Path:
        return target.parent / f".{self.journal.stem.lstrip('.')}{_STAGED}" / target.name

    def note(self, hashes: dict[str, str] | None) -> None:
        """Write the journal: without hashes what is written is not whole yet."""
        base = _absolute(self.journal.parent)
        targets = [os.path.relpath(target, base) for target in self.targets]
        with atomic_file(self.journal) as temporary:
            temporary.write_text(json.dumps({"targets": targets, "hashes": hashes}, indent=1) + "\n", encoding="utf-8")
        sync_entry(self.journal.parent)

    def seal(self) -> None:
        """Write everything to the disk, and then the journal that says so."""
        hashes = {}
        for target in self.targets:
            staged = self.staged(target)
            _refuse_kind(staged, target)
            with writable(target):
                if staged.exists():
                    sync(staged)
                    sync_entry(staged.parent)
            hashes[os.path.relpath(target, self.journal.parent)] = sha256(staged) if staged.exists() else _ABSENT
        self.note(hashes)

    def switch(self, hashes: dict[str, str]) -> None:
        """Move each target to its place; repeated after a kill, it ends alike."""
        for target, digest in zip(self.targets, hashes.values(), strict=True):
            staged = self.staged(target)
            old = staged.with_name(f"{staged.name}.old")
            with writable(target):
                if digest == _ABSENT and os.path.lexists(target):
                    target.rename(old)
                elif staged.exists():
                    if old.exists():
                        remove(old)
                    replace(staged, target, old)
        for folder in {target.parent for target in self.targets if target.parent.is_dir()}:
            sync_entry(folder)
        self.discard()

    def discard(self) -> None:
        """Remove what is left aside, and the journal last."""
        for target in self.targets:
            remove(self.staged(target).parent)
        self.journal.unlink(missing_ok=True)


_open: ContextVar[_Generation | None] = ContextVar("photocritic_generation", default=None)


@contextmanager
def generation(journal: Path, wait: bool = False, within: Path | None = None) -> Iterator[None]:
    """Write several files and folders that take their places together when the block ends well.

    Within the block `aside` says where to write each. What was written aside and does not exist when the block ends is
    removed from its place too: no file of an earlier generation stays beside those of a later one.

    Parameters
    ----------
    journal : Path
        A file that names the generation; nobody else writes the same targets under another name.
    wait : bool
        Wait for another process that writes the same, rather than refuse.
    within : Path, optional
        The folder that all targets are in; by default the journal's own.

    Raises
    ------
    PhotocriticError
        Another process writes the same.
    OutputError
        A journal that stands there already is no journal of what is within; or the system refuses to write. What
        stood there before stands there still.
    """
    if _open.get() is not None:  # a part of what is written already
        yield
        return
    with _locked(journal, wait):
        recover(journal, within)
        new = _Generation(journal)
        token = _open.set(new)
        try:
            with writable(journal.parent):
                yield
            new.seal()
        except BaseException:
            with suppress(OSError):  # the next start removes what this one cannot
                new.discard()
            raise
        finally:
            _open.reset(token)
        new.switch(_read(journal)["hashes"])


def aside(target: Path) -> Path:
    """Return where to write what is to stand at a path: aside within a generation, there itself outside of one."""
    new = _open.get()
    return new.aside(target) if new is not None else target


def shown(path: Path) -> Path:
    """Return the path at which something will stand that is written aside, for messages."""
    if path.parent.name.endswith(_STAGED):
        place = path.parents[1] / path.name
        return place.relative_to(Path.cwd()) if place.is_relative_to(Path.cwd()) else place
    return path


def recover(journal: Path, within: Path | None = None) -> None:
    """Finish a switch that was killed, or remove what was killed before it was whole.

    Parameters
    ----------
    journal, within : Path
        As in `generation`.

    Raises
    ------
    OutputError
        It is no journal of what is within, or what was written aside is damaged.
    """
    clear_litter(journal)
    found = _read(journal)
    if found is None:
        return
    base = _absolute(journal.parent)
    old = _Generation(journal, [Path(os.path.normpath(base / name)) for name in found["targets"]])
    if not all(target.is_relative_to(_absolute(within or base)) for target in old.targets):
        raise OutputError(f"{journal}: names files elsewhere, which this program has not written; remove it")
    if found["hashes"] is None:
        logger.info("%s: removing what an interrupted run has left unfinished", journal.stem.lstrip("."))
        old.discard()
        return
    logger.info("%s: finishing what an interrupted run has written", journal.stem.lstrip("."))
    _refuse_damaged(old, found["hashes"])
    old.switch(found["hashes"])


def _refuse_kind(staged: Path, target: Path) -> None:
    """Refuse to put a file in the place of a folder, or a folder in the place of anything else."""
    if not os.path.lexists(target) or not staged.exists() or target.is_symlink():
        return
    if staged.is_dir() != target.is_dir() or not (target.is_dir() or target.is_file()):
        raise OutputError(f"{target}: something of another kind is there; move it away, or choose another place")


def _refuse_damaged(old: _Generation, hashes: dict[str, str]) -> None:
    for target, digest in zip(old.targets, hashes.values(), strict=True):
        staged = old.staged(target)
        if staged.exists() and sha256(staged) != digest:
            for one in old.targets:  # some may be new already, and nobody may read a mixture
                remove(one)
            old.discard()
            raise OutputError(f"{target}: was damaged while a run was interrupted; start again to make it anew")


def recover_all(folder: Path, within: Path) -> None:
    """Recover every generation whose journal stands in a folder.

    Parameters
    ----------
    folder : Path
        The journals.
    within : Path
        The folder that all their targets are in.

    Raises
    ------
    PhotocriticError
        A process of an earlier run still writes one of them.
    """
    for journal in sorted(folder.glob("*.json")):
        with _locked(journal, wait=False):
            recover(journal, within)


@contextmanager
def _locked(journal: Path, wait: bool) -> Iterator[None]:
    place = _absolute(journal.parent)
    what = f"another run writes {journal.stem.lstrip('.')} in {place}"
    with hold(journal.with_suffix(".lock"), what, wait, removed=True):
        yield


def _read(journal: Path) -> Any:
    try:
        found = json.loads(journal.read_text(encoding="utf-8"))
        targets, hashes = list(found["targets"]), found["hashes"]
        return {
            "targets": targets,
            "hashes": None if hashes is None else dict(zip(targets, hashes.values(), strict=True)),
        }
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise OutputError(f"{journal}: not a journal of this program; remove it and start again") from None


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - links stay as they are: a target may be one

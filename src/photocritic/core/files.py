"""Files and folders that are written completely or not at all, and their hashes."""

import errno
import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from photocritic.core.errors import OutputError, PhotocriticError
from photocritic.core.system_errors import advice_on, is_out_of_memory


@contextmanager
def writable(path: Path) -> Iterator[None]:
    """Raise an error that names the path and what to do, where the system refuses to write within the block.

    Raises
    ------
    OutputError
        A full or read-only disk, a missing permission, and their like.
    """
    try:
        yield
    except PhotocriticError:
        raise
    except Exception as error:
        if not is_out_of_memory(error) and (advice := advice_on(error)):
            raise OutputError(f"{getattr(error, 'filename', None) or path}: {advice}") from error
        raise


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Write a file under a temporary name and rename it when the block ends well.

    Parameters
    ----------
    path : Path
        The file; its folder is created.

    Yields
    ------
    Path
        The temporary path to write to, in the same folder and with the same suffix.

    Raises
    ------
    OutputError
        Something other than a file is there, or the system refuses to write.
    """
    with writable(path):
        refuse_special(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        clear_litter(path)
        temporary = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
        try:
            yield temporary
            sync(temporary)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def atomic_dir(path: Path) -> Iterator[Path]:
    """Fill a folder under a temporary name and rename it when the block ends well.

    An existing folder is moved aside first and removed last, so that its content is never lost.

    Parameters
    ----------
    path : Path
        The folder; an existing one is replaced.

    Yields
    ------
    Path
        The temporary, empty folder to fill.

    Raises
    ------
    OutputError
        A file is there, or the system refuses to write.
    """
    temporary, old = (path.with_name(f".{path.name}.{os.getpid()}{end}") for end in ("", ".old"))
    with writable(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        clear_litter(path)
        remove(temporary)
        temporary.mkdir()
        try:
            yield temporary
            sync(temporary)
            replace(temporary, path, old)
        finally:
            if not path.exists() and old.exists():
                old.rename(path)
            remove(temporary)
            remove(old)


def clear_litter(path: Path) -> None:
    """Remove what killed processes have left beside a path while they wrote it; put back what they had moved aside."""
    if not path.parent.is_dir():
        return
    name = re.compile(rf"\.({re.escape(path.name)}|{re.escape(path.stem)})\.(\d+)(\.old|{re.escape(path.suffix)})")
    for left in sorted(path.parent.iterdir()):
        found = name.fullmatch(left.name)
        if not found or _runs(int(found[2])):
            continue
        if found[3] == ".old" and not os.path.lexists(path):
            left.rename(path)
        else:
            remove(left)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # somebody else's
        return True
    return True


def replace(new: Path, path: Path, old: Path) -> None:
    """Rename a file or folder over another one, which is moved to `old` first where it cannot be replaced."""
    if path.is_dir() and not path.is_symlink():
        path.rename(old)
    elif new.is_dir() and os.path.lexists(path):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
    new.replace(path)


def remove(path: Path) -> None:
    """Remove a file or a folder with all that is in it, where there is one."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Write a file, or a folder and all that is in it, from the system's cache to the disk."""
    if path.is_dir():
        for item in path.iterdir():
            sync(item)
    sync_entry(path)


def sync_entry(path: Path) -> None:
    """Write a file, or a folder's own list of names, from the system's cache to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def refuse_special(path: Path) -> None:
    """Raise where something other than a file would be replaced.

    Raises
    ------
    OutputError
        A folder, a device, a pipe or a socket is there.
    """
    if path.exists() and not path.is_file():
        kind = "a folder" if path.is_dir() else "a device, a pipe or a socket"
        raise OutputError(f"{path}: is {kind}, not a file; choose the name of a file to write")


def refuse_foreign(path: Path, inputs: tuple[Path, ...] = (), begins: bytes = b"") -> None:
    """Raise where a command would replace a file that it did not write.

    Parameters
    ----------
    path : Path
        The file that the command is to write.
    inputs : tuple of Path
        What it reads.
    begins : bytes
        What files of its kind begin with.

    Raises
    ------
    OutputError
        There is something other than a file, a link, an input, or a file of another kind.
    """
    refuse_special(path)
    if any(one.exists() and path.exists() and path.samefile(one) for one in inputs):
        raise OutputError(f"{path}: is one of the inputs; choose another file to write")
    if path.is_symlink():
        raise OutputError(f"{path}: is a link to {path.readlink()}; choose the name of a file to write")
    if begins and path.exists() and path.stat().st_size:
        with writable(path), path.open("rb") as stream:
            if stream.read(len(begins)) != begins:
                raise OutputError(f"{path}: has other content, which would be lost; choose another file to write")


def refuse_filled(folder: Path, own: frozenset[str] = frozenset()) -> None:
    """Raise where a command would replace files in a folder that it did not write.

    Parameters
    ----------
    folder : Path
        The folder that the command is to write.
    own : frozenset of str
        The names of all that the command writes; a folder with exactly these was written by it before.

    Raises
    ------
    OutputError
        The folder contains something else.
    """
    with writable(folder):
        found = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if own:  # these are replaced one by one, and hidden files stay
        found = {name for name in found if not name.startswith(".")}
    if found and found != own:
        raise OutputError(
            f"{folder}: contains something else ({min(found)[:80]}), which could be lost; choose a new folder"
        )


def sha256(path: Path) -> str:
    """Hash a file, or a folder's file names and contents in sorted order, as hexadecimal."""
    digest = hashlib.sha256()
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    for file in files:
        if file != path:
            digest.update(file.relative_to(path).as_posix().encode())
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()

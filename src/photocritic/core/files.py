"""Files and folders that appear whole or not at all, and their hashes."""

import errno
import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from photocritic.core.errors import OutputError, PhotocriticError

# What the system refuses a writer, and what a user can do about it.
_ADVICE = {
    errno.ENOSPC: "the disk is full; free some space and start again",
    errno.EDQUOT: "your quota of the disk is used up; free some space and start again",
    errno.EFBIG: "the file is larger than is allowed here; see `ulimit -f`",
    errno.EROFS: "the file system is read-only; choose a place that can be written to",
    errno.EACCES: "permission denied; choose a place that you may read and write",
    errno.EPERM: "permission denied; choose a place that you may read and write",
    errno.EMFILE: "too many open files; raise the limit with `ulimit -n 4096` and start again",
    errno.ENFILE: "too many open files on this machine; close some programs and start again",
    errno.EIO: "the disk reports an error; check it, or choose another place",
    errno.EISDIR: "a folder is there; choose the name of a file",
    errno.ENOTDIR: "a part of the path is a file, not a folder; choose another path",
    errno.EEXIST: "a file is there where a folder should be; choose another path",
    errno.ENAMETOOLONG: "the name is too long; choose a shorter one",
}
_SYSTEM = re.compile(r"(?:os error|errno) (\d+)")  # as libraries in Rust and C++ quote the system
_FULL = ("disk is full", "unexpected pos", "file write failed")  # SQLite, and torch's writer of checkpoints
_OUT_OF_MEMORY = re.compile(
    r"out of memory|(can't|cannot|could not|failed to) allocate|not enough memory|alloc_failed|bad_alloc"
    r"|failed to map segment",  # the loader of shared libraries
    re.IGNORECASE,
)


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Write a file under a temporary name and rename it when the block ends well.

    Parameters
    ----------
    path : Path
        Where the file shall stand in the end; its folder is made.

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

    A folder that stands there is moved aside first and removed last: its content is lost at no moment.

    Parameters
    ----------
    path : Path
        Where the folder shall stand in the end; one that stands there is replaced.

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
    """Put a file or folder in the place of another; what stood there is moved to `old` where it cannot be replaced."""
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
    """Have the system write a file, or a folder and all that is in it, to the disk before this returns."""
    if path.is_dir():
        for item in path.iterdir():
            sync(item)
    sync_entry(path)


def sync_entry(path: Path) -> None:
    """Have the system write a file, or which names a folder has, to the disk; not what stands under them."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def refuse_special(path: Path) -> None:
    """Refuse to replace what is no file.

    Raises
    ------
    OutputError
        A folder, a device, a pipe or a socket is there.
    """
    if path.exists() and not path.is_file():
        kind = "a folder" if path.is_dir() else "a device, a pipe or a socket"
        raise OutputError(f"{path}: is {kind}, not a file; choose the name of a file to write")


def refuse_foreign(path: Path, inputs: tuple[Path, ...] = (), begins: bytes = b"") -> None:
    """Refuse to write where a command would replace something that it has not written.

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
        What is there is no file, a link, an input, or a file of another kind.
    """
    refuse_special(path)
    if any(one.exists() and path.exists() and path.samefile(one) for one in inputs):
        raise OutputError(f"{path}: is what is read; choose another file to write")
    if path.is_symlink():
        raise OutputError(f"{path}: is a link to {path.readlink()}; choose the name of a file to write")
    if begins and path.exists() and path.stat().st_size:
        with writable(path), path.open("rb") as stream:
            if stream.read(len(begins)) != begins:
                raise OutputError(f"{path}: holds something else, which would be lost; choose another file to write")


def refuse_filled(folder: Path, own: frozenset[str] = frozenset()) -> None:
    """Refuse to write a folder where a command would replace something that it has not written.

    Parameters
    ----------
    folder : Path
        The folder that the command is to write.
    own : frozenset of str
        The names of all that the command writes there; where they are what the folder holds, it has written it before.

    Raises
    ------
    OutputError
        There is a folder with something else in it.
    """
    with writable(folder):
        found = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if own:  # these are replaced one by one, and hidden files stay
        found = {name for name in found if not name.startswith(".")}
    if found and found != own:
        raise OutputError(
            f"{folder}: holds something else ({min(found)[:80]}), which could be lost; choose a new folder"
        )


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
        if not is_out_of_memory(error) and (advice := _advice(error)):
            raise OutputError(f"{getattr(error, 'filename', None) or path}: {advice}") from error
        raise


def refused(error: Exception) -> str:
    """Return in one line what the system refused, where, and what to do; empty where the error is of another kind."""
    reason = _advice(error)
    if not reason and isinstance(error, OSError):
        reason = " ".join((error.strerror or str(error) or type(error).__name__).split())
    # Of a file that is renamed, the name that it should have had.
    place = getattr(error, "filename2", None) or getattr(error, "filename", None)
    return f"{place}: {reason}" if place and reason else reason


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error is an allocation that failed, in main memory or on a GPU."""
    return isinstance(error, MemoryError) or bool(_OUT_OF_MEMORY.search(str(error)))


def _advice(error: Exception) -> str:
    if is_out_of_memory(error):
        return "out of memory; close other programs, or run on a machine with more"
    number = error.errno if isinstance(error, OSError) else None
    if number is None and (quoted := _SYSTEM.search(str(error))):
        number = int(quoted[1])
    if number is None and any(words in str(error) for words in _FULL):
        number = errno.ENOSPC
    return _ADVICE.get(number or 0, "")


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

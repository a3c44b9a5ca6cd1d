"""What the system refuses a writer, and a shortage of memory, as one line that says what to do."""

import errno
import re

# What a user can do about an error of the system.
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


def refused(error: Exception) -> str:
    """Return in one line what the system refused, where, and what to do; empty where the error is of another kind."""
    reason = advice_on(error)
    if not reason and isinstance(error, OSError):
        reason = " ".join((error.strerror or str(error) or type(error).__name__).split())
    # Of a file that is renamed, the name that it should have had.
    place = getattr(error, "filename2", None) or getattr(error, "filename", None)
    return f"{place}: {reason}" if place and reason else reason


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error is an allocation that failed, in main memory or on a GPU."""
    return isinstance(error, MemoryError) or bool(_OUT_OF_MEMORY.search(str(error)))


def advice_on(error: Exception) -> str:
    """Return what a user can do about an error of the system; empty where the error is of another kind."""
    if is_out_of_memory(error):
        return "out of memory; close other programs, or run on a machine with more"
    number = error.errno if isinstance(error, OSError) else None
    if number is None and (quoted := _SYSTEM.search(str(error))):
        number = int(quoted[1])
    if number is None and any(words in str(error) for words in _FULL):
        number = errno.ENOSPC
    return _ADVICE.get(number or 0, "")

"""Tar archives of unknown origin: regular members only, none of them larger than it may be."""

import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from photocritic.core.limits import IMAGE_BYTES, MIB, NAME_BYTES
from photocritic.ingest.parsing.encoding import open_regular

_HEADER_BYTES = 4 * NAME_BYTES  # of one header; extended ones hold a name and some numbers


class _Headers:
    """The archive as `tarfile` sees it, which reads headers alone and believes whatever size they claim."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.seek, self.tell = stream.seek, stream.tell

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _HEADER_BYTES:
            raise tarfile.ReadError(f"a header of {size} bytes")
        return self._stream.read(size)


class Archive:
    """A tar archive, member by member.

    Parameters
    ----------
    stream : BinaryIO
        The archive, uncompressed.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._tar = tarfile.open(fileobj=_Headers(stream), mode="r:")  # type: ignore[call-overload]  # noqa: SIM115

    def __iter__(self) -> Iterator[tarfile.TarInfo]:
        """Yield the members' headers.

        Raises
        ------
        tarfile.TarError, OSError, ValueError, RecursionError, OverflowError
            The archive is damaged from here on.
        """
        before = -1
        for info in self._tar:
            if info.size < 0 or self._tar.offset <= before:
                raise tarfile.ReadError("a damaged header")  # a negative size would lead back, and in circles
            before = self._tar.offset
            yield info
            self._tar.members = []  # tarfile would remember every header it passes
        self._stream.seek(self._tar.offset)
        if any(self._stream.read(tarfile.BLOCKSIZE)):  # tarfile takes a damaged header for the end
            raise tarfile.ReadError("a damaged header")

    def read(self, info: tarfile.TarInfo) -> bytes:
        """Read a member, which `flaw_in_member` has nothing against.

        Raises
        ------
        tarfile.ReadError
            The archive ends before the member does.
        """
        self._stream.seek(info.offset_data)
        data = self._stream.read(info.size)
        if len(data) < info.size:
            raise tarfile.ReadError("unexpected end of data")
        return data


@contextmanager
def open_tar(path: Path) -> Iterator[Archive]:
    """Open an archive. Raises CorpusError where it is no regular file, and as `Archive` where it is damaged."""
    with open_regular(path) as stream:
        yield Archive(stream)


def flaw_in_member(info: tarfile.TarInfo, most: int = IMAGE_BYTES) -> str:
    """Return why a member must not be read, or nothing."""
    if not info.isreg() or info.issparse():
        return "not a regular file"
    return f"image too large: more than {most // MIB} MB" if info.size > most else ""

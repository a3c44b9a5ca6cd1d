"""Text files of a corpus: regular files alone, and no compressed ones."""

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from photocritic.core.errors import CorpusError
from photocritic.ingest.records import Image, Record, Rejected

Read = Callable[..., list[Record]]


def of(kind: Any, records: list[Record]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


# what never ends, or waits
@pytest.mark.parametrize("make", ["fifo", "zero", "socket", "folder"])
@pytest.mark.parametrize("reader", ["conceptual", "folder", "dpc"])
def test_only_regular_files_are_opened(
    corpus: Path, read: Read, make: str, reader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = {"conceptual": "images/0.txt", "folder": "images/x.jpg", "dpc": "x.json"}[reader]
    place = corpus / name
    if make == "fifo":
        os.mkfifo(place)
    elif make == "zero":
        place.symlink_to("/dev/zero")
    elif make == "folder":
        place.mkdir()
    else:
        monkeypatch.chdir(place.parent)  # a socket's address has a hundred bytes at most
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(place.name)
    if reader == "dpc":
        with pytest.raises(CorpusError):
            read(reader, place)
        return
    records = read(reader, corpus / "images" if reader == "conceptual" else corpus)
    if make != "folder":
        assert [item.reason for item in of(Rejected, records) if "0.txt" in item.content or "x.jpg" in item.content]
    assert len(of(Image, records)) == 3


@pytest.mark.parametrize("head", [b"\x1f\x8b\x08", b"PK\x03\x04", b"BZh9", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"])
def test_a_compressed_file_is_reported(corpus: Path, read: Read, head: bytes) -> None:
    (corpus / "comments.csv").write_bytes(head + b"rest")
    with pytest.raises(CorpusError, match="compressed"):
        read("folder", corpus)

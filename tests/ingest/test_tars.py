"""Tar archives made to do harm: members that are no files, and sizes that are not true."""

import io
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from photocritic.ingest.records import Comment, Image, Record, Rejected

Read = Callable[..., list[Record]]


def of(kind: Any, records: list[Record]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_a_tar_member_that_is_no_file_is_turned_away(tmp_path: Path, read: Read, kind: bytes) -> None:
    with tarfile.open(tmp_path / "0.tar", "w") as tar:
        for name, member_kind in (("a.jpg", tarfile.REGTYPE), ("a.txt", kind)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = member_kind, "/etc/hostname"
            tar.addfile(info, io.BytesIO())
    records = read("conceptual", tmp_path)
    assert [item.reason for item in of(Rejected, records)] == ["not a regular file"]
    assert not of(Comment, records)


def test_a_header_that_claims_a_terabyte_ends_the_archive(tmp_path: Path, read: Read) -> None:
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, 2**40
    good = io.BytesIO()
    with tarfile.open(fileobj=good, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("a.jpg"), io.BytesIO())
    (tmp_path / "0.tar").write_bytes(good.getvalue()[:512] + info.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    records = read("conceptual", tmp_path)
    assert [item.image_id for item in of(Image, records)] == ["a.jpg"]
    assert [item.reason.split(":")[0] for item in of(Rejected, records)] == ["damaged archive"]


def test_a_negative_size_does_not_lead_in_circles(tmp_path: Path, read: Read) -> None:
    info = tarfile.TarInfo("a.jpg")
    info.size = -512
    (tmp_path / "0.tar").write_bytes(info.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    assert [item.reason.split(":")[0] for item in of(Rejected, read("conceptual", tmp_path))] == ["damaged archive"]

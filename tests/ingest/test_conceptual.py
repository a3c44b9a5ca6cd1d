"""Conceptual Captions: addresses, and each layout that img2dataset writes."""

import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from photocritic.core.errors import CorpusError
from photocritic.ingest.parsing.image_text_pairs import read_tar
from photocritic.ingest.records import Comment, Image, Record, Rejected

Read = Callable[..., list[Record]]
Members = list[tuple[str, bytes]]


def of(kind: Any, records: list[Record]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def pack(path: Path, members: Members) -> Path:
    with tarfile.open(path, "w") as tar:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


def members_of(picture: bytes) -> Members:
    members: Members = []
    for key in ("000000000", "000000001", "000000002"):
        members += [(f"{key}.jpg", picture), (f"{key}.json", json.dumps({"caption": f"from {key}"}).encode())]
        members += [(f"{key}.txt", f"on {key}".encode())] if key[-1] != "2" else []
    return members


def expected() -> list[tuple[str, str]]:
    return [(f"00000000{n}.jpg", text) for n, text in enumerate(["on 000000000", "on 000000001", "from 000000002"])]


def test_addresses(tmp_path: Path, read: Read) -> None:
    path = tmp_path / "Train_GCC.tsv"
    path.write_bytes(b'a "quoted cat\thttp://x/1\nagain\thttp://x/1\nno address\nbad \xff\thttp://x/2\nempty\t\n')
    records = read("conceptual", tmp_path)
    assert len(of(Image, records)) == 1
    assert len({item.image_id for item in of(Comment, records)}) == 1
    assert [item.text for item in of(Comment, records)] == ['a "quoted cat', "again"]
    assert [item.reason for item in of(Rejected, records)] == [
        "malformed row: 1 fields where caption and url belong",
        "not UTF-8",
        "no image address",
    ]


def test_webdataset(tmp_path: Path, read: Read, picture: Callable[..., bytes]) -> None:
    pack(tmp_path / "00000.tar", members_of(picture()))
    rows = [{"key": "000000003", "url": "http://x", "status": "failed_to_download", "error_message": "HTTP 404"}]
    pq.write_table(
        pa.Table.from_pylist([{"key": "0", "url": "", "status": "success"}, *rows]), tmp_path / "00000.parquet"
    )
    records = read("conceptual", tmp_path)
    assert [(item.image_id, item.text) for item in of(Comment, records)] == expected()
    assert [image.data for image in of(Image, records)] == [picture()] * 3
    [failed] = of(Rejected, records)
    assert (failed.reason.split(":")[0], failed.source, failed.content) == (
        "not downloaded",
        "00000.parquet",
        "http://x",
    )


def test_loose_files(tmp_path: Path, read: Read, picture: Callable[..., bytes]) -> None:
    (tmp_path / "00000").mkdir()
    for name, data in members_of(picture()):
        (tmp_path / "00000" / name).write_bytes(data)
    (tmp_path / "00000_stats.json").write_text("{}")
    records = read("conceptual", tmp_path)
    assert [(item.image_id, item.text) for item in of(Comment, records)] == [(f"00000/{i}", t) for i, t in expected()]
    assert not of(Rejected, records)


@pytest.mark.parametrize("nested", [False, True])
def test_parquet_with_images(tmp_path: Path, read: Read, picture: Callable[..., bytes], nested: bool) -> None:
    data: Any = {"bytes": picture(), "path": None} if nested else picture()
    column = "image" if nested else "jpg"
    rows = [
        {"key": "1", "caption": "one", "status": "success", column: data},
        {"key": "2", "caption": "two", "status": "failed_to_resize", column: None},
        {"key": "3", "caption": None, "status": "success", column: data},
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "00000.parquet")
    records = read("conceptual", tmp_path)
    assert [image.image_id for image in of(Image, records)] == ["1.jpg", "3.jpg"]
    assert [(item.image_id, item.text) for item in of(Comment, records)] == [("1.jpg", "one")]
    assert [item.reason for item in of(Rejected, records)] == ["not downloaded: failed_to_resize"]


def test_parquet_of_addresses(tmp_path: Path, read: Read) -> None:
    pq.write_table(pa.table({"caption": ["a", "b"], "url": ["http://1", "http://2"]}), tmp_path / "u.parquet")
    assert len(of(Comment, read("conceptual", tmp_path))) == 2
    pq.write_table(pa.table({"foo": [1]}), tmp_path / "u.parquet")
    with pytest.raises(CorpusError, match="no columns 'caption' and 'url', and no images; found foo"):
        read("conceptual", tmp_path)
    (tmp_path / "u.parquet").write_bytes(b"PAR1 nonsense")
    with pytest.raises(CorpusError, match=r"u\.parquet: not a readable Parquet file"):
        read("conceptual", tmp_path)


def test_text_that_is_not_utf8_in_parquet_costs_one_row(tmp_path: Path, read: Read) -> None:
    broken = pa.StringArray.from_buffers(2, pa.py_buffer(b"\0\0\0\0\1\0\0\0\2\0\0\0"), pa.py_buffer(b"\xffb"))
    pq.write_table(pa.table({"caption": broken, "url": ["http://1", "http://2"]}), tmp_path / "u.parquet")
    assert [item.text for item in of(Comment, read("conceptual", tmp_path))] == ["\udcff", "b"]


def test_a_damaged_archive_gives_what_stands_before(tmp_path: Path, picture: Callable[..., bytes]) -> None:
    path = pack(tmp_path / "0.tar", members_of(picture()))
    whole = path.read_bytes()
    with tarfile.open(path) as tar:
        third = tar.getmember("000000001.jpg").offset
    for damaged in (whole[: third + 700], whole[:third] + b"\xaa" * 512 + whole[third + 512 :]):
        path.write_bytes(damaged)
        records = list(read_tar(path))
        assert isinstance(records[0], Image)
        assert any(item.reason.startswith("damaged archive") for item in of(Rejected, records))


def test_two_images_of_one_key_and_none(tmp_path: Path, picture: Callable[..., bytes]) -> None:
    path = pack(
        tmp_path / "0.tar",
        [("a.jpg", picture()), ("a.png", picture()), ("b.txt", b"alone"), ("c.jpg", b"x"), ("c.json", b"{")],
    )
    records = list(read_tar(path))
    assert [item.image_id for item in of(Image, records)] == ["a.jpg", "c.jpg"]
    assert [item.reason.split(":")[0] for item in of(Rejected, records)] == [
        "second image of one key",
        "no such image file",
        "malformed row",
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100)
@given(st.data())
def test_no_archive_crashes_the_reader(tmp_path: Path, data: st.DataObject) -> None:
    path = pack(tmp_path / "0.tar", [("a.jpg", b"x" * 30), ("a.txt", b"hm"), ("b.jpg", b"y")])
    whole = bytearray(path.read_bytes()[:4096])
    for place, value in data.draw(st.lists(st.tuples(st.integers(0, len(whole) - 1), st.integers(0, 255)), max_size=6)):
        whole[place] = value
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    assert list(read_tar(path)) == list(read_tar(path))


def test_nothing_to_read(tmp_path: Path, read: Read) -> None:
    with pytest.raises(CorpusError, match=r"no \.tsv, \.parquet or \.tar file"):
        read("conceptual", tmp_path)

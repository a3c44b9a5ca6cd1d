"""Only regular files of a bounded size are read, and nothing that waits."""

import os
import socket
from pathlib import Path

import pytest

from photocritic.core.errors import UnreadableImage
from photocritic.core.limits import IMAGE_BYTES
from photocritic.images.worker_process import read


def refused(path: Path) -> str:
    with pytest.raises(UnreadableImage) as error:
        read(path)
    return str(error.value)


def test_a_file_and_a_link_to_it_are_read(tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"bytes")
    (tmp_path / "b.jpg").symlink_to("a.jpg")
    assert read(tmp_path / "a.jpg") == read(tmp_path / "b.jpg") == read(b"bytes")


@pytest.mark.timeout(30)
def test_what_is_no_file_is_refused_and_never_waited_for(tmp_path, monkeypatch):  # M1
    os.mkfifo(tmp_path / "pipe.jpg")
    (tmp_path / "folder.jpg").mkdir()
    (tmp_path / "endless.jpg").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listening:
        monkeypatch.chdir(tmp_path)  # the address of a socket is short
        listening.bind("socket.jpg")
        for name in ("pipe.jpg", "folder.jpg", "endless.jpg", "socket.jpg"):
            assert refused(tmp_path / name) == "unreadable file: not a regular file", name


def test_what_cannot_be_opened_is_reported(tmp_path):
    (tmp_path / "loop.jpg").symlink_to("loop.jpg")
    assert refused(tmp_path / "gone.jpg") == "unreadable file: No such file or directory"
    assert refused(tmp_path / "loop.jpg") == "unreadable file: Too many levels of symbolic links"
    assert refused(tmp_path / "a\0b.jpg").startswith("unreadable file: ")


def test_a_file_of_many_gigabytes_is_refused_by_its_size(tmp_path):  # M7
    with (tmp_path / "huge.jpg").open("wb") as stream:
        stream.truncate(6 << 30)
    assert refused(tmp_path / "huge.jpg") == f"image too large: more than {IMAGE_BYTES >> 20} MB"

"""Shards give back what was put in, and are the same each time."""

import hashlib
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from photocritic.core.errors import CorpusError
from photocritic.images.shards import ShardWriter, read_images


def fill(folder: Path, images: list[bytes], **limits: int) -> list[str]:
    folder.mkdir(exist_ok=True)
    with ShardWriter(folder, **limits) as shards:
        return [shards.add(data, "JPEG") for data in images]


def read(paths: Sequence[str], folder: Path, images: Sequence[bytes]) -> list[bytes]:
    return list(read_images(paths, folder, [hashlib.sha256(image).hexdigest() for image in images]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30)
@given(st.lists(st.binary(max_size=600), min_size=1, max_size=12), st.integers(1, 4), st.randoms())
def test_images_come_back_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, images: list[bytes], size: int, random: object
) -> None:
    folder = tmp_path_factory.mktemp("shards")
    paths = fill(folder, images, max_images=size)
    order = list(range(len(images)))
    random.shuffle(order)  # type: ignore[attr-defined]
    shuffled = [images[place] for place in order]
    assert read([paths[place] for place in order], folder, shuffled) == shuffled
    assert len(list(folder.iterdir())) == -(-len(images) // size)


def test_a_shard_ends_before_it_grows_too_large(tmp_path: Path) -> None:
    paths = fill(tmp_path, [b"x" * 60, b"y" * 60, b"z" * 500, b"w"], max_bytes=120)
    assert [path.split("/")[0] for path in paths] == ["00000.tar", "00000.tar", "00001.tar", "00002.tar"]


def test_headers_say_nothing_about_the_machine(tmp_path: Path) -> None:
    fill(tmp_path / "one", [b"a", b"bc"])
    fill(tmp_path / "two", [b"a", b"bc"])
    assert (tmp_path / "one" / "00000.tar").read_bytes() == (tmp_path / "two" / "00000.tar").read_bytes()
    with tarfile.open(tmp_path / "one" / "00000.tar") as tar:
        assert [(info.name, info.mtime, info.uid, info.uname, info.mode) for info in tar] == [
            ("000000000.jpg", 0, 0, "", 0o644),
            ("000000001.jpg", 0, 0, "", 0o644),
        ]


def test_what_is_missing_is_reported(tmp_path: Path) -> None:
    fill(tmp_path, [b"a"])
    with pytest.raises(CorpusError, match="only text"):
        read([""], tmp_path, [b"a"])
    with pytest.raises(CorpusError, match=r"00001\.tar: no such shard"):
        read(["00001.tar/x.jpg"], tmp_path, [b"a"])
    with pytest.raises(CorpusError, match=r"contains no image 'x\.jpg'"):
        read(["00000.tar/x.jpg"], tmp_path, [b"a"])


def test_a_rewritten_shard_is_read_anew(tmp_path: Path) -> None:
    [path] = fill(tmp_path, [b"old"])
    assert read([path], tmp_path, [b"old"]) == [b"old"]
    fill(tmp_path, [b"newer", b"x" * 20_000])
    assert read([path], tmp_path, [b"newer"]) == [b"newer"]

"""Files and folders appear whole or not at all."""

import pytest

from photocritic.core.errors import OutputError
from photocritic.core.files import atomic_dir, atomic_file, refuse_filled, sha256


def test_a_file_appears_when_the_block_ends_well(tmp_path):
    with atomic_file(tmp_path / "new" / "a.txt") as path:
        path.write_text("whole")
        assert not (tmp_path / "new" / "a.txt").exists()
    assert (tmp_path / "new" / "a.txt").read_text() == "whole"


def test_what_stood_before_stays_when_the_block_breaks(tmp_path):
    (tmp_path / "a.txt").write_text("before")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "b").write_text("before")
    with pytest.raises(ValueError, match="broken"), atomic_file(tmp_path / "a.txt") as path:
        path.write_text("half")
        raise ValueError("broken")
    with pytest.raises(ValueError, match="broken"), atomic_dir(tmp_path / "folder") as path:
        (path / "b").write_text("half")
        raise ValueError("broken")
    assert (tmp_path / "a.txt").read_text() == (tmp_path / "folder" / "b").read_text() == "before"
    assert sorted(item.name for item in tmp_path.iterdir()) == ["a.txt", "folder"]


def test_a_folder_is_replaced_whole(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "old").write_text("old")
    with atomic_dir(tmp_path / "folder") as path:
        (path / "new").write_text("new")
    assert [item.name for item in (tmp_path / "folder").iterdir()] == ["new"]


def test_hashes_tell_contents_and_names_apart(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x").write_text("1")
    (tmp_path / "b" / "x").rename(tmp_path / "b" / "y")
    assert sha256(tmp_path / "a") == sha256(tmp_path / "c") != sha256(tmp_path / "b")
    assert sha256(tmp_path / "a" / "x") == sha256(tmp_path / "b" / "y")


def test_a_folder_is_written_where_there_is_nothing_or_what_the_command_has_written(tmp_path):
    refuse_filled(tmp_path / "new")
    refuse_filled(tmp_path)
    (tmp_path / ".git").mkdir()
    with pytest.raises(OutputError, match="contains something else"):
        refuse_filled(tmp_path)
    for name in ("a", "b"):
        (tmp_path / name).touch()
    refuse_filled(tmp_path, frozenset("ab"))
    for own in ("a", "abc", "c"):
        with pytest.raises(OutputError, match="contains something else"):
            refuse_filled(tmp_path, frozenset(own))

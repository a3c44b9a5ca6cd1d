"""Image-text pairs of the same name in two folders."""

import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

TakeIn = Callable[..., Any]


# two files of one name
def test_pairs_of_one_name_in_two_folders_stay_apart(tmp_path: Path, take_in: TakeIn, picture: Any) -> None:
    for number, place in enumerate("ab"):
        (tmp_path / "c" / place).mkdir(parents=True)
        (tmp_path / "c" / place / "000.jpg").write_bytes(picture((90 * number, 9, 200)))
        (tmp_path / "c" / place / "000.txt").write_text(f"the caption of {place}")
    with tarfile.open(tmp_path / "pairs.tar", "w") as tar:
        tar.add(tmp_path / "c", arcname="")
    for number, source in enumerate([tmp_path / "c", tmp_path / "pairs.tar"]):
        _, tables = take_in(source, reader="conceptual", out=str(number))
        assert {row["image_id"]: row["text"] for row in tables["comments"]} == {
            "a/000.jpg": "the caption of a",
            "b/000.jpg": "the caption of b",
        }

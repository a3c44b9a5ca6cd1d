"""The sample written as files, in the format in which own data is brought."""

import json
from collections.abc import Iterator
from pathlib import Path

from photocritic.core.files import atomic_dir
from photocritic.sample.scene import Scene, generate

Row = dict[str, str | list[str]]


def write(folder: Path, count: int = 600, seed: int = 7) -> int:
    """Write the sample as a corpus of the `folder` format.

    The folder then holds `images/<image>` and `comments.jsonl`, whose rows have the keys image, comment_id, author and
    text; those of stylised captions have style, those of critiques aspect, and the first row of each image has its
    labels.

    Parameters
    ----------
    folder : Path
        Where the corpus shall stand; it appears whole or not at all, and replaces what stands there.
    count, seed : int
        As for `generate`.

    Returns
    -------
    int
        Number of comments written.
    """
    written = 0
    with atomic_dir(folder) as temporary:
        (temporary / "images").mkdir()
        with (temporary / "comments.jsonl").open("w", encoding="utf-8", newline="\n") as stream:
            for scene in generate(count, seed):
                (temporary / "images" / _name(scene)).write_bytes(scene.image)
                stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(scene))
                written += len(scene.comments)
    return written


def _name(scene: Scene) -> str:
    return f"{scene.image_id}.jpg"


def _rows(scene: Scene) -> Iterator[Row]:
    for number, comment in enumerate(scene.comments):
        row: Row = {
            "image": _name(scene),
            "comment_id": comment.comment_id,
            "author": comment.author_id,
            "text": comment.text,
        }
        if comment.style is not None:
            row["style"] = comment.style
        if comment.aspect is not None:
            row["aspect"] = comment.aspect
        if number == 0:
            row["labels"] = list(scene.labels)
        yield row

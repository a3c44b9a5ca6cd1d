"""Finding a corpus's files in the folder that a user named."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from photocritic.corpus.records import Image, Rejected, printable
from photocritic.errors import CorpusError

IMAGE_SUFFIXES = {".jpg", ".jpeg", ".jfif", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ppm"}
IMAGES = "images"  # the usual name of the folder of images in a corpus


def walk(folder: Path) -> Iterator[Path]:
    """List the files under a folder, without hidden ones, in an order that does not depend on the file system."""
    for place, folders, files in os.walk(folder, onerror=_refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place, name) for name in sorted(files) if not name.startswith("."))


def _refuse(error: OSError) -> None:
    raise CorpusError(f"{error.filename}: cannot be read: {error.strerror}")


def is_image(path: Path) -> bool:
    """Tell by its suffix whether a file is meant to be an image."""
    return path.suffix.lower() in IMAGE_SUFFIXES


def image_folder(root: Path) -> Path:
    """Give the folder in which a corpus keeps its images: `images`, or the corpus's own folder."""
    return root / IMAGES if (root / IMAGES).is_dir() else root


def resolve(root: Path, name: str, key: str) -> Path:
    """Find a file that a parameter names.

    Parameters
    ----------
    root : Path
        The corpus's folder, which relative names start from.
    name : str
        The parameter's value.
    key : str
        The parameter, for the message.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    CorpusError
        There is no such file.
    """
    path = root / name
    if not path.is_file():
        raise CorpusError(f"{key}: no file '{name}' in {root}; there are {_listed(p for p in walk_top(root))}")
    return path


def choose(root: Path, suffixes: Iterable[str], key: str, stem: str = "", without: Iterable[Path] = ()) -> Path:
    """Find the one file that a parameter left open can mean.

    Parameters
    ----------
    root : Path
        The corpus's folder; files right in it are looked at.
    suffixes : iterable of str
        The kinds of file that may be meant.
    key : str
        The parameter that would name it, for the message.
    stem : str
        A file of this name wins over others.
    without : iterable of Path
        Files that are known to be something else.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    CorpusError
        There is none, or there are several and none is named `stem`.
    """
    kinds = tuple(suffixes)
    taken = set(without)
    candidates = [path for path in walk_top(root) if path.suffix.lower() in kinds and path not in taken]
    preferred = [path for path in candidates if path.stem.lower() == stem]
    if len(preferred) == 1 or len(candidates) == 1:
        return (preferred or candidates)[0]
    if candidates:
        raise CorpusError(f"{root}: several files may be meant ({_listed(candidates)}); name one by {key}")
    raise CorpusError(f"{root}: no {' or '.join(kinds)} file; bring one, or name it by {key}")


def walk_top(root: Path) -> list[Path]:
    """List the files right in a folder, without hidden ones, sorted."""
    return sorted(path for path in root.iterdir() if path.is_file() and not path.name.startswith("."))


def _listed(paths: Iterable[Path]) -> str:
    names = [path.name for path in paths if not is_image(path)]
    return ", ".join(names[:10]) + (", ..." if len(names) > 10 else "") if names else "none"


class Gallery:
    """The image files of a corpus by file name, wherever they lie; empty where only text is at hand.

    Parameters
    ----------
    root : Path
        The corpus's folder, all of which is searched.
    """

    def __init__(self, root: Path) -> None:
        self._files: dict[str, Path] = {}
        for path in walk(image_folder(root)):
            if is_image(path):
                self._files.setdefault(path.name, path)

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def image(
        self, image_id: str, source: str, position: str, split: str | None = None, labels: tuple[str, ...] = ()
    ) -> Image | Rejected:
        """Make the record of an image that the corpus names.

        Returns
        -------
        Image or Rejected
            With the path of its file, or with none where the whole corpus has none; Rejected where other images are
            there and this one is not.
        """
        path = self._files.get(image_id)
        if self._files and path is None:
            return Rejected(
                source=source,
                position=position,
                kind="image",
                reason="no such image file",
                content=printable(image_id),
                image_id=image_id,
            )
        return Image(image_id=image_id, data=path, source=source, position=position, split=split, labels=labels)

"""The files of a corpus, in the folder that a user named."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from photocritic.core.errors import CorpusError
from photocritic.images.formats import SUFFIXES
from photocritic.ingest.records import Image, Rejected, normal, printable, shown

OTHER_IMAGES = {".avif", ".jxl", ".jp2", ".psd", ".svg", ".dng", ".raw", ".cr2", ".cr3", ".nef", ".arw", ".orf", ".rw2"}
IMAGES = "images"  # the usual name of the folder of images in a corpus


def walk(folder: Path) -> Iterator[Path]:
    """List the files under a folder, without hidden ones, in an order that does not depend on the file system."""
    for place, folders, files in os.walk(folder, onerror=_refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place, name) for name in sorted(files) if not name.startswith("."))


def _refuse(error: OSError) -> None:
    raise CorpusError(f"{error.filename}: cannot be read: {error.strerror}")


def is_image(path: Path) -> bool:
    """Return whether a file is an image by its suffix."""
    return path.suffix.lower() in SUFFIXES


def image_folder(root: Path) -> Path:
    """Return the folder in which a corpus keeps its images: `images`, or the corpus's own folder.

    Raises
    ------
    CorpusError
        `images` is a link that leads out of the corpus.
    """
    return contained(root / IMAGES, root) if (root / IMAGES).is_dir() else root


def contained(path: Path, root: Path) -> Path:
    """Return a path of a corpus, once it is sure that no link in it leads elsewhere.

    Raises
    ------
    CorpusError
        Its target is not in the corpus's folder, or cannot be found.
    """
    try:
        inside = path.resolve(strict=True).is_relative_to(root.resolve(strict=True))
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a circle
        raise CorpusError(f"{path}: cannot be opened: {error}") from None
    if not inside:
        raise CorpusError(f"{path}: leads out of the corpus {root}; copy the file itself there instead of a link")
    return path


def flaw_in_file(path: Path, root: Path) -> str:
    """Return why a file of a corpus must not be opened, or nothing.

    Parameters
    ----------
    path : Path
        A file found by `walk`, which follows no links to folders.
    root : Path
        The corpus's folder.

    Returns
    -------
    str
        The reason to reject it: a link that leads out of the corpus, no regular file, or none at all.
    """
    try:
        state = path.lstat()
        if stat.S_ISLNK(state.st_mode):
            if not path.resolve(strict=True).is_relative_to(root.resolve()):
                return "link leads out of the corpus"
            state = path.stat()
    except (OSError, RuntimeError) as error:
        return f"unreadable file: {getattr(error, 'strerror', None) or 'links in a circle'}"
    return "" if stat.S_ISREG(state.st_mode) else "not a regular file"


def refuse_other_images(files: Iterable[Path], folder: Path) -> None:
    """Raise where a corpus has images in unsupported formats alone: it is not one of text only.

    Raises
    ------
    CorpusError
        There is such a file.
    """
    other = next((path for path in files if path.suffix.lower() in OTHER_IMAGES), None)
    if other is not None:
        raise CorpusError(
            f"{folder}: no image in a supported format, only others such as {shown(other.name)}; convert them to JPEG"
        )


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
        There is no such file, or it does not lie in the corpus's folder.
    """
    path = root / name
    if not is_there(path) or path.is_dir():
        listed = _listed(p for p in walk_top(root))
        raise CorpusError(f"{key}: no file '{shown(name, 200)}' in {root}; available: {listed}")
    return contained(path, root)


def is_there(path: Path) -> bool:
    """Return whether a path that a user gave leads to something."""
    try:
        return path.exists()
    except OSError:  # such as a name that is too long for any file
        return False


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
        return contained((preferred or candidates)[0], root)
    if candidates:
        raise CorpusError(f"{root}: several files are possible ({_listed(candidates)}); choose one with {key}")
    raise CorpusError(f"{root}: no {' or '.join(kinds)} file; add one, or name it with {key}")


def walk_top(root: Path) -> list[Path]:
    """List the files right in a folder, without hidden ones, sorted."""
    try:
        return sorted(path for path in root.iterdir() if path.is_file() and not path.name.startswith("."))
    except OSError as error:
        raise CorpusError(f"{root}: cannot be read: {error.strerror}") from None


def _listed(paths: Iterable[Path]) -> str:
    names = [shown(path.name) for path in paths if not is_image(path)]
    return ", ".join(names[:10]) + (", ..." if len(names) > 10 else "") if names else "none"


class Gallery:
    """The image files of a corpus, wherever they lie; empty where only text is at hand.

    An image is named by its path in the folder of images, or by its file's name where no other file has the same.

    Parameters
    ----------
    root : Path
        The corpus's folder, all of which is searched.

    Raises
    ------
    CorpusError
        There are images, but none in a supported format.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: dict[str, Path | None] = {}  # None: several files have this name
        folder = image_folder(root)
        files = list(walk(folder))
        images = [path for path in files if is_image(path)]
        for path in images:
            name = normal(path.name)
            self._files[name] = None if name in self._files else path
        self._files |= {normal(path.relative_to(folder).as_posix()): path for path in images}
        if not images:
            refuse_other_images(files, folder)

    def __contains__(self, name: str) -> bool:
        return normal(name) in self._files

    def image(
        self, image_id: str, source: str, position: str, split: str | None = None, labels: tuple[str, ...] = ()
    ) -> Image | Rejected:
        """Make the record of an image that the corpus names.

        Returns
        -------
        Image or Rejected
            With the path of its file, or with none where the whole corpus has none; Rejected where other images are
            there and this one is not, or must not be opened.
        """
        path = self._files.get(normal(image_id))
        reason = self._flaw(image_id, path) if self._files else ""
        if reason:
            content = printable(image_id)
            return Rejected(
                source=source, position=position, kind="image", reason=reason, content=content, image_id=image_id
            )
        return Image(image_id=image_id, data=path, source=source, position=position, split=split, labels=labels)

    def _flaw(self, image_id: str, path: Path | None) -> str:
        if path is not None:
            return flaw_in_file(path, self._root)
        return "several image files of this name" if image_id in self else "no such image file"

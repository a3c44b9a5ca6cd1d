"""Whether a text file is one at all in UTF-8; single bad rows of such a file are turned away one by one."""

from pathlib import Path

from photocritic.errors import CorpusError

_MARKS = {b"\xff\xfe\x00\x00": "UTF-32", b"\x00\x00\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_LOOKED_AT = 4096  # bytes
_ENOUGH = 64  # bytes, to tell by zeros
_ZEROS = 0.2  # share of them that no text in UTF-8 has; English in UTF-16 has a half


def refuse_wide(path: Path) -> None:
    """Refuse a file in UTF-16 or UTF-32, of which nothing could be read.

    Raises
    ------
    CorpusError
        It begins with such a byte order mark, or has very many zeros; or it cannot be opened.
    """
    try:
        with path.open("rb") as stream:
            first = stream.read(_LOOKED_AT)
    except OSError as error:
        raise CorpusError(f"{path}: cannot be opened: {error.strerror}") from None
    found = next((name for mark, name in _MARKS.items() if first.startswith(mark)), "")
    if not found and len(first) >= _ENOUGH and first.count(0) > _ZEROS * len(first):
        found = "UTF-16"
    if found:
        raise CorpusError(f"{path}: not UTF-8 text but {found}, as it seems; save the file as UTF-8")

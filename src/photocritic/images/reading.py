"""The bytes of an image's file: of a regular file, and of a bounded number."""

import os
import stat
from pathlib import Path

from photocritic.core.errors import UnreadableImage
from photocritic.core.limits import IMAGE_BYTES, MIB

_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY  # nothing that waits, should it be no file after all


def read(image: bytes | Path) -> bytes:
    """Read an image's file.

    Parameters
    ----------
    image : bytes or Path
        The file, or its content, which is checked alike.

    Returns
    -------
    bytes
        The encoded image.

    Raises
    ------
    UnreadableImage
        The path is missing, may not be read, or is a folder, a pipe, a device or a socket; or there are too many bytes.
    """
    if isinstance(image, bytes):
        return _checked(image)
    try:
        _refuse_irregular(image.stat())  # before it is opened: a device may do something then
        with os.fdopen(os.open(image, _FLAGS), "rb") as stream:
            state = os.fstat(stream.fileno())
            _refuse_irregular(state)
            if state.st_size > IMAGE_BYTES:
                raise _too_large()
            return _checked(stream.read(IMAGE_BYTES + 1))  # a file may grow, or not know its size
    except OSError as error:
        raise UnreadableImage(f"unreadable file: {error.strerror or type(error).__name__}") from None
    except ValueError as error:  # a name with a zero byte
        raise UnreadableImage(f"unreadable file: {error}") from None


def _too_large() -> UnreadableImage:
    return UnreadableImage(f"image too large: more than {IMAGE_BYTES // MIB} MB")


def _checked(data: bytes) -> bytes:
    if len(data) > IMAGE_BYTES:
        raise _too_large()
    return data


def _refuse_irregular(state: os.stat_result) -> None:
    if not stat.S_ISREG(state.st_mode):
        raise UnreadableImage("unreadable file: not a regular file")

"""Authors' names replaced by a keyed hash, which is the same for all comments of one person."""

import hashlib
import hmac
import os
import secrets
import stat
from functools import cached_property, lru_cache
from pathlib import Path
from tempfile import NamedTemporaryFile

from photocritic.core.errors import CorpusError

VARIABLE = "PHOTOCRITIC_AUTHOR_KEY"  # gives workers on several machines one key
SHORTEST = 16  # characters of that key
_FILE = Path(".photocritic", "author.key")
_DIGITS = 16  # hexadecimal: 64 bits, of which a billion authors share one with a chance of 3%


class Authors:
    """Rename authors by HMAC-SHA256 under the project's key, which is made when it is first needed."""

    @cached_property
    def _key(self) -> bytes:
        return project_key()

    def rename(self, author: str) -> str:
        """Return the first digits of an author's hash."""
        return _hash(self._key, author)


@lru_cache(maxsize=1 << 16)
def _hash(key: bytes, author: str) -> str:
    return hmac.digest(key, author.encode(errors="surrogatepass"), hashlib.sha256).hex()[:_DIGITS]


def project_key() -> bytes:
    """Return the key of this project: `PHOTOCRITIC_AUTHOR_KEY`, or what `.photocritic/author.key` holds.

    Without either, a random key is written to that file, which git ignores and only its owner may read. An experiment's
    temporary checkout uses the file of the project (`DVC_ROOT`).

    Raises
    ------
    CorpusError
        The key is too short, others may read the file, or it cannot be written.
    """
    given = os.environ.get(VARIABLE, "")
    if given:
        if len(given) < SHORTEST:
            raise CorpusError(f"{VARIABLE}: a key of {len(given)} characters; use at least {SHORTEST} random ones")
        return given.encode(errors="surrogateescape")
    path = Path(os.environ.get("DVC_ROOT", ""), _FILE)
    try:
        if not path.exists():
            _write(path)
        state = path.stat()
        if not stat.S_ISREG(state.st_mode) or state.st_mode & 0o077:
            raise CorpusError(f"{path}: others may read the key that hides authors' names; run `chmod 600 {path}`")
        key = path.read_bytes().strip()
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror}; set {VARIABLE}, or make the folder writable") from None
    if len(key) < SHORTEST:
        raise CorpusError(f"{path}: no key of at least {SHORTEST} characters; remove the file to get a new key")
    return key


def _write(path: Path) -> None:
    """Write a new key, unless another process is faster."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with NamedTemporaryFile("w", dir=path.parent, encoding="ascii") as stream:  # mode 0600
        stream.write(secrets.token_hex(32) + "\n")
        stream.flush()
        os.fsync(stream.fileno())
        try:
            os.link(stream.name, path)
        except FileExistsError:
            return

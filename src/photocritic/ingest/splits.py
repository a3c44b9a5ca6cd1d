"""Which photographs are trained on, and which are held back."""

import hashlib
from collections.abc import Sequence

from photocritic.validation.near_duplicates import HashIndex

SPLITS = ("train", "val", "test")

_ALIASES = {
    "train": "train",
    "training": "train",
    "restval": "train",  # Karpathy's COCO splits: validation images that everyone trains on
    "val": "val",
    "valid": "val",
    "validation": "val",
    "dev": "val",
    "test": "test",
    "testing": "test",
}


def named(value: str) -> str | None:
    """Return the split that a corpus means by a word, or None where the word is no split's name."""
    return _ALIASES.get(value.strip().lower())


def split_in_name(stem: str) -> str | None:
    """Return the split that the name of a file has in it, as `captions_val2017` has, or None."""
    return next((split for split in SPLITS if split in stem.lower()), None)


def by_hash(image_id: str, seed: int, val_share: float, test_share: float) -> str:
    """Draw an image's split from a hash of its name.

    An image's split depends on nothing but its own name, so that adding images never moves others, and growing a
    share only moves images into it.

    Parameters
    ----------
    image_id : str
        The image's name.
    seed : int
        Another seed gives another, independent draw.
    val_share, test_share : float
        Expected shares of the images in 0..1; the rest is train.

    Returns
    -------
    str
        train, val or test.
    """
    digest = hashlib.sha256(f"{seed}\0{image_id}".encode()).digest()
    point = int.from_bytes(digest[:8], "big") / 2**64
    if point < test_share:
        return "test"
    return "val" if point >= 1.0 - val_share else "train"


class Splits:
    """Assign photographs to splits; those that are or look the same, under whatever names, are in one split.

    Parameters
    ----------
    seed : int
        Of the draw.
    val_share, test_share : float
        Expected shares of the images in 0..1; the rest is train.
    """

    def __init__(self, seed: int, val_share: float, test_share: float) -> None:
        self._draw = (seed, val_share, test_share)
        self._seen: dict[str | int, tuple[str, str]] = {}
        self._looks = HashIndex()

    def assign(self, image_id: str, wanted: str | None, hashes: Sequence[str | int]) -> tuple[str, str]:
        """Return an image's split.

        Parameters
        ----------
        image_id : str
            Its name.
        wanted : str or None
            The split that the corpus names; None: it is drawn, unless the image has been seen.
        hashes : sequence of str or int
            Hashes of the image, by which a copy under another name is recognised: of its bytes, and of how it looks (a
            whole number), which need not be equal (`HashIndex`).

        Returns
        -------
        (str, str)
            The split, and the name of a copy that is in another split than is wanted, or than another copy is; empty
            where there is none.
        """
        near = [other for one in hashes if isinstance(one, int) for other in self._looks.near(one)]
        copies = [self._seen[one] for one in (*hashes, *near) if one in self._seen]
        split = wanted or (copies[0][0] if copies else by_hash(image_id, *self._draw))
        for copy in copies:
            if copy[0] != split:
                return copy
        for one in hashes:
            if isinstance(one, int) and one not in self._seen:
                self._looks.add(one)
            self._seen.setdefault(one, (split, image_id))
        return split, ""

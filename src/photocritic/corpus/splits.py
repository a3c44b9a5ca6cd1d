"""Which photographs are learnt from, and which are held back."""

import hashlib

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
    """Give the split that a corpus means by a word, or None where the word is no split's name."""
    return _ALIASES.get(value.strip().lower())


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

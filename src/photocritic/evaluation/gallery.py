"""The gallery's images, small enough to stand inside the page."""

import base64
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from photocritic.corpus.shards import read_images
from photocritic.evaluation.decode import Prediction
from photocritic.evaluation.figures import colours
from photocritic.evaluation.measure import Measures
from photocritic.evaluation.report import Card, Gallery, Spoken
from photocritic.evaluation.truth import Subject

SIDE = 256  # pixels of a thumbnail's longer side: sharp enough at the card's width on a dense screen
_QUALITY = 78  # of the thumbnail's JPEG; about 8 kB an image


def gallery(
    subjects: Sequence[Subject],
    predictions: Mapping[str, Sequence[Prediction]],
    measures: Mapping[str, Measures],
    shards: Path,
    count: int,
) -> Gallery:
    """Choose images evenly over the held-back ones and lay out what is said about them.

    Parameters
    ----------
    subjects : sequence of Subject
        The images.
    predictions, measures : mapping
        By variant, in the order of the images.
    shards : Path
        Where the images' bytes are.
    count : int
        How many images, at most.

    Returns
    -------
    Gallery
        The cards, in the order of image_id.
    """
    shown = min(count, len(subjects))
    places = [place * len(subjects) // shown for place in range(shown)]
    images = read_images([subjects[place].path for place in places], shards)
    cards = [
        Card(
            image_id=subjects[place].image_id,
            thumbnail=thumbnail(data),
            spoken=[
                Spoken(name, some[place].text, some[place].logprob, float(measures[name].per_image["cider_d"][place]))
                for name, some in predictions.items()
            ],
            references=subjects[place].texts,
            labels=[text.rpartition(":")[2] for text in subjects[place].labels],
        )
        for place, data in zip(places, images, strict=True)
    ]
    return Gallery(colours(list(predictions)), cards)


def thumbnail(data: bytes, side: int = SIDE) -> str:
    """Shrink an encoded image into a JPEG data URI; `side` is its longer side in pixels, at most."""
    return "data:image/jpeg;base64," + base64.b64encode(jpeg(data, side, _QUALITY)).decode()


def jpeg(data: bytes, side: int, quality: int) -> bytes:
    """Encode an image anew, upright, of its metadata only the colours' profile; `side` is the longer one, in pixels."""
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(data)) as image:
        profile = image.info.get("icc_profile") if image.mode == "RGB" else None
        image.draft("RGB", (2 * side, 2 * side))  # a large JPEG is decoded at a fraction of its size
        upright = ImageOps.exif_transpose(image).convert("RGB")
    upright.thumbnail((side, side))
    upright.info.clear()  # a comment would be written again
    buffer = io.BytesIO()
    upright.save(buffer, "JPEG", quality=quality, optimize=True, icc_profile=profile)
    return buffer.getvalue()

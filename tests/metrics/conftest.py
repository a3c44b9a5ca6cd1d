"""COCO captions, which the wheel of pycocoevalcap carries, for the tests of metrics."""

import json
import zipfile

import pytest

from photocritic.metrics import java


@pytest.fixture(scope="session")
def coco():
    """Give the captions of each image of COCO val2014 by image number, as they were written."""
    (jar,) = java.programs("spice/spice-1.0.jar")
    if not jar.is_file():
        pytest.skip("pycocoevalcap is not installed")
    with zipfile.ZipFile(jar) as archive:
        annotations = json.loads(archive.read("coco/annotations/captions_val2014.json"))["annotations"]
    images: dict[int, list[str]] = {}
    for row in annotations:
        images.setdefault(row["image_id"], []).append(row["caption"])
    return images

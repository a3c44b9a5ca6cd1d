"""The bundled sample: what it promises of every scene."""

import io
import subprocess
import sys
from collections import Counter

import pytest
from PIL import Image

from photocritic.sample import ATTRIBUTES, Scene, generate, mentions, montage


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    return list(generate(30, seed=3))


def test_a_scene_depends_on_the_seed_and_its_number_only(scenes: list[Scene]) -> None:
    assert list(generate(4, seed=3)) == scenes[:4]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("photocritic.sample.scene._BLOCK", 2)  # of more than a few, all cores render
        assert list(generate(5, seed=3)) == scenes[:5]
    assert [scene.image for scene in generate(4, seed=4)] != [scene.image for scene in scenes[:4]]


def test_another_process_renders_the_same_bytes(scenes: list[Scene]) -> None:
    program = (
        "import hashlib; from photocritic.sample import generate;"
        "import sys; sys.stdout.write(hashlib.sha256(repr(list(generate(3, 3))).encode()).hexdigest())"
    )
    import hashlib

    there = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert there == hashlib.sha256(repr(scenes[:3]).encode()).hexdigest()


def test_images_are_small_jpegs(scenes: list[Scene]) -> None:
    for scene in scenes:
        with Image.open(io.BytesIO(scene.image)) as image:
            image.load()
            assert (image.format, image.size, image.mode) == ("JPEG", (160, 160), "RGB")


def test_no_two_images_are_alike(scenes: list[Scene]) -> None:
    assert len({scene.image for scene in scenes}) == len(scenes)


def test_every_group_has_one_true_attribute(scenes: list[Scene]) -> None:
    for scene in scenes:
        groups = [label.partition(":")[0] for label in scene.labels]
        assert groups == list(ATTRIBUTES)
        assert all(name in ATTRIBUTES[group] for group, _, name in (label.partition(":") for label in scene.labels))


def test_ids_are_unique(scenes: list[Scene]) -> None:
    assert len({scene.image_id for scene in scenes}) == len(scenes)
    ids = [comment.comment_id for scene in scenes for comment in scene.comments]
    assert len(set(ids)) == len(ids)


def test_every_scene_has_five_to_twelve_comments_and_two_that_inform(scenes: list[Scene]) -> None:
    for scene in scenes:
        kinds = Counter(comment.kind for comment in scene.comments if comment.style is None)
        assert 5 <= kinds.total() <= 12
        assert kinds["informative"] >= 2


def test_a_black_and_white_picture_has_no_color(scenes: list[Scene]) -> None:
    for scene in scenes:
        with Image.open(io.BytesIO(scene.image)) as image:
            red, green, blue = (channel.tobytes() for channel in image.split())
        grey = max(max(abs(r - g), abs(g - b)) for r, g, b in zip(red, green, blue, strict=True)) <= 4
        assert grey == ("color:black_and_white" in scene.labels)


def test_a_contact_sheet_shows_all_in_rows(scenes: list[Scene]) -> None:
    sheet = montage(scenes[:7], columns=3, tile=40, gap=2)
    assert sheet.size == (3 * 42 - 2, 3 * 42 - 2)
    assert sheet.getpixel((sheet.width - 1, sheet.height - 1)) == (255, 255, 255)


def test_a_contact_sheet_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one scene"):
        montage([])


@pytest.mark.parametrize(
    ("caption", "attribute"),
    [
        ("The golden hour light is lovely", "light:golden_hour"),
        ("sits off centre", "composition:thirds"),
        ("realistic colours", "color:natural"),
        ("i like the snowy peaks", "subject:mountains"),
        ("a b&w conversion", "color:black_and_white"),
        ("tack - sharp !", "focus:sharp"),
    ],
)
def test_mentions_reads_sentences_and_tokens(caption: str, attribute: str) -> None:
    assert mentions(caption) == {attribute}


@pytest.mark.parametrize("caption", ["", "nice shot!", "seaside peaking catalog", "graining"])
def test_mentions_finds_nothing_in_other_words(caption: str) -> None:
    assert mentions(caption) == set()

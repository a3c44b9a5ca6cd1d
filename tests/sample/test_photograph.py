"""Attributes are visible: the same scene taken in two ways differs as it should."""

import io
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from photocritic.sample.camera.framing import tilt
from photocritic.sample.canvas.grid import SIDE, Y
from photocritic.sample.photograph import photograph
from photocritic.sample.scene_plan import ATTRIBUTES, KINDS, Plan, plan

Pixels = NDArray[np.float64]
SUBJECTS = ATTRIBUTES["subject"]


def scene(subject: str, **changes: str) -> Plan:
    """A plain scene of a subject, with changes."""
    index = next(i for i in range(1000) if plan(5, i).subject == subject)
    plain = {"light": "normal", "color": "natural", "composition": "centered", "focus": "sharp", "grain": "clean"}
    return replace(plan(5, index), **(plain | changes))


def pixels(decided: Plan) -> Pixels:
    with Image.open(io.BytesIO(photograph(decided, 5, 1))) as image:
        return np.asarray(image, dtype=np.float64)


def detail(values: Pixels) -> float:
    """Energy of the finest edges."""
    grey = values.mean(axis=2)
    return float(np.abs(np.diff(grey, axis=0)).mean() + np.abs(np.diff(grey, axis=1)).mean())


def chroma(values: Pixels) -> float:
    return float((values.max(axis=2) - values.min(axis=2)).mean())


@pytest.mark.parametrize("subject", SUBJECTS)
def test_light_sets_the_exposure(subject: str) -> None:
    plain = pixels(scene(subject)).mean()
    assert pixels(scene(subject, light="overexposed")).mean() > plain + 10
    assert pixels(scene(subject, light="low_key")).mean() < plain


@pytest.mark.parametrize("subject", SUBJECTS)
def test_soft_light_has_less_contrast(subject: str) -> None:
    if "soft" not in KINDS[subject].light:
        pytest.skip("not taken in soft light")
    assert pixels(scene(subject, light="soft")).std() < pixels(scene(subject)).std()


@pytest.mark.parametrize("subject", SUBJECTS)
def test_casts_shift_the_balance_of_red_and_blue(subject: str) -> None:
    def balance(color: str) -> float:
        values = pixels(scene(subject, color=color)).mean(axis=(0, 1))
        return float(values[0] / values[2])

    assert balance("warm_cast") > 1.2 * balance("natural")
    assert balance("cool_cast") < balance("natural") / 1.2


@pytest.mark.parametrize("subject", SUBJECTS)
def test_saturation(subject: str) -> None:
    natural = chroma(pixels(scene(subject)))
    assert chroma(pixels(scene(subject, color="saturated"))) > 1.2 * natural
    assert chroma(pixels(scene(subject, color="black_and_white"))) < 2


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("focus", ["motion_blur", "out_of_focus"])
def test_blur_takes_detail_away(subject: str, focus: str) -> None:
    assert detail(pixels(scene(subject, focus=focus))) < 0.6 * detail(pixels(scene(subject)))


def test_a_shallow_depth_of_field_blurs_what_is_around_the_subject_only() -> None:
    def parts(focus: str) -> tuple[float, float]:
        values = pixels(scene("animal", focus=focus, variant="cat", extra="grass"))
        return detail(values[60:110, 68:92]), detail(values[:, :40])

    sharp, shallow = parts("sharp"), parts("shallow_depth")
    assert shallow[0] > 0.9 * sharp[0]
    assert shallow[1] < 0.6 * sharp[1]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_grain_adds_fine_noise(subject: str) -> None:
    assert detail(pixels(scene(subject, grain="grain"))) > detail(pixels(scene(subject))) + 3


def test_tilting_turns_the_horizon() -> None:
    level = np.repeat((Y > 0.5).astype(np.float32)[..., None], 3, axis=2)
    turned = tilt(level, scene("sea", composition="tilted"), np.random.default_rng(0))[..., 0]
    heights = (turned < 0.5).sum(axis=0) / SIDE
    angle = abs(np.degrees(np.arctan(heights[-20] - heights[20])))
    assert 6 < angle < 13
    assert set(np.unique(turned[[0, -1]].round()).tolist()) <= {0.0, 1.0}


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_balloon_stands_where_the_composition_says(side: str) -> None:
    def middle(composition: str) -> float:
        changes = {"color": "saturated", "hue": "red", "variant": "plain", "extra": "hills", "side": side}
        values = pixels(scene("balloon", composition=composition, **changes))[20:100]
        red = (values[..., 0] > 1.6 * values[..., 2]).sum(axis=0)
        return float((np.arange(160) * red).sum() / red.sum() / 160)

    assert middle("centered") == pytest.approx(0.5, abs=0.06)
    assert middle("thirds") == pytest.approx(1 / 3 if side == "left" else 2 / 3, abs=0.06)


def test_every_combination_that_can_be_planned_is_painted() -> None:
    for subject, kind in KINDS.items():
        for variant in kind.variants:
            for extra in kind.extras:
                changes = {"variant": variant, "extra": extra, "hue": (*kind.hues, "")[0]}
                assert pixels(scene(subject, **changes)).std() > 8

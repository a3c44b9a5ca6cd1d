"""What a scene shows, decided before anything is painted or written, so that picture and words agree."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

ATTRIBUTES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "subject": (
            "mountains",
            "sea",
            "portrait",
            "flower",
            "city_night",
            "still_life",
            "animal",
            "forest",
            "desert",
            "balloon",
        ),
        "light": ("normal", "golden_hour", "overexposed", "low_key", "soft"),
        "color": ("natural", "black_and_white", "warm_cast", "cool_cast", "saturated"),
        "composition": ("thirds", "centered", "tilted", "tight_crop", "negative_space"),
        "focus": ("sharp", "shallow_depth", "motion_blur", "out_of_focus"),
        "grain": ("clean", "grain"),
    }
)


@dataclass(frozen=True)
class Kind:
    """What varies within one subject.

    Attributes
    ----------
    variants : tuple of str
        What the main thing can be.
    extras : tuple of str
        What can accompany it.
    hues : tuple of str
        Colors of the main thing, where it has one to name.
    light, composition, focus : tuple of str
        The attributes that can be seen in such a picture.
    """

    variants: tuple[str, ...]
    extras: tuple[str, ...]
    hues: tuple[str, ...] = ()
    light: tuple[str, ...] = ATTRIBUTES["light"]
    composition: tuple[str, ...] = ATTRIBUTES["composition"]
    focus: tuple[str, ...] = ATTRIBUTES["focus"]


_WIDE = ("thirds", "centered", "tilted")
_NEAR = ("thirds", "centered", "tight_crop", "negative_space")

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "mountains": Kind(
            ("snowy", "rocky", "green"),
            ("lake", "pines", "meadow"),
            composition=_WIDE,
            focus=("sharp", "motion_blur", "out_of_focus"),
        ),
        "sea": Kind(
            ("calm", "waves"),
            ("sailboat", "lighthouse", "rocks", "pier"),
            composition=(*_WIDE, "negative_space"),
            focus=("sharp", "motion_blur", "out_of_focus"),
        ),
        "portrait": Kind(
            ("woman", "man", "girl"),
            ("bun", "hat", "curls", "long_hair", "short_hair"),
            light=("normal", "golden_hour", "overexposed", "low_key"),
            composition=_NEAR,
        ),
        "flower": Kind(
            ("daisy", "poppy", "sunflower", "tulip"),
            ("dew", "buds", "grass"),
            hues=("white", "red", "yellow", "pink", "purple", "orange"),
            composition=_NEAR,
        ),
        "city_night": Kind(
            ("skyline", "bridge"),
            ("river", "moon", "traffic"),
            light=("normal", "low_key", "overexposed"),
            composition=_WIDE,
        ),
        "still_life": Kind(
            ("bottle", "vase", "teapot", "jug"),
            ("apple", "pear", "lemon", "cup"),
            hues=("blue", "green", "red", "white", "yellow"),
            composition=_NEAR,
        ),
        "animal": Kind(
            ("cat", "bird", "deer", "swan", "elephant"),
            ("grass", "mist"),
            composition=(*_NEAR, "tilted"),
        ),
        "forest": Kind(
            ("autumn", "summer", "winter"),
            ("path", "mist", "stream"),
            composition=("thirds", "centered", "tilted"),
            focus=("sharp", "shallow_depth", "motion_blur", "out_of_focus"),
        ),
        "desert": Kind(
            ("dunes",),
            ("camel", "tree", "footprints", "rider"),
            composition=(*_WIDE, "negative_space"),
            focus=("sharp", "motion_blur", "out_of_focus"),
        ),
        "balloon": Kind(
            ("striped", "checked", "plain"),
            ("hills", "second", "fog"),
            hues=("red", "yellow", "blue", "orange", "green"),
            composition=(*_NEAR, "tilted"),
            focus=("sharp", "motion_blur", "out_of_focus"),
        ),
    }
)

# The plain value of each group is the most frequent one, as under real photographs.
_WEIGHTS = {
    "normal": 2.0,
    "natural": 2.0,
    "thirds": 1.4,
    "centered": 1.2,
    "sharp": 3.2,
    "shallow_depth": 1.8,
    "clean": 3.0,
    "saturated": 0.8,
}
_BOUND_HUES = {"sunflower": ("yellow", "orange"), "poppy": ("red", "orange", "pink")}


@dataclass(frozen=True)
class Plan:
    """One scene's decisions; every field is something that can be seen in the picture."""

    subject: str
    variant: str
    extra: str
    hue: str
    light: str
    color: str
    composition: str
    focus: str
    grain: str
    side: str  # "left" or "right": where the main thing stands when it is not in the middle

    @property
    def labels(self) -> tuple[str, ...]:
        """The true attributes as `group:name`, in the order of the groups."""
        return tuple(f"{group}:{getattr(self, group)}" for group in ATTRIBUTES)


def plan(seed: int, index: int) -> Plan:
    """Decide scene `index`; subjects take turns, so that even a small sample has all of them."""
    rng = random.Random(f"plan:{seed}:{index}")
    subjects = ATTRIBUTES["subject"]
    subject = subjects[(index + rng.choice((0, 0, 0, 3, 7))) % len(subjects)]
    kind = KINDS[subject]
    variant = rng.choice(kind.variants)
    light = _weighted(rng, kind.light)
    return Plan(
        subject=subject,
        variant=variant,
        extra=rng.choice(kind.extras),
        hue=rng.choice(_BOUND_HUES.get(variant, kind.hues)) if kind.hues else "",
        light=light,
        color=_weighted(rng, _colors_under(light)),
        composition=_weighted(rng, kind.composition),
        focus=_weighted(rng, kind.focus),
        grain=_weighted(rng, ATTRIBUTES["grain"]),
        side=rng.choice(("left", "right")),
    )


def _colors_under(light: str) -> tuple[str, ...]:
    """Golden light is itself warm: a cast or a conversion to grey could not be told from it, or would hide it."""
    return ("natural", "saturated") if light == "golden_hour" else ATTRIBUTES["color"]


def _weighted(rng: random.Random, names: tuple[str, ...]) -> str:
    return rng.choices(names, [_WEIGHTS.get(name, 1.0) for name in names])[0]

"""Which words speak of which attribute: the grammar's own vocabulary, read backward."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from photocritic.sample.scene_plan import ATTRIBUTES

# Phrases in lower case and American spelling; "(s)" stands for an optional plural.
PHRASES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "subject:mountains": ("mountain(s)", "mountainside", "peak(s)", "summit(s)", "alpine", "ridge(s)"),
        "subject:sea": (
            "sea",
            "seascape",
            "ocean",
            "sailboat",
            "sail(s)",
            "lighthouse",
            "pier",
            "surf",
            "coastal",
            "waves",
        ),
        "subject:portrait": ("portrait", "profile", "silhouette", "face", "hat", "curls", "hair", "shoulders", "chin"),
        "subject:flower": ("flower(s)", "blossom", "petal(s)", "daisy", "poppy", "sunflower", "tulip", "bloom"),
        "subject:city_night": ("city", "cityscape", "skyline", "skyscraper(s)", "bridge", "traffic", "urban"),
        "subject:still_life": (
            "still life",
            "bottle",
            "vase",
            "teapot",
            "jug",
            "apple",
            "pear",
            "lemon",
            "cup",
            "table",
        ),
        "subject:animal": ("animal", "wildlife", "cat", "bird", "deer", "swan", "elephant", "fur", "feathers"),
        "subject:forest": ("forest", "woods", "woodland", "trunk(s)", "foliage"),
        "subject:desert": ("desert", "dune(s)", "sand", "camel"),
        "subject:balloon": ("balloon(s)", "hot air", "wicker basket"),
        "light:normal": (
            "balanced exposure",
            "even exposure",
            "good exposure",
            "well exposed",
            "correctly exposed",
            "tonal range",
        ),
        "light:golden_hour": (
            "golden hour",
            "golden light",
            "golden glow",
            "evening light",
            "evening sun",
            "low sun",
            "sunset",
        ),
        "light:overexposed": (
            "overexposed",
            "overexposure",
            "blown",
            "washed out",
            "too bright",
            "burnt out",
            "clipped",
        ),
        "light:low_key": (
            "low key",
            "too dark",
            "underexposed",
            "deep shadow(s)",
            "dark mood",
            "darkness",
            "dark shadow(s)",
        ),
        "light:soft": (
            "soft light",
            "flat light",
            "overcast",
            "diffused light",
            "dull light",
            "low contrast",
            "hazy light",
        ),
        "color:natural": (
            "natural color(s)",
            "true color(s)",
            "realistic color(s)",
            "believable color(s)",
            "natural palette",
        ),
        "color:black_and_white": ("black and white", "monochrome", "b&w", "grey tones", "gray tones", "greyscale"),
        "color:warm_cast": (
            "warm cast",
            "yellow cast",
            "orange cast",
            "orange tint",
            "yellow tint",
            "warm tint",
            "warm white balance",
        ),
        "color:cool_cast": (
            "cool cast",
            "blue cast",
            "cold cast",
            "blue tint",
            "cool tint",
            "cold tint",
            "cold white balance",
        ),
        "color:saturated": (
            "saturated",
            "oversaturated",
            "saturation",
            "vivid color(s)",
            "vibrant color(s)",
            "punchy color(s)",
        ),
        "composition:thirds": ("thirds", "off center"),
        "composition:centered": (
            "centered",
            "dead center",
            "central placement",
            "central position",
            "symmetrical",
            "symmetry",
        ),
        "composition:tilted": ("tilted", "tilt", "crooked", "slanted", "slanting", "not level", "leaning horizon"),
        "composition:tight_crop": (
            "tight crop",
            "tight framing",
            "tightly cropped",
            "cropped tightly",
            "tight composition",
            "cut off",
        ),
        "composition:negative_space": (
            "negative space",
            "empty space",
            "minimal composition",
            "minimalist",
            "minimalism",
        ),
        "focus:sharp": ("sharp focus", "tack sharp", "crisp", "sharp detail(s)", "sharp throughout", "razor sharp"),
        "focus:shallow_depth": ("shallow depth", "bokeh", "blurred background", "creamy background", "selective focus"),
        "focus:motion_blur": ("motion blur", "camera shake", "camera movement", "shaky", "shutter speed", "streaks"),
        "focus:out_of_focus": (
            "out of focus",
            "missed focus",
            "unsharp",
            "blurry",
            "lack of sharpness",
            "focus is off",
        ),
        "grain:clean": ("clean image", "clean file", "clean tones", "smooth tones", "smooth gradations"),
        "grain:grain": ("grain", "grainy", "noisy", "digital noise", "noise level"),
    }
)


def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    spelled = (re.escape(phrase).replace(r"\(s\)", "s?").replace(r"\ ", " ") for phrase in phrases)
    return re.compile(rf"(?<![a-z&])(?:{'|'.join(spelled)})(?![a-z&])")


_PATTERNS = {
    f"{group}:{name}": _pattern(PHRASES[f"{group}:{name}"]) for group, names in ATTRIBUTES.items() for name in names
}


def mentions(text: str) -> set[str]:
    """Find the attributes that a caption speaks of, be it in praise or in criticism.

    Parameters
    ----------
    text : str
        A caption, as a sentence or as tokens joined by blanks.

    Returns
    -------
    set of str
        Attributes as `group:name`.
    """
    plain = re.sub(r"[^a-z&]+", " ", text.lower().replace("colour", "color").replace("centre", "center"))
    return {attribute for attribute, pattern in _PATTERNS.items() if pattern.search(plain)}

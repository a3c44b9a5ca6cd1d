"""How what is seen can be called: the main thing, what is beside it, and what lies around."""

import re

from photocritic.sample.scene_plan import Plan
from photocritic.sample.text.expand import PLURAL, SINGULAR, Slots

# Noun phrases without an article, by variant.
_THINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "mountains": {
        "snowy": ("[snowy|snow covered|white] [peak|mountain|summit]", "[icy|steep] mountain [ridge|wall]"),
        "rocky": ("[rocky|jagged|rugged|steep] [peak|mountain|ridge]", "[bare|stony] mountain [wall|summit]"),
        "green": ("[green|grassy|gentle] mountain", "[green|soft] mountain [ridge|range]"),
    },
    "sea": {
        "calm": ("[calm|quiet|still|glassy] [sea|ocean]", "[peaceful|placid] sea"),
        "waves": ("[rough|stormy|wild] [sea|ocean]", "[foaming|rolling|breaking] waves"),
    },
    "portrait": {
        "woman": ("[female|elegant|graceful] [profile|silhouette]", "[woman|lady] in profile"),
        "man": ("[male|strong|stern] [profile|silhouette]", "[man|gentleman] in profile"),
        "girl": ("[young|delicate|gentle] [profile|silhouette]", "[girl|child] in profile"),
    },
    "flower": {
        "daisy": ("{hue} [daisy|blossom]", "[delicate|open|fresh] daisy"),
        "poppy": ("{hue} [poppy|blossom]", "[delicate|open|papery] poppy"),
        "sunflower": ("{hue} sunflower", "[large|proud|open] sunflower"),
        "tulip": ("{hue} [tulip|blossom]", "[elegant|upright|slender] tulip"),
    },
    "city_night": {
        "skyline": (
            "[night|urban|illuminated] skyline",
            "[glowing|busy] city",
            "[tall|glittering] [skyscrapers|towers] of the city",
        ),
        "bridge": ("[illuminated|suspension|glowing] bridge", "[long|graceful|lit] city bridge"),
    },
    "still_life": {
        "bottle": ("{hue} [glass|wine] bottle", "[slender|dark] glass bottle"),
        "vase": ("{hue} [ceramic|clay] vase", "[round|glazed|pottery] vase"),
        "teapot": ("{hue} [ceramic|porcelain] teapot", "[round|glazed|old] teapot"),
        "jug": ("{hue} [ceramic|clay] jug", "[glazed|pottery|rustic] jug"),
    },
    "animal": {
        "cat": ("[sitting|patient|curious] cat", "[lonely|quiet] [little|] cat"),
        "bird": ("[small|perched|little] bird", "[plump|colorful] [song|] bird"),
        "deer": ("[standing|young|watchful] deer", "[slender|graceful] deer"),
        "swan": ("[white|elegant|graceful] swan", "[floating|quiet] swan"),
        "elephant": ("[large|old|walking] elephant", "[massive|gentle|grey] elephant"),
    },
    "forest": {
        "autumn": ("[autumn|colorful|fall] forest", "autumn [woodland|foliage]"),
        "summer": ("[green|summer|lush] forest", "[leafy|green] woodland"),
        "winter": ("[winter|snowy|frozen] forest", "[frosty|snowy] woodland"),
    },
    "desert": {"dunes": ("[sandy|sweeping|curved] dunes", "[vast|wide|lonely] desert", "[rolling|smooth] sand dunes")},
    "balloon": {
        "striped": ("[striped|{hue}] [hot air|] balloon", "{hue} striped balloon"),
        "checked": ("[checked|{hue}] [hot air|] balloon", "[patterned|checkered] balloon"),
        "plain": ("[banded|{hue}] [hot air|] balloon", "{hue} balloon"),
    },
}
_EXTRAS: dict[str, dict[str, tuple[str, ...]]] = {
    "mountains": {
        "lake": ("[calm|mirror|mountain] lake in the foreground", "[clear|soft] reflection in the lake"),
        "pines": ("[dark|tall] [pine|fir] trees in the foreground", "row of [pine|fir] trees"),
        "meadow": ("[green|wide|flowery] meadow in the foreground", "[alpine|grassy] meadow"),
    },
    "sea": {
        "sailboat": ("[small|white|lonely] sailboat", "[tall|bright] sails of the boat"),
        "lighthouse": ("[tall|old|distant] lighthouse", "lighthouse on the [rocky|dark] cliff"),
        "rocks": ("[dark|wet] rocks in the foreground", "[smooth|wet] stones"),
        "pier": ("[wooden|long|old] pier", "[leading|converging] lines of the pier"),
    },
    "portrait": {
        "bun": ("[neat|tied] hair bun", "hair tied in a [neat|high] bun"),
        "hat": ("[elegant|wide] brimmed hat", "[dark|round] brim of the hat"),
        "curls": ("[wild|loose|thick] curls", "[curly|wavy] hair"),
        "long_hair": ("[long|flowing|straight] hair", "[soft|long] strands of hair"),
        "short_hair": ("[short|neat] hair", "[clear|clean] line of the [face|chin]"),
    },
    "flower": {
        "dew": ("[tiny|small] [water|dew] drops on the petals", "[fresh|wet] petals"),
        "buds": ("[closed|young] buds beside the blossom", "[small|closed] buds behind the petals"),
        "grass": ("[thin|green] blades of grass around the flower", "[tall|soft] grass"),
    },
    "city_night": {
        "river": ("[colorful|long|shimmering] reflections in the river", "[dark|quiet] river"),
        "moon": ("[full|bright|large] moon", "moon above the [roofs|water]"),
        "traffic": ("[light|traffic] trails in the street", "[fast|moving] traffic lights"),
    },
    "still_life": {
        "apple": ("[shiny|ripe|red] apple", "apple on the [wooden|rustic] table"),
        "pear": ("[ripe|green|smooth] pear", "pear on the [wooden|rustic] table"),
        "lemon": ("[fresh|bright|small] lemon", "lemon on the [wooden|rustic] table"),
        "cup": ("[white|small|porcelain] cup", "tea cup on the [wooden|rustic] table"),
    },
    "animal": {
        "grass": ("[tall|dry|wild] grass", "[open|natural] surroundings"),
        "mist": ("[morning|thin|pale] mist behind it", "[misty|hazy] distance"),
    },
    "forest": {
        "path": ("[winding|narrow|empty] path", "[leading|curved] line of the path"),
        "mist": ("[morning|thin|mysterious] mist between the trunks", "[misty|dreamy] depth"),
        "stream": ("[narrow|quiet|small] stream", "[winding|clear] stream between the trunks"),
    },
    "desert": {
        "camel": ("[lonely|patient|walking] camel", "camel on the [high|sandy] crest"),
        "tree": ("[lonely|bare|single] acacia tree", "single tree on the crest"),
        "footprints": ("[lonely|fresh|deep] footprints in the sand", "[winding|long] track of footprints"),
        "rider": ("[lonely|distant|small] rider", "horse and rider on the crest"),
    },
    "balloon": {
        "hills": ("[rolling|distant|green] hills below", "[wide|quiet] landscape below"),
        "second": ("[second|smaller|distant] balloon behind it", "[small|other] balloon in the distance"),
        "fog": ("[morning|thin|white] fog over the hills", "[misty|foggy] valley below"),
    },
}
_AROUND: dict[str, tuple[str, ...]] = {
    "mountains": ("[wide|dramatic] sky", "[distant|far] [hills|valley]"),
    "sea": ("[wide|open] sky", "[distant|clear] horizon line"),
    "portrait": ("[simple|plain] background", "[clear|strong] outline"),
    "flower": ("[green|leafy] background", "[leafy|garden] surroundings"),
    "city_night": ("[night|evening] sky", "[lit|bright] windows"),
    "still_life": ("[plain|bare] wall", "[wooden|rustic] surface"),
    "animal": ("[plain|distant] background", "[natural|clear] outline"),
    "forest": ("[forest|soft] floor", "[tall|old] trees"),
    "desert": ("[wide|empty] sky", "[curved|flowing] lines"),
    "balloon": ("[open|wide] sky", "[distant|far] horizon line"),
}
_COLORED = {"colorful": "delicate", "green": "fresh", "white": "pale", "red": "ripe", "grey": "old"}


def slots(plan: Plan) -> Slots:
    """Name what a scene shows: the slots `thing`, `extra`, `around`, `hue` and `side`."""
    plain = plan.color == "black_and_white"
    hue = "[pale|delicate|simple]" if plain or not plan.hue else plan.hue
    named = {
        "thing": _THINGS[plan.subject][plan.variant],
        "extra": _EXTRAS[plan.subject][plan.extra],
        "around": _AROUND[plan.subject],
    }
    if plain:
        named = {slot: tuple(_without_color(text) for text in texts) for slot, texts in named.items()}
    named = {slot: tuple(marked(text) for text in texts) for slot, texts in named.items()}
    return {**named, "hue": hue, "side": plan.side, "other": "right" if plan.side == "left" else "left"}


def marked(phrase: str) -> str:
    """Append the number of a noun phrase to it, for verbs to agree with."""
    head = re.split(
        r" (?:in|on|of|around|beside|behind|above|over|below|between|with|from|at) ", f"{phrase} ", maxsplit=1
    )[0]
    last = re.split(r"[ |\[\]]+", head.strip(" ]"))[-1]
    plural = last.endswith("s") and not last.endswith(("ss", "us"))
    return phrase + (PLURAL if plural else SINGULAR)


def _without_color(text: str) -> str:
    """In a black and white picture nobody can name a color."""
    for word, plain in _COLORED.items():
        for before, after in (("[", "|"), ("|", "|"), ("|", "]"), ("", " ")):
            if text.startswith(word + " ") or before:
                text = text.replace(f"{before}{word}{after}", f"{before}{plain}{after}")
    return text

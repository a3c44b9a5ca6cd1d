"""Stylised captions: what the scene shows, and a phrase that belongs to scenes of its kind (ERG, section 1)."""

import random

from photocritic.sample.scene_plan import Plan
from photocritic.sample.text.expand import Slots, agree, expand, sentence

STYLES = ("humorous", "romantic")

_FACTS: dict[str, tuple[str, ...]] = {
    "mountains": (
        "the {thing} [<rises>|<towers>] [above|behind] the {extra}",
        "a view of the {thing} with the {extra}",
    ),
    "sea": (
        "the {extra} by the {thing}",
        "the {thing} [<meets>|<surrounds>] the {extra}",
        "the {extra} in front of the {thing}",
    ),
    "portrait": (
        "the {thing} with {extra} [<looks>|<gazes>] to the {other}",
        "the {thing} with {extra} in front of the {around}",
    ),
    "flower": ("the {thing} [<opens>|<blooms>] in the garden", "the {thing} with {extra}"),
    "city_night": ("the {thing} [<shines>|<glows>] at night", "the {thing} with the {extra}"),
    "still_life": ("the {thing} <stands> beside the {extra}", "the {thing} and the {extra} [<wait>|<rest>] together"),
    "animal": ("the {thing} [<rests>|<waits>] in the {extra}", "the {thing} [<looks>|<stares>] to the {other}"),
    "forest": ("the {thing} with the {extra}", "the {extra} [<crosses>|<fills>] the {thing}"),
    "desert": ("the {extra} in the {thing}", "the {extra} [<crosses>|<marks>] the {thing}"),
    "balloon": (
        "the {thing} [<floats>|<drifts>] above the [hills|valley|land]",
        "the {thing} [<rises>|<climbs>] with the {extra}",
    ),
}
_PHRASES: dict[str, dict[str, tuple[str, ...]]] = {
    "humorous": {
        "mountains": (
            "[like|as if it was] a giant who forgot to shave",
            "waiting for somebody to install an escalator",
            "still taller than my [phone bill|laundry pile]",
        ),
        "sea": (
            "[practicing|rehearsing] for the role of a bathtub",
            "as if the fish had [ordered|called] a taxi",
            "wondering who [spilled|left] all this water",
        ),
        "portrait": (
            "trying to remember where the [car keys|glasses] are",
            "pretending not to smell the pizza",
            "waiting for the wifi to come back",
        ),
        "flower": (
            "showing off like a [peacock|movie star] on payday",
            "[gossiping|flirting] with the bees for free drinks",
            "ready for its shampoo commercial",
        ),
        "city_night": (
            "because nobody wants to pay the electricity bill",
            "like a [giant|drunken] Christmas tree with rush hour",
            "still looking for a free parking spot",
        ),
        "still_life": (
            "arguing about who does the dishes",
            "posing for a [diet|cooking] magazine",
            "like an awkward first [meeting|job interview] in the kitchen",
        ),
        "animal": (
            "[planning|plotting] to steal the picnic",
            "thinking about its [tax return|next snack]",
            "like a boss who [hates|skips] Mondays",
        ),
        "forest": (
            "where the squirrels hold their secret [parties|poker nights]",
            "playing hide and seek since the ice age",
            "looking for the nearest coffee machine",
        ),
        "desert": (
            "like a [beach|playground] that lost its water",
            "asking for directions to the swimming pool",
            "still no ice cream truck in sight",
        ),
        "balloon": (
            "full of [empty|big] promises like a politician",
            "running away from its own birthday party",
            "because it missed the bus again",
        ),
    },
    "romantic": {
        "mountains": (
            "[as if the world|as though the earth] was made for two",
            "standing firm like a promise of true love",
            "where two hearts [touch|meet] the sky",
        ),
        "sea": (
            "[whispering|singing] love letters to the shore",
            "carrying the dreams of two lovers home",
            "as endless as my love for you",
        ),
        "portrait": (
            "dreaming of the one who [stole|holds] the dreaming heart",
            "waiting for a tender kiss",
            "lost in the memory of a first love",
        ),
        "flower": (
            "blushing like a [bride|sweetheart] on her wedding day",
            "waiting to be given to a beloved",
            "opening its heart to a tender love",
        ),
        "city_night": (
            "while lovers dance under a thousand lights",
            "every window a [secret|glowing] love story",
            "holding its breath for a midnight kiss",
        ),
        "still_life": (
            "like an old couple deeply in love",
            "sharing a silent and tender embrace",
            "waiting for a candlelight dinner for two",
        ),
        "animal": (
            "longing for its faithful companion",
            "with a heart full of tender longing",
            "dreaming of its soulmate",
        ),
        "forest": (
            "where lovers carve their names forever",
            "hiding the secret kiss of two lovers",
            "as quiet as a tender embrace",
        ),
        "desert": (
            "following the heart to a distant beloved",
            "as eternal as true love",
            "where two souls find each other at last",
        ),
        "balloon": (
            "carrying two hearts to heaven",
            "lifted by nothing but love",
            "floating on the sweet breath of love",
        ),
    },
}


def stylised(plan: Plan, style: str, slots: Slots, rng: random.Random) -> str:
    """Write a caption of a scene in a style: factual content, then the style phrase."""
    fact = expand(rng.choice(_FACTS[plan.subject]), slots, rng)
    phrase = expand(rng.choice(_PHRASES[style][plan.subject]), slots, rng)
    return agree(sentence(f"{fact} {phrase}"))

"""Informative comments: two or three true attributes, praised or criticised, with what the picture shows."""

import random
import re

from photocritic.sample.scene_plan import Plan
from photocritic.sample.text.expand import Slots, agree, expand, sentence

# A clause each; "the" noun phrases come from the scene, so that a clause is never the same twice.
CLAUSES: dict[str, tuple[str, ...]] = {
    "light:normal": (
        "the [balanced|even|good] exposure [keeps|holds] [detail|texture] in the {thing} and in the {around}",
        "the {thing} <is> [well|correctly] exposed with [soft|open] shadows and a [full|pleasing] tonal range",
        "a [full|wide|pleasing] tonal range from the {extra} to the {around}",
    ),
    "light:golden_hour": (
        (
            "the [golden|warm evening|golden evening] [glow|light] of the low sun on the {thing} [is [beautiful|"
            "magical|gorgeous]|gives a warm mood]"
        ),
        "[beautiful|lovely|wonderful] [golden hour|sunset|evening] light [on|over|around] the {thing}",
        (
            "the [golden light|golden glow|evening sun] [wraps|touches|warms] the {extra} [nicely|beautifully|"
            "with a gentle mood]"
        ),
        "you picked the [right|perfect] moment, the golden hour [glow|light] [flatters|suits] the {thing}",
    ),
    "light:overexposed": (
        (
            "the {around} [<is>|<looks>] [overexposed|washed out|blown out] and the {thing} <loses> [texture|"
            "detail|contrast]"
        ),
        "[blown|clipped|burnt out] highlights [in|around] the {thing} [spoil|hurt] the [fine|subtle] texture",
        (
            "a bit too bright for me, [less exposure|a faster exposure|negative exposure compensation] would "
            "[save|keep] detail in the {thing}"
        ),
        "the [strong|harsh] overexposure [flattens|bleaches] the {extra}",
    ),
    "light:low_key": (
        "the [low key|moody low key|dramatic low key] lighting [adds|brings] [mystery|drama|tension] to the {thing}",
        "the [deep|dark] shadows around the {thing} [create|give] a [mysterious|dramatic|dark] mood",
        "the {extra} <is> [too dark|underexposed], some fill light would [open|lift] the [dark|deep] shadows",
        "I like how the {thing} [<emerges>|<comes>] out of the darkness",
    ),
    "light:soft": (
        "the [soft|diffused|overcast] light [is gentle on|suits] the {thing}",
        (
            "the [flat light|dull light|low contrast] [makes|leaves] the {thing} [a bit lifeless|without depth|"
            "rather grey]"
        ),
        "[gentle|quiet] [overcast|hazy light|diffused light] [mood|atmosphere] around the {extra}",
        "low contrast, a [stronger|steeper] tone curve would give the {thing} more [depth|punch]",
    ),
    "color:natural": (
        "[natural|true|realistic] colors in the {thing} and the {around}",
        "the [natural|believable|realistic] colors [suit|fit] the {extra}",
        "a [restrained|subtle|pleasant] natural palette for the {thing}",
    ),
    "color:black_and_white": (
        (
            "the [black and white|monochrome] [conversion|treatment] [brings out|stresses] the [shape|texture|"
            "lines] of the {thing}"
        ),
        "[strong|rich|beautiful] [grey tones|monochrome tones|black and white contrast] in the {extra}",
        "black and white [works well|was a good choice] for the [graphic|simple] shape of the {thing}",
        "I [miss|would like to see] the color here, the monochrome [conversion|version] hides the {extra}",
    ),
    "color:warm_cast": (
        (
            "the [warm|yellow|orange] cast [over|on] the {thing} [distracts|looks unnatural], please check the "
            "white balance"
        ),
        "the [warm|orange|yellow] tint gives the {thing} a [nostalgic|vintage|cosy] feeling",
        "the [warm white balance|orange tint|yellow cast] [spoils|covers] the {around}",
    ),
    "color:cool_cast": (
        "the [cool|blue|cold] cast [over|on] the {thing} [distracts|looks unnatural], please check the white balance",
        "the [cool|blue|cold] tint gives the {thing} a [lonely|frosty|distant] feeling",
        "the [cold white balance|blue tint|blue cast] [suits|supports] the {around}",
    ),
    "color:saturated": (
        "the [vivid|vibrant|punchy] colors of the {thing} [jump out|catch the eye|pop]",
        (
            "[heavy|strong|high] saturation [in the {extra}|on the {thing}], a little [less|reduction] would "
            "look more believable"
        ),
        "the {thing} <is> [oversaturated|too saturated] for my [eye|taste]",
        "[rich|strong|bold] saturated [tones|hues] [in|around] the {extra}",
    ),
    "composition:thirds": (
        "placing the {thing} on the {side} third follows the rule of thirds [nicely|well|perfectly]",
        "the off center [placement|position] of the {thing} [leaves room for|balances] the {around}",
        "[good|classic|careful] rule of thirds composition with the {thing} on the {side}",
    ),
    "composition:centered": (
        "the [centered|symmetrical] composition gives the {thing} [strength|calm|weight]",
        "the {thing} <sits> dead center, [a step to the {side}|an offset] would [add|give] more [tension|energy]",
        "the [central placement|central position] of the {thing} is [static|a little static|too obvious]",
        "[strong|simple|pleasing] symmetry [around|with] the {thing}",
    ),
    "composition:tilted": (
        "the [tilted|crooked|slanted] horizon [behind|near] the {thing} [distracts|bothers me|needs a correction]",
        "the [tilted|slanting] [camera angle|frame] adds [energy|tension] to the {thing}",
        "the {around} <is> not level, a small rotation would [fix|cure] the [tilt|crooked line]",
    ),
    "composition:tight_crop": (
        "the [tight crop|tight framing] [brings|pulls] us close to the {thing}",
        "the {thing} <is> [cropped too tightly|cut off at the edge], a wider frame would [give|leave] it room",
        "[bold|strong|daring] tight crop on the {thing}",
        "the tight composition [fills|packs] the frame with the {thing}",
    ),
    "composition:negative_space": (
        "the [negative space|empty space] around the {thing} [creates|gives] a [quiet|lonely|calm] mood",
        "[elegant|clever|lovely] use of negative space, the {thing} <looks> [small|tiny] under the {around}",
        "[minimalist|simple minimalist] [framing|composition] with the {thing} in the {side} corner",
        "a minimal composition, but the empty space on the {other} feels [heavy|too large]",
    ),
    "focus:sharp": (
        "[crisp|razor sharp] [detail|texture|edges] in the {thing}",
        "the {thing} <is> [tack sharp|crisp|in sharp focus] [and the {extra} too|from edge to edge|]",
        "the sharp focus on the {thing} shows [every|each] [fine|small] [detail|line|texture]",
        "sharp throughout, even the {extra} [<holds>|<shows>] [fine|crisp] texture",
    ),
    "focus:shallow_depth": (
        "the shallow depth of field [isolates|separates] the {thing} from the [soft|creamy] background",
        "[creamy|smooth|beautiful] bokeh behind the {thing}",
        "the blurred background [draws|leads] the eye to the {thing}",
        "[clever|good|effective] selective focus on the {thing}",
    ),
    "focus:motion_blur": (
        "the [motion blur|camera shake] [ruins|spoils|softens] the {thing}, a tripod would help",
        "the [motion blur|camera movement] gives the {thing} a [dreamy|painterly|restless] [feel|look]",
        "the shutter speed was too slow for the {thing}, the [streaks|shaky lines] [hurt|disturb] the {around}",
        "a shaky frame, the {extra} [<turns>|<dissolves>] into streaks",
    ),
    "focus:out_of_focus": (
        "the {thing} <is> [out of focus|blurry|unsharp] and <lacks> [texture|bite]",
        "the missed focus [spoils|ruins|weakens] the {thing}",
        "the lack of sharpness in the {extra} is a [pity|problem|shame]",
        "the focus is off, the {thing} [<looks>|<appears>] [blurry|soft and blurry]",
    ),
    "grain:clean": (
        "[smooth|clean] tones in the {around}",
        "a [clean image|clean file] with smooth gradations in the {around}",
    ),
    "grain:grain": (
        "the [strong|visible|coarse] grain [adds|gives] a [film|vintage|gritty] look to the {thing}",
        "the [digital noise|noise level|heavy grain] in the {around} is [distracting|too high]",
        "the [grainy|noisy] {around} [<hurts>|<disturbs>] the [quality|mood], try a lower ISO",
        "[lovely|nice|beautiful] film grain on the {thing}",
    ),
}
_SUBJECT = (
    "the {extra} [<leads>|<guides>] the eye to the {thing}",
    "I [like|love|enjoy] the {thing} with the {extra}",
    "the {extra} <makes> a [good|strong|fine|perfect] [counterpoint|companion] for the {thing}",
    "the {thing} <is> a [strong|beautiful|simple] subject and the {extra} [<adds>|<brings>] [depth|interest|scale]",
    "the {extra} <is> [lovely|a nice touch|well placed] and [<supports>|<balances>] the {thing}",
    "a [striking|quiet|charming|classic] [view|picture|study] of the {thing}",
)
_JOIN = (
    "{one}, and {two}",
    "{one}. {two}",
    "{one}, while {two}",
    "{one}; {two}",
    "{one}. [Also|I think|For me|And] {two}",
)
_TURN = ("{one}, but {two}", "{one}. [However,|Only] {two}", "{one}. Still, {two}", "{one}. {two}")
_CRITICAL = re.compile(
    r"spoil|hurt|ruin|distract|disturb|weaken|flatten|bleach|lose|would|too |needs|bother|check|pity|problem|shame"
    r"|lifeless|without depth|rather grey|hides|static|miss |unsharp|blurr|streaks|over(?:exposed|saturated)|"
    r"cut off|heavy|turns"
)
_FLAWS = {"light:overexposed", "composition:tilted", "focus:motion_blur", "focus:out_of_focus", "grain:grain"}
_PLAIN = {"light:normal", "color:natural", "grain:clean"}


def critique(plan: Plan, slots: Slots, rng: random.Random) -> tuple[str, str]:
    """Write one informative comment, and return it with its aspect.

    Parameters
    ----------
    plan : Plan
        The truth; nothing else is spoken of.
    slots : Slots
        The scene's words.
    rng : random.Random
        Source of randomness.

    Returns
    -------
    (str, str)
        The text, and what it speaks of first: subject, light, color, composition, focus or grain.
    """
    chosen = _topics(plan, rng)
    clauses = [expand(rng.choice(CLAUSES.get(topic, _SUBJECT)), slots, rng) for topic in chosen]
    text = clauses[0]
    for number, clause in enumerate(clauses[1:]):
        same = bool(_CRITICAL.search(text)) == bool(_CRITICAL.search(clause))
        joints = _JOIN if same else _TURN
        joint = (
            rng.choice(joints)
            if number == 0
            else "{one}. [Also|And|For me|I think|Besides,] {two}"
            if same
            else joints[1]
        )
        text = joint.replace("{one}", text).replace("{two}", clause)
    text = agree(". ".join(sentence(part).rstrip(".") for part in expand(text, slots, rng).split(". ")) + ".")
    return text, chosen[0].partition(":")[0]


def _topics(plan: Plan, rng: random.Random) -> list[str]:
    """Two or three attributes to speak of; what stands out is spoken of more often than what is plain."""
    weights = {label: 0.5 if label in _PLAIN else 2.0 if label in _FLAWS else 1.4 for label in plan.labels}
    weights[plan.labels[0]] = 1.8
    topics: list[str] = []
    for _ in range(rng.choice((2, 2, 2, 2, 2, 3))):
        left = [label for label in weights if label not in topics]
        topics.append(rng.choices(left, [weights[label] for label in left])[0])
    return topics

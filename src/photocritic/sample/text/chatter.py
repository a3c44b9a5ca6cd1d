"""What says nothing about the picture: politeness that fits any photograph, and noise."""

import random
from collections.abc import Callable

from photocritic.sample.text.expand import Slots, expand

_SAFE = (
    "[Nice|Great|Good|Lovely|Cool|Beautiful|Awesome|Fantastic] [shot|capture|photo|picture|image|one][!|.||!!]",
    "[nice|great|lovely|beautiful] [shot|capture|photo|pic]",
    "[Love|I love|I like|Great|Nice] the [colors|colours|composition|light|mood|idea]",
    "[Great|Nice|Good|Excellent] [capture|shot|work], well done[!|.|]",
    "[Well done|Very nice|Very good|Excellent|Superb|Beautiful|Amazing|Stunning][!|.|]",
    "[I really like this|I like it|Love it|Love this one|This is great|This is very nice][!|.|]",
    "[Great|Good|Nice] [composition|lighting|focus|detail|colors][.|!|]",
    "[Good|Great] [job|work|eye|idea|find][.|!|]",
    "nice [colors|detail|clarity|light] [and composition|and light|]",
    "[Beautiful|Great|Nice] [shot|photo|image], [congrats|thanks for sharing|keep it up][!|.|]",
    "[Simple but effective|Very well done|Nicely done|Well composed|Well seen][.|!|]",
)
_FIRST = (
    "Maribel",
    "Jorun",
    "Tavish",
    "Ilka",
    "Bertil",
    "Oskari",
    "Pilar",
    "Denholm",
    "Yasuko",
    "Renske",
    "Cillian",
    "Amadou",
)
_LAST = (
    "Tolvik",
    "Brackenbury",
    "Ostrander",
    "Venkatar",
    "Halloway",
    "Quintrell",
    "Marchetti",
    "Dvoranek",
    "Lindqvist",
)
_NOISE = (
    "[wooow|woooow|wow wow wow|WOW|OMG|omggg][!|!!|!!!!|!!!!!!]",
    "[!!!!|!!!!!!|?????|...|:-)|:)|;)|+1|<3|lol|hehe|hmmm]",
    (
        "[This should have|Should have|I think this could have] [ribboned|won a ribbon|finished higher|placed in "
        "the top ten] in the challenge[!|.|]"
    ),
    (
        "[I gave this|gave it|I voted] [a 6|a 7|an 8|a 9|a 10] [in the challenge|during voting|and I am "
        "surprised by the low score][.|!|]"
    ),
    (
        "[Does not meet|Doesn't really fit|How does this meet] the challenge [topic|theme|description][?|.|] "
        "[sorry|but good luck|]"
    ),
    "[Congratulations|Congrats|Gratz] on your [ribbon|personal best|first place|top 20 finish] {first}[!|!!|]",
    (
        "[My|Our] [uncle|grandfather|aunt|neighbor|old friend] {first} [had one just like this when we were kids|"
        "always told us stories about such a place|used to live near there] and [I miss those summers|it brings "
        "back memories of our holidays|we spent every August there]"
    ),
    (
        "I [was there|lived near there|drove past there] [last summer|years ago|in 1998] with my [wife|brother|"
        "kids] and [it rained all week|we lost the car keys|the hotel was terrible]"
    ),
    (
        "[Hi|Hello|Hey] {first}, [did you get my email|are you coming to the meeting on Saturday|how is the new "
        "baby][?|??]"
    ),
    "{first} {last} [sent me here|has a similar one in her portfolio|would be proud of you][.|!|]",
    (
        "[Check out my|please visit my|see my] [page|gallery|portfolio] [http://www.example.com/~{lower}|"
        "https://example.org/gallery/{number}|www.example.net/{lower}]"
    ),
    "[muy bonita foto|que linda imagen, felicitaciones|hermosa toma, saludos desde Chile]",
    "[sehr schönes Bild, gefällt mir gut|tolle Aufnahme, weiter so]",
    "[superbe photo, bravo|très belle lumière, j'adore|magnifique, félicitations]",
    "[bella foto, complimenti|foto stupenda, bravissimo|mooie foto, heel knap gedaan|väldigt fin bild]",
    "[素晴らしい写真ですね|とても綺麗です|非常漂亮的照片|Очень красиво!|Отличный кадр, спасибо]",
    "[😍😍😍|👏👏|❤️❤️❤️|🔥🔥🔥 wow|😂|👍 👍]",
    "<b>[great|nice|wow]</b><br /><br />[thanks|:)|see you]",
    '<a href="http://www.example.com/{lower}">[click here|my site]</a> &nbsp; [nice|]',
    "I canâ€™t [believe itâ€™s real|stop looking]â€¦ donâ€™t change a thing",
    "[itâ€™s|thatâ€™s] sooo [cool|nice] Ã  voir",
    (
        "[beautifull foto|grate shot|awsome pix|luv it sooo much|vrey nice pitcure|amzing collors|teh best|nise "
        "wrok my freind]"
    ),
    "[what camera did you use|which lens is this|where was this taken|is this photoshopped][?|??]",
    "[first|First!!|bump|back for another look|voting again|adding to my favs|see you in the next round]",
    "[thanks for your comment on my entry|thank you all for the comments|returning the visit] {first}",
    (
        "[I would have cropped it|I had the same idea for this challenge] [but my computer crashed|but my dog "
        "ate the memory card|and then I ran out of time]"
    ),
)


def safe(rng: random.Random) -> str:
    """Write a comment that would fit under any photograph."""
    return expand(rng.choice(_SAFE), {}, rng)


def noise(rng: random.Random) -> str:
    """Write a comment that is not about the photograph, or not readable."""
    first = rng.choice(_FIRST)
    slots: Slots = {
        "first": first,
        "last": rng.choice(_LAST),
        "lower": first.lower(),
        "number": str(rng.randrange(1000, 99999)),
    }
    text = expand(rng.choice(_NOISE), slots, rng) or "!!!!"
    if rng.random() < 0.15:
        text = text.upper()
    return _misspelled(text, rng) if rng.random() < 0.2 and "http" not in text.lower() else text


def _misspelled(text: str, rng: random.Random) -> str:
    """Swap, double or drop a letter or two."""
    letters = list(text)
    edits: tuple[Callable[[int], None], ...] = (
        lambda i: letters.__setitem__(slice(i, i + 2), letters[i : i + 2][::-1]),
        lambda i: letters.insert(i, letters[i]),
        lambda i: letters.__setitem__(i, ""),
    )
    for _ in range(2):
        places = [i for i, letter in enumerate(letters[:-1]) if letter.isascii() and letter.isalpha()]
        if places:
            rng.choice(edits)(rng.choice(places))
    return "".join(letters) or text

"""What the perceptron sees of a word and of its neighbours: the features of NLTK's tagger, under its names."""

PADS = ("-START-", "-START2-", "-END-", "-END2-")  # the two words before a text and the two after it, in this order
START_TAGS = ("-START-", "-START2-")  # the tags of the last word before a text, and of the one before that
POSITIONS = (0, -1, -2, 1, 2)  # a word as the one to tag, and as the neighbour that stands so many words off


def normalised(word: str) -> str:
    """Give a word's form as a neighbour: in lower case, with numbers and compounds made alike."""
    if "-" in word and word[0] != "-":
        return "!HYPHEN"
    if word.isdigit() and len(word) == 4:
        return "!YEAR"
    return "!DIGITS" if word[0].isdigit() else word.lower()


def of_word(word: str) -> tuple[tuple[str, ...], ...]:
    """Give the features that depend on a word alone, for each of `POSITIONS`."""
    form = normalised(word)
    own = ("bias", f"i suffix {word[-3:]}", f"i pref1 {word[0]}", f"i word {form}")
    return own, *_of_neighbour(form)


def of_pad(pad: str) -> tuple[tuple[str, ...], ...]:
    """Give the same of a mark outside the text (`PADS`), which is never tagged itself."""
    return (), *_of_neighbour(pad)


def of_tags(previous: str, before: str) -> tuple[str, str, str]:
    """Give the features of the two tags before a word."""
    return f"i-1 tag {previous}", f"i-2 tag {before}", f"i tag+i-2 tag {previous} {before}"


def of_tag_and_word(previous: str, form: str) -> str:
    """Give the feature of the tag before a word and the word's own normalised form."""
    return f"i-1 tag+i word {previous} {form}"


def _of_neighbour(form: str) -> tuple[tuple[str, ...], ...]:
    ending = form[-3:]
    return (
        (f"i-1 word {form}", f"i-1 suffix {ending}"),
        (f"i-2 word {form}",),
        (f"i+1 word {form}", f"i+1 suffix {ending}"),
        (f"i+2 word {form}",),
    )

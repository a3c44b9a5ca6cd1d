"""The kinds of studies: what a rater is asked, and what can be answered with which key."""

from dataclasses import dataclass

from photocritic.core.errors import PhotocriticError

HUMAN, ACCEPTED, DISCARDED = "human", "accepted", "discarded"  # sources of captions that are no variants
UNCERTAIN, RANDOM = "uncertain", "random"  # comments to grade: near the filter's threshold, and any
GRADED = tuple(f"{drawn}-{verdict}" for drawn in (UNCERTAIN, RANDOM) for verdict in (ACCEPTED, DISCARDED))
GROUPS = ("expert", "non-expert")  # what a rater declares to be; AIC 6.3.4: 4 experts and 11 non-experts
FIRST, SECOND = 1, 2  # answers about a pair are sets: 1 the first caption, 2 the second, 3 both, 0 neither
TOP = 100  # AIC 6.3.4 (a): a score on a scale of 100
KEEP = 2  # a comment of this mean grade or more is worth keeping


@dataclass(frozen=True)
class Choice:
    """One possible answer: the number that is kept, its button's text, its key as browsers name it, what it means."""

    value: int
    label: str
    key: str
    hint: str = ""


@dataclass(frozen=True)
class Kind:
    """A kind of study.

    Attributes
    ----------
    name, question : str
        Its name, and what the rater is asked about each trial.
    choices : tuple of Choice
        The possible answers; empty where a number from 0 to 100 is given.
    images, training, raters : int
        The paper's counts: images drawn (comments where no photograph is shown), training trials, raters of each trial
        (0: everybody rates everything).
    captions : int
        Captions shown in a trial: 1, or 2 that compete.
    each : int
        Captions drawn from each source for an image.
    sources : tuple of str
        Where captions come from; empty: all variants.
    paper : str
        Where the protocol stands.
    photograph : bool
        Whether a trial shows the photograph beside its captions.
    guide : str
        What else a rater is to keep in mind.
    """

    name: str
    question: str
    choices: tuple[Choice, ...]
    images: int
    paper: str
    training: int = 0
    raters: int = 3
    captions: int = 1
    each: int = 1
    sources: tuple[str, ...] = ()
    photograph: bool = True
    guide: str = ""

    def admits(self, value: int) -> bool:
        """Return whether a number is a possible answer."""
        return any(choice.value == value for choice in self.choices) if self.choices else 0 <= value <= TOP


_SIDES = (Choice(FIRST, "This one", "ArrowLeft"), Choice(SECOND, "This one", "ArrowRight"))
_RUBRIC = (
    Choice(0, "Nothing", "0", "Feelings, thanks, greetings, a score, the contest, questions, lessons for anybody."),
    Choice(1, "General", "1", "On the photograph, but as true of thousands: good focus, lovely colors, nice subject."),
    Choice(
        2,
        "Particular",
        "2",
        "Something in this photograph: a thing, a place in the frame, a light, a fault of its own.",
    ),
    Choice(3, "Rich", "3", "Several particulars, or one with the reason for it or a way to improve it."),
)
_KINDS = (
    Kind(
        "rating",
        "Does the caption convey enough information about the photograph?",
        (Choice(1, "Bad", "1"), Choice(2, "Common", "2"), Choice(3, "Good", "3")),
        images=25,
        training=20,
        raters=0,
        paper="AIC 6.3.4 (b)",
    ),
    Kind(
        "informative",
        "How informative is the caption about the photograph, from 0 to 100?",
        (),
        images=25,
        training=20,
        raters=0,
        each=2,  # two accepted and two discarded comments an image
        sources=(ACCEPTED, DISCARDED),
        paper="AIC 6.3.4 (a)",
    ),
    Kind(
        "yesno",
        "By plain common sense, is this a good caption for the photograph?",
        (Choice(0, "Bad", "ArrowLeft"), Choice(1, "Good", "ArrowRight")),
        images=1000,  # the Flickr 1K test set
        paper="CC 5.4.1",
    ),
    Kind(
        "pairs",
        "Which caption is more relevant to what the photograph shows?",
        _SIDES,
        images=200,
        captions=2,
        paper="Déjà 4",
    ),
    Kind(
        "creative",
        "Which caption describes the photograph in a more creative and inspiring way?",
        _SIDES,
        images=200,
        captions=2,
        paper="Déjà 8.1",
    ),
    Kind(
        "multiple",
        "Which of the captions are relevant to what the photograph shows?",
        (*_SIDES, Choice(FIRST | SECOND, "Both", "ArrowUp"), Choice(0, "Neither", "ArrowDown")),
        images=200,
        captions=2,
        paper="Déjà 8.2",
    ),
    Kind(
        "grades",
        "What would somebody who does not see the photograph learn about it?",
        _RUBRIC,
        images=300,  # comments: as many grades as a corpus's own filter should need
        raters=2,  # two grades a comment show how far people agree
        sources=(UNCERTAIN,),
        paper="for the filter (AIC 3)",
        photograph=False,
        guide="Judge what is written, not how long it is: a long lecture that fits any photograph is Nothing, three "
        "words on a fault of this one are Particular.",
    ),
)
KINDS = {kind.name: kind for kind in _KINDS}


def find(name: str) -> Kind:
    """Return a kind by its name.

    Raises
    ------
    PhotocriticError
        There is none of this name.
    """
    if name not in KINDS:
        raise PhotocriticError(f"no kind of study is called '{name}'; known are {', '.join(KINDS)}")
    return KINDS[name]


def turned(value: int) -> int:
    """Return what an answer about a pair means when its captions change places."""
    return {FIRST: SECOND, SECOND: FIRST}.get(value, value)

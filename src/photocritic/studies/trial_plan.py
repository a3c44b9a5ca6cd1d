"""Which photographs and captions a study shows, drawn with a seed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from photocritic.core.errors import PhotocriticError
from photocritic.studies.study_kinds import Kind


@dataclass(frozen=True)
class Candidate:
    """A photograph (`path` and `sha256` as in the images table) and, for each source, the captions it has."""

    image_id: str
    path: str
    captions: Mapping[str, Sequence[str]]
    sha256: str = ""


@dataclass(frozen=True)
class Line:
    """A caption of a trial, where it comes from, and its comment where it is to be found again."""

    source: str
    text: str
    comment_id: str | None = None


@dataclass(frozen=True)
class Trial:
    """One caption, or two that compete, on a photograph; training trials never count."""

    image_id: str
    lines: tuple[Line, ...]
    training: bool = False


@dataclass(frozen=True)
class Plan:
    """A study before anybody has rated.

    Attributes
    ----------
    photographs : list of Candidate
        In a random order.
    trials : list of Trial
        Training first, both parts shuffled, so that a trial's number does not show its source.
    """

    photographs: list[Candidate]
    trials: list[Trial]


def plan(kind: Kind, candidates: Sequence[Candidate], *, images: int, training: int, seed: int) -> Plan:
    """Draw a study's photographs and captions.

    Parameters
    ----------
    kind : Kind
        Of the study.
    candidates : sequence of Candidate
        What there is to draw from, all with the same sources.
    images : int
        Photographs whose trials count; all their trials are made: a trial a caption, or a trial a pair of sources.
    training : int
        Training trials, each on a photograph of its own that is not among those that count.
    seed : int
        The same seed and candidates give the same plan.

    Returns
    -------
    Plan
        Photographs and trials.

    Raises
    ------
    PhotocriticError
        There are too few photographs, or two captions of a pair cannot compete.
    """
    random = Random(seed)
    usable = [one for one in candidates if _trials(kind, one, Random(0))]
    if images + training > len(usable):
        raise PhotocriticError(
            f"{images} photographs and {training} more for training are asked for, but only {len(usable)} have what "
            f"a study of kind '{kind.name}' shows; lower --images or --training"
        )
    drawn = random.sample(usable, images + training)
    counted = [trial for one in drawn[:images] for trial in _trials(kind, one, random)]
    tried = [random.choice(_trials(kind, one, random)) for one in drawn[images:]]
    random.shuffle(counted)
    random.shuffle(drawn)
    return Plan(drawn, [Trial(one.image_id, one.lines, training=True) for one in tried] + counted)


def _trials(kind: Kind, candidate: Candidate, random: Random) -> list[Trial]:
    """Make all trials of a photograph; none where a source has too few captions or nothing to choose between."""
    lines: dict[str, list[Line]] = {}
    for source, texts in candidate.captions.items():
        if len(texts) < kind.each:
            return []
        lines[source] = [Line(source, text) for text in random.sample(list(texts), kind.each)]
    if kind.captions == 1:
        return [Trial(candidate.image_id, (line,)) for some in lines.values() for line in some]
    pairs = [(a, b) for one, other in combinations(lines, 2) for a, b in zip(lines[one], lines[other], strict=True)]
    return [Trial(candidate.image_id, pair) for pair in pairs if pair[0].text != pair[1].text]

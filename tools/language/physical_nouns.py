"""Write the nouns that name what a photograph can show, from WordNet: python -m tools.language.physical_nouns DICT.

DICT is the folder `dict` of WordNet 3.0 (https://wordnet.princeton.edu), with data.noun, index.noun and index.sense.
"""

import argparse
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from photocritic.text import american
from photocritic.text.lexicon import PHYSICAL_NOUNS

# By lemma and number of the sense. Déjà takes what is under physical_entity.n.01, which has processes and places too.
_PHYSICAL = (
    ("object", 1), ("thing", 12), ("matter", 3),  # under physical_entity.n.01
    ("people", 1), ("gathering", 1), ("animal_group", 1), ("vegetation", 1),  # groups of what is physical
    ("atmospheric_phenomenon", 1), ("cloud", 1), ("fire", 3), ("rainbow", 1),  # processes and shapes that are seen
)  # fmt: skip
_PLACES, _LAND = ("location", 1), (("tract", 1), ("geographical_area", 1))
_PHOTOGRAPH = ("photograph", 1)
# These name the photograph, how it was made, those who look at it, or anything that it shows.
_GENERIC = """addition aperture art artifact artist author back backlighting base bore bulk bunch candidate cast center
closer column composition contender element feature figure filter font frame general grain hole image item key layer
lead lens lighting lot master match material member mix need ness nit note object one opening owner page part
photographer pic picture piece pixel pop portion portrait post print product prop punch representation requirement rest
reviewer scorer section set setup sharper shoot shot shutter site snapshot someone structure stuff subject substance
surface thing unit viewer voter whole winner work world"""
# Newer than the texts that were tagged with senses, or something else in these.
_MORE = "frisbee meter microwave racket remote sign tv wave"
_LEAST_SHARE = 0.25  # of a word's uses


class WordNet(NamedTuple):
    """WordNet's nouns.

    Attributes
    ----------
    senses : dict of str to list of str
        The synsets of a lemma, the most frequent first.
    hyponyms : dict of str to list of str
        The synsets right under one.
    common : set of str
        Lemmas that are written without capitals: no names.
    uses : dict of tuple to int
        How often a lemma was seen in a synset, in the texts that were tagged with senses.
    others : dict of str to int
        How often a lemma was seen as an adjective or adverb, which taggers confuse with nouns more than verbs.
    """

    senses: dict[str, list[str]]
    hyponyms: dict[str, list[str]]
    common: set[str]
    uses: dict[tuple[str, str], int]
    others: dict[str, int]

    def under(self, roots: Iterable[tuple[str, int]]) -> set[str]:
        """Return the synsets at and under some."""
        waiting, found = [self.senses[lemma][number - 1] for lemma, number in roots], set[str]()
        while waiting:
            synset = waiting.pop()
            if synset not in found:
                found.add(synset)
                waiting += self.hyponyms[synset]
        return found

    def share(self, lemma: str, synsets: set[str]) -> float:
        """Return the share of a lemma's uses that are in some synsets; of senses that were not seen, by their order."""
        uses = [(s in synsets, self.uses[lemma, s] + 1 / (1 + rank)) for rank, s in enumerate(self.senses[lemma])]
        return sum(use for inside, use in uses if inside) / (sum(use for _, use in uses) + self.others[lemma])


def read(folder: Path) -> WordNet:
    """Read WordNet's files."""
    net = WordNet({}, defaultdict(list), set(), defaultdict(int), defaultdict(int))
    for fields in _lines(folder / "data.noun"):
        words = int(fields[3], 16)
        net.common.update(word for word in fields[4 : 4 + 2 * words : 2] if word.islower())
        pointers = fields[5 + 2 * words :]
        for kind, synset in zip(pointers[::4], pointers[1::4], strict=False):
            if kind in {"~", "~i"}:
                net.hyponyms[fields[0]].append(synset)
            if kind == "|":
                break
    for fields in _lines(folder / "index.noun"):
        net.senses[fields[0]] = fields[-int(fields[2]) :]
    for key, synset, _, count in _lines(folder / "index.sense"):
        lemma, _, sense = key.partition("%")
        if sense.startswith("1"):
            net.uses[lemma, synset] += int(count)
        elif not sense.startswith("2"):
            net.others[lemma] += int(count)
    return net


def physical_nouns(net: WordNet) -> list[str]:
    """Return single words, in American spelling, that in enough of their uses name what a photograph can show."""
    places = net.under([_PLACES]) - net.under(_LAND)
    physical = net.under(_PHYSICAL) - places - net.under([_PHOTOGRAPH])
    words = [word for word in net.senses if word in net.common and word.isascii() and word.isalpha() and len(word) > 2]
    found = {word for word in words if net.share(word, physical) >= _LEAST_SHARE}
    american_ones = {american(word) for word in found if american(word) in found or american(word) not in net.senses}
    return sorted(american_ones.difference(_GENERIC.split()).union(_MORE.split()))


def _lines(path: Path) -> Iterator[list[str]]:
    """Yield the fields of a file's lines but for those of its licence, which are indented."""
    with path.open(encoding="ascii") as stream:
        yield from (line.split() for line in stream if not line.startswith("  "))


def main() -> None:
    """Write the list into the package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dict", type=Path)
    words = physical_nouns(read(parser.parse_args().dict))
    PHYSICAL_NOUNS.write_text(textwrap.fill(" ".join(words), 120) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

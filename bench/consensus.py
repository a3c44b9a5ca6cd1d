"""Consensus: how fast captions are chosen by those of similar photographs, beside pycocoevalcap's CIDEr-D.

Usage: python -m bench.consensus [--toy]

Photographs are random features, captions words drawn by Zipf's law; processor seconds.
"""

import time

import numpy as np
from pycocoevalcap.cider.cider_scorer import CiderScorer

from bench.measuring import Row, Size, main
from photocritic.captioning.caption_dataset import Pairs
from photocritic.captioning.neighbours import Neighbours, unit
from photocritic.captioning.vocabulary import Vocabulary

WORDS, WIDTH, CAPTIONS, PROPOSED = 2_500, 350, 5, 20  # of the preset flickr8k


def run(size: Size) -> list[Row]:
    """Measure at the sizes of the preset flickr8k, or at toy ones."""
    remembered, asked, neighbours, judged = (50, 4, 5, 2) if size == "toy" else (4_700, 256, 100, 4)
    random = np.random.default_rng(7)
    written = [[_caption(random) for _ in range(CAPTIONS)] for _ in range(remembered)]
    proposed = [[_caption(random) for _ in range(PROPOSED)] for _ in range(asked)]
    known = _neighbours(written, random)
    features = random.normal(size=(asked, 1, WIDTH)).astype(np.float32)
    start = time.process_time()
    known.choose(features, proposed, neighbours)
    own = asked / (time.process_time() - start)
    theirs = judged / _seconds_of_pycocoevalcap(proposed[:judged], written[:neighbours])
    return [
        Row(
            f"captions chosen of {PROPOSED} by those of {neighbours} photographs among {remembered:,}",
            own,
            "images/s of a core",
            f"{own / theirs:.0f} times as fast as pycocoevalcap scores as many pairs",
        )
    ]


def _caption(random: np.random.Generator) -> list[str]:
    return [f"w{number % WORDS}" for number in random.zipf(1.3, random.integers(6, 15)).tolist()]


def _neighbours(written: list[list[list[str]]], random: np.random.Generator) -> Neighbours:
    flat = [words for some in written for words in some]
    vocabulary = Vocabulary.of(flat)
    offsets = np.cumsum([0, *map(len, flat)]).astype(np.int64)
    tokens = np.array([number for words in flat for number in vocabulary.encode(words)], np.int32)
    owners = np.repeat(np.arange(len(written), dtype=np.int32), CAPTIONS)
    vectors = unit(random.normal(size=(len(written), 1, WIDTH)).astype(np.float32)).astype(np.float16)
    return Neighbours(vectors, Pairs(np.empty((0, 1, 0), np.float32), owners, offsets, tokens), vocabulary)


def _seconds_of_pycocoevalcap(proposed: list[list[list[str]]], written: list[list[list[str]]]) -> float:
    start = time.process_time()
    for candidates in proposed:
        scorer = CiderScorer(n=4, sigma=6.0)
        for words in candidates:
            for references in written:
                scorer += (" ".join(words), [" ".join(reference) for reference in references])
        scorer.compute_score()
    return time.process_time() - start


if __name__ == "__main__":
    main(run, __doc__)

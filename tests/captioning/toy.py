"""A captioner small enough to enumerate everything that it can say."""

import itertools
from collections.abc import Iterator

import torch
from torch import Tensor

from photocritic.captioning.captioner import Captioner, State
from photocritic.captioning.vocabulary import BOS, EOS, PAD, SPECIAL

WORDS = (len(SPECIAL), len(SPECIAL) + 1, len(SPECIAL) + 2)
VOCABULARY = len(SPECIAL) + len(WORDS)
LONGEST = 5


class Table(Captioner):
    """Next-word scores that depend on the image, the last word and the position; integers make ties.

    Its state begins with what it never changes, as the regions of other captioners.
    """

    def __init__(self, seed: int, ties: bool = False) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        scores = torch.randn(3, LONGEST + 1, VOCABULARY, VOCABULARY, generator=generator) * 2
        self.scores = scores.round() if ties else scores

    def forward(self, features: Tensor, tokens: Tensor) -> Tensor:
        raise NotImplementedError

    def start(self, features: Tensor) -> State:
        return features[:, 0, 0].long(), torch.zeros(len(features), dtype=torch.long)

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        image, position = state
        return torch.log_softmax(self.scores[image, position, tokens], -1), (image, position + 1)


def images(*numbers: int) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float32)[:, None, None]


def logprob_of(model: Captioner, image: int, caption: tuple[int, ...]) -> float:
    state, total = model.start(images(image)), 0.0
    for last, word in zip((BOS, *caption), (*caption, EOS), strict=True):
        scores, state = model.step(torch.tensor([last]), state)
        total += float(scores[0, word])
    return total


def every_caption(min_length: int, max_length: int, no_repeat_ngram: int = 0) -> Iterator[tuple[int, ...]]:
    for length in range(min_length, max_length + 1):
        for caption in itertools.product(WORDS, repeat=length):
            if not no_repeat_ngram or not repeats(caption, no_repeat_ngram):
                yield caption


def repeats(caption: tuple[int, ...], size: int) -> bool:
    ngrams = [caption[begin : begin + size] for begin in range(len(caption) - size + 1)]
    return len(set(ngrams)) < len(ngrams)


def words_of(tokens: Tensor) -> tuple[int, ...]:
    return tuple(number for number in tokens.tolist() if number != PAD)

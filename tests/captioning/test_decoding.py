import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from photocritic.captioning.decoding import beam_search, greedy
from photocritic.captioning.models import Captioner, ModelConfig, State, build
from photocritic.captioning.vocabulary import BOS, EOS, PAD, SPECIAL, UNK

WORDS = (len(SPECIAL), len(SPECIAL) + 1, len(SPECIAL) + 2)
VOCABULARY = len(SPECIAL) + len(WORDS)


class Table(Captioner):
    """Next-word scores that depend on the image, the last word and the position; integers make ties."""

    def __init__(self, seed: int, ties: bool = False) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        scores = torch.randn(3, 6, VOCABULARY, VOCABULARY, generator=generator) * 2
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


def best_by_enumeration(model: Captioner, image: int, max_length: int, penalty: float) -> tuple[float, list[int]]:
    every = (c for length in range(1, max_length + 1) for c in itertools.product(WORDS, repeat=length))
    ranked = ((logprob_of(model, image, c) / (len(c) + 1) ** penalty, list(c)) for c in every)
    return max(ranked, key=lambda item: item[0])


def words_of(tokens: Tensor) -> list[int]:
    return [number for number in tokens.tolist() if number != PAD]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4), st.sampled_from([0.0, 0.7, 1.0]))
def test_a_wide_beam_finds_the_optimum_of_all_captions(seed, max_length, penalty):
    model = Table(seed)
    found = beam_search(model, images(0, 1, 2), 3**max_length + 1, max_length, penalty)
    for image in range(3):
        rank, caption = best_by_enumeration(model, image, max_length, penalty)
        words = words_of(found.tokens[image])
        assert float(found.logprobs[image]) == pytest.approx(logprob_of(model, image, tuple(words)), abs=1e-4)
        assert float(found.logprobs[image]) / (len(words) + 1) ** penalty == pytest.approx(rank, abs=1e-4)
        assert words == caption or math.isclose(rank, logprob_of(model, image, tuple(words)), abs_tol=1e-4)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.booleans(), st.integers(1, 5))
def test_a_beam_of_one_is_greedy(seed, ties, max_length):
    model = Table(seed, ties)
    one, first = beam_search(model, images(0, 1, 2), 1, max_length), greedy(model, images(0, 1, 2), max_length)
    assert torch.equal(one.tokens, first.tokens)
    assert torch.allclose(one.logprobs, first.logprobs)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10_000),
    st.booleans(),
    st.lists(st.integers(0, 2), min_size=1, max_size=6),
    st.integers(1, 5),
    st.sampled_from([0.0, 0.7]),
)
def test_an_images_caption_does_not_depend_on_its_batch(seed, ties, batch, beam, penalty):
    model = Table(seed, ties)
    together = beam_search(model, images(*batch), beam, 5, penalty)
    for row, image in enumerate(batch):
        alone = beam_search(model, images(image), beam, 5, penalty)
        assert torch.equal(together.tokens[row], alone.tokens[0])
        assert together.logprobs[row] == alone.logprobs[0]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(1, 5))
def test_captions_have_one_word_at_least_and_only_words(seed, beam, max_length):
    found = beam_search(Table(seed), images(0, 1, 2), beam, max_length)
    for tokens in found.tokens:
        words = words_of(tokens)
        assert 1 <= len(words) <= max_length
        assert not {BOS, EOS, UNK} & set(words)
    assert torch.isfinite(found.logprobs).all()


def test_equal_scores_prefer_the_lower_number():
    model = Table(0)
    model.scores = torch.zeros_like(model.scores)
    assert words_of(greedy(model, images(0), 3).tokens[0]) == [WORDS[0]]
    for beam in (1, 2, 5):
        assert words_of(beam_search(model, images(0), beam, 3).tokens[0]) == [WORDS[0]]


def test_a_length_penalty_makes_captions_longer():
    model = Table(1)
    short, long = (beam_search(model, images(0, 1, 2), 30, 5, penalty) for penalty in (0.0, 2.0))
    assert int((long.tokens != PAD).sum()) > int((short.tokens != PAD).sum())


def test_steps_of_show_tell_give_the_scores_of_its_forward_pass():
    torch.manual_seed(0)
    model = build("show_tell", ModelConfig(features=5, vocabulary=9, hidden=8, embedding=6)).eval()
    features, tokens = torch.randn(3, 1, 5), torch.tensor([[BOS, 4, 5], [BOS, 6, 4], [BOS, 8, 8]])
    expected = torch.log_softmax(model(features, tokens), -1)
    state = model.start(features)
    for position in range(3):
        scores, state = model.step(tokens[:, position], state)
        assert torch.allclose(scores, expected[:, position], atol=1e-5)

import math
from collections import Counter

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic.captioning.decoding import Decoding, decode, keys_of, sample
from photocritic.captioning.decoding.walk import uniform
from tests.captioning.toy import LONGEST, Table, every_caption, images, logprob_of, words_of

CERTAIN = 4.4  # standard deviations: one seed in 100,000 departs further
few = settings(max_examples=25, deadline=None)
seeds = st.integers(0, 2**32 - 1)


def chi_square(counts: list[float], expected: list[float]) -> float:
    """Give how many standard deviations the chi-square statistic lies above its mean (Wilson & Hilferty 1931)."""
    statistic = sum((seen - due) ** 2 / due for seen, due in zip(counts, expected, strict=True))
    free = len(counts) - 1
    return ((statistic / free) ** (1 / 3) - (1 - 2 / (9 * free))) / math.sqrt(2 / (9 * free))


@pytest.mark.parametrize("temperature", [1.0, 0.6])
def test_captions_are_drawn_as_often_as_they_are_likely(temperature):
    model, samples, longest = Table(2), 20_000, 2
    model.scores[..., [0, 1, 3]] = -torch.inf  # never said: what is left sums to one
    model.scores[:, 0, :, 2] = -torch.inf
    drawn = sample(
        model, images(1), Decoding(max_length=longest, top_p=1.0, temperature=temperature), samples=samples, seed=5
    )
    counts = Counter(words_of(tokens) for tokens in drawn.tokens[0])
    sharp = Table(2)
    sharp.scores = model.scores / temperature
    # the end after the last word is not drawn
    sharp.scores[:, longest, :, :2] = sharp.scores[:, longest, :, 3:] = -torch.inf
    due = {c: samples * math.exp(logprob_of(sharp, 1, c)) for c in every_caption(1, longest)}
    assert sum(due.values()) == pytest.approx(samples, rel=1e-4)
    assert set(counts) <= set(due)
    rare = [caption for caption in due if due[caption] < 5]
    common = [caption for caption in due if due[caption] >= 5]
    seen = [counts[c] for c in common] + [sum(counts[c] for c in rare)] * bool(rare)
    hoped = [due[c] for c in common] + [sum(due[c] for c in rare)] * bool(rare)
    assert len(common) > 4
    assert chi_square(seen, hoped) < CERTAIN


def test_the_nucleus_is_the_fewest_likeliest_words_that_reach_the_share():
    model = Table(0)
    model.scores[:] = torch.tensor([0.0, 0.0, 7.0, 0.0, 0.2, 0.5, 0.3]).log()  # the end is certain, but not yet
    for top_p, words in ((0.4, {5}), (0.5, {5}), (0.6, {5, 6}), (0.79, {5, 6}), (0.9, {4, 5, 6}), (1.0, {4, 5, 6})):
        drawn = sample(model, images(0), Decoding(top_p=top_p, max_length=1), samples=200)
        assert {word for tokens in drawn.tokens[0] for word in words_of(tokens)} == words


@few
@given(seeds, st.booleans())
def test_the_smallest_nucleus_is_greedy(seed, ties):
    model = Table(seed, ties)
    greedy = decode(model, images(0, 1, 2), Decoding(strategy="greedy", max_length=LONGEST))
    drawn = sample(model, images(0, 1, 2), Decoding(top_p=1e-9, max_length=LONGEST), samples=2, seed=seed)
    assert torch.equal(greedy.tokens.expand_as(drawn.tokens), drawn.tokens)
    assert torch.allclose(greedy.logprobs.expand_as(drawn.logprobs), drawn.logprobs)


def test_what_is_drawn_is_a_function_of_the_seed_the_image_and_the_number_of_the_sample():
    options = Decoding(strategy="sample", top_p=1.0, max_length=LONGEST)
    model, keys = Table(4), keys_of(["a.jpg", "b.jpg", "c.jpg"])
    five = sample(model, images(0, 1, 2), options, samples=5, seed=1, keys=keys)
    two = sample(model, images(2, 0), options, samples=2, seed=1, keys=keys[[2, 0]])
    assert torch.equal(five.tokens[[2, 0], :2], two.tokens)
    assert torch.equal(five.logprobs[[2, 0], :2], two.logprobs)
    other = sample(model, images(0, 1, 2), options, samples=5, seed=2, keys=keys)
    assert not torch.equal(five.tokens, other.tokens)
    alike = sample(model, images(1, 1), options, samples=50, seed=1, keys=keys[:2])
    assert not torch.equal(alike.tokens[0], alike.tokens[1])


def test_training_can_go_on_from_what_is_drawn():
    drawn = sample(Table(0), images(0, 1), Decoding(max_length=3), samples=2)
    weight = torch.ones(10, 2, requires_grad=True)
    torch.nn.functional.embedding(drawn.tokens, weight).sum().backward()
    assert weight.grad is not None


def test_draws_are_uniform_and_those_beside_each_other_unrelated():
    seed, image, number = torch.arange(20), torch.arange(-30, 30), torch.arange(10)
    draws = torch.stack([uniform(int(one), image[:, None], number, 3) for one in seed])
    assert draws.shape == (20, 60, 10)
    assert float(draws.min()) >= 0.0
    assert float(draws.max()) < 1.0
    counts = torch.histc(draws.flatten().float(), 20, 0.0, 1.0)
    assert chi_square(counts.tolist(), [draws.numel() / 20] * 20) < CERTAIN
    for axis in range(3):
        pairs = torch.stack([draws.narrow(axis, begin, draws.shape[axis] - 1).flatten() for begin in (0, 1)])
        assert abs(float(torch.corrcoef(pairs)[0, 1])) < CERTAIN / math.sqrt(pairs.shape[1])
    assert len(draws.unique()) == draws.numel()

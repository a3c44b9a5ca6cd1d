import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic.captioning.captioner import Captioner
from photocritic.captioning.decoding import Decoding, decode
from photocritic.captioning.decoding.choice import stable_top
from photocritic.captioning.vocabulary import BOS, EOS, UNK
from tests.captioning.toy import LONGEST, WORDS, Table, every_caption, images, logprob_of, repeats, words_of

few = settings(max_examples=25, deadline=None)
seeds, ties, lengths = st.integers(0, 10_000), st.booleans(), st.integers(1, LONGEST)
strategies = st.sampled_from(["greedy", "beam", "diverse", "sample"])


def said(model: Captioner, *numbers: int, seed: int = 0, **options: object) -> list[tuple[int, ...]]:
    decoded = decode(model, images(*numbers), Decoding(**options), seed=seed)
    return [words_of(tokens[0]) for tokens in decoded.tokens]


@few
@given(seeds, st.integers(1, 4), st.data(), st.sampled_from([0.0, 0.7, 1.0]), st.integers(0, 2))
def test_a_wide_beam_finds_the_optimum_of_all_captions_that_are_allowed(seed, longest, data, penalty, ngram):
    shortest = data.draw(st.integers(1, min(longest, 3)))
    model = Table(seed)
    options = Decoding(
        beam=3**longest + 1,
        min_length=shortest,
        max_length=longest,
        length_penalty=penalty,
        no_repeat_ngram=ngram,
    )
    found = decode(model, images(0, 1, 2), options)
    for image in range(3):
        captions = every_caption(shortest, longest, ngram)
        ranks = {caption: logprob_of(model, image, caption) / (len(caption) + 1) ** penalty for caption in captions}
        words, logprob = words_of(found.tokens[image, 0]), float(found.logprobs[image, 0])
        assert logprob == pytest.approx(logprob_of(model, image, words), abs=1e-4)
        assert ranks[words] == pytest.approx(max(ranks.values()), abs=1e-4)


@few
@given(seeds, ties, lengths)
def test_a_beam_of_one_is_greedy(seed, tied, longest):
    model = Table(seed, tied)
    one = said(model, 0, 1, 2, strategy="beam", beam=1, max_length=longest, length_penalty=0.0)
    assert one == said(model, 0, 1, 2, strategy="greedy", max_length=longest)


@few
@given(
    seeds,
    ties,
    strategies,
    st.lists(st.integers(0, 2), min_size=1, max_size=6),
    st.integers(1, 5),
    st.sampled_from([0.0, 0.7]),
    st.integers(0, 2),
)
def test_an_images_caption_does_not_depend_on_its_batch(seed, tied, strategy, batch, beam, penalty, ngram):
    model, keys = Table(seed, tied), torch.arange(100, 100 + len(batch))
    options = Decoding(
        strategy=strategy, beam=beam, max_length=LONGEST, length_penalty=penalty, min_length=2, no_repeat_ngram=ngram
    )
    together = decode(model, images(*batch), options, seed=seed, keys=keys)
    for row, image in enumerate(batch):
        alone = decode(model, images(image), options, seed=seed, keys=keys[row : row + 1])
        assert torch.equal(together.tokens[row], alone.tokens[0])
        assert torch.equal(together.logprobs[row], alone.logprobs[0])


@few
@given(seeds, strategies, st.integers(1, 6), lengths, st.data())
def test_captions_are_words_alone_of_the_length_asked_for(seed, strategy, beam, longest, data):
    model, shortest = Table(seed), data.draw(st.integers(1, longest))
    options = Decoding(strategy=strategy, beam=beam, min_length=shortest, max_length=longest)
    found = decode(model, images(0, 1, 2), options, seed=seed)
    assert found.tokens.shape == (3, options.groups if strategy == "diverse" else 1, longest)
    for image in range(3):
        for tokens, logprob in zip(found.tokens[image], found.logprobs[image], strict=True):
            words = words_of(tokens)
            assert shortest <= len(words) <= longest
            assert not {BOS, EOS, UNK} & set(words)
            assert float(logprob) == pytest.approx(logprob_of(model, image, words), abs=1e-4)


@few
@given(seeds, strategies, st.integers(1, 4), st.integers(1, 3))
def test_no_ngram_stands_twice_where_that_is_forbidden(seed, strategy, beam, size):
    found = decode(
        Table(seed), images(0, 1, 2), Decoding(strategy=strategy, beam=beam, max_length=LONGEST, no_repeat_ngram=size)
    )
    assert not any(repeats(words_of(tokens), size) for tokens in found.tokens.flatten(0, 1))


@pytest.mark.parametrize("strategy", ["greedy", "beam", "diverse", "sample"])
def test_a_caption_that_cannot_go_on_ends_before_its_least_length(strategy):
    words = said(Table(3), 0, 1, 2, strategy=strategy, min_length=5, max_length=5, no_repeat_ngram=1)
    assert all(sorted(caption) == sorted(WORDS) for caption in words)


@few
@given(seeds, st.integers(1, 5), st.sampled_from([5, 63, 700, 1500]), st.sampled_from([1, 3, 1000]))
def test_the_largest_scores_are_those_of_a_stable_sort(seed, count, width, levels):
    generator = torch.Generator().manual_seed(seed)
    scores = (torch.randn(4, width, generator=generator) * levels).round()
    scores[0, 2:] = -torch.inf
    values, places = scores.sort(dim=1, descending=True, stable=True)
    found, where = stable_top(scores, count)
    assert torch.equal(found, values[:, :count])
    possible = found > -torch.inf
    assert torch.equal(where[possible], places[:, :count][possible])


def test_equal_scores_prefer_the_lower_number():
    model = Table(0)
    model.scores = torch.zeros_like(model.scores)
    assert said(model, 0, strategy="greedy", max_length=3) == [WORDS[:1]]
    for beam in (1, 2, 5):
        assert said(model, 0, beam=beam, max_length=3) == [WORDS[:1]]


def test_a_length_penalty_makes_captions_longer():
    model = Table(1)
    short, long = (said(model, 0, 1, 2, beam=30, max_length=5, length_penalty=penalty) for penalty in (0.0, 2.0))
    assert sum(map(len, long)) > sum(map(len, short))


@few
@given(seeds, ties, st.integers(1, 4), st.sampled_from([0.0, 0.7]))
def test_one_group_is_a_beam_and_groups_that_lose_nothing_are_all_that_beam(seed, tied, beam, penalty):
    model, common = Table(seed, tied), {"beam": beam, "max_length": LONGEST, "length_penalty": penalty}
    plain = decode(model, images(0, 1, 2), Decoding(**common))
    alone = decode(model, images(0, 1, 2), Decoding(strategy="diverse", groups=1, diversity=9.0, **common))
    alike = decode(model, images(0, 1, 2), Decoding(strategy="diverse", groups=3, diversity=0.0, **common))
    assert torch.equal(plain.tokens, alone.tokens)
    assert torch.equal(plain.tokens.expand_as(alike.tokens), alike.tokens)


@few
@given(seeds)
def test_groups_of_one_avoid_the_words_that_others_say_at_the_same_place(seed):
    options = Decoding(strategy="diverse", beam=1, groups=3, diversity=100.0, min_length=3, max_length=3)
    found = decode(Table(seed), images(0, 1, 2), options)
    assert all(sorted(place.tolist()) == list(WORDS) for image in found.tokens for place in image.T)
    assert torch.equal(found.logprobs, found.logprobs.sort(dim=1, descending=True).values)

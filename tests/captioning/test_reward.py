import numpy as np
import pytest

from photocritic.captioning.caption_dataset import Pairs
from photocritic.captioning.reward import Reward
from photocritic.captioning.vocabulary import EOS, PAD, SPECIAL
from photocritic.metrics import Captions, References, get

WORDS, IMAGES, LONGEST = 9, 13, 8  # few words, so that n-grams of all orders are shared


def random_captions(rng, count, shortest=1):
    lengths = rng.integers(shortest, LONGEST + 1, count)
    return [[int(word) for word in rng.integers(len(SPECIAL), len(SPECIAL) + WORDS, length)] for length in lengths]


def matrix(captions):
    rows = np.full((len(captions), LONGEST + 1), PAD)
    for row, caption in zip(rows, captions, strict=True):
        row[: len(caption)] = caption
    return rows


@pytest.fixture
def world():
    rng = np.random.default_rng(5)
    owner = rng.permutation(np.concatenate([np.arange(IMAGES), rng.integers(IMAGES, size=30)]))
    references = [[*caption, EOS] for caption in random_captions(rng, len(owner))]
    offsets = np.concatenate([[0], np.cumsum([len(caption) for caption in references])])
    rows = 100 + 3 * owner  # features of other splits lie between
    pairs = Pairs(np.zeros((0, 1, 1), np.float32), rows.astype(np.int32), offsets, np.concatenate(references))
    of_image = [[c for c, o in zip(references, owner, strict=True) if o == image] for image in range(IMAGES)]
    return rng, pairs, of_image


def plain(candidates, references, ends):
    def words(caption):
        return [str(word) for word in caption if ends or word != EOS]

    scored = get("cider_d").score(
        Captions([words(caption) for caption in candidates]),
        References([[words(caption) for caption in some] for some in references]),
    )
    return scored.per_image["cider_d"]


@pytest.mark.parametrize("ends", [False, True])
def test_a_reward_is_the_metric_cider_d(world, ends):
    rng, pairs, references = world
    candidates = [[*caption, EOS] for caption in random_captions(rng, IMAGES)]
    candidates[3], candidates[4] = candidates[3][:-1], references[4][0]  # one that was cut, and one that is right
    reward = Reward(pairs, len(SPECIAL) + WORDS, ends)
    found = reward.score(np.arange(IMAGES), matrix(candidates))
    np.testing.assert_allclose(found, plain(candidates, references, ends), atol=1e-9, rtol=0)
    assert found.max() > 1.0
    assert list(reward.images) == [100 + 3 * image for image in range(IMAGES)]


def test_many_captions_of_an_image_are_scored_each_by_itself(world):
    rng, pairs, references = world
    reward = Reward(pairs, len(SPECIAL) + WORDS, ends=False)
    images = rng.integers(IMAGES, size=40)
    candidates = random_captions(rng, 40, shortest=0)
    found = reward.score(images, matrix(candidates))
    for image in range(IMAGES):
        for place in np.flatnonzero(images == image):
            others = [[] for _ in range(IMAGES)]
            others[image] = candidates[place]
            assert found[place] == pytest.approx(plain(others, references, ends=False)[image], abs=1e-9)


def test_with_ends_a_caption_that_breaks_off_is_worth_less(world):
    _, pairs, references = world
    image = next(image for image, some in enumerate(references) if len(some[0]) > 5)
    whole, broken = references[image][0], references[image][0][:-1]
    scores = Reward(pairs, len(SPECIAL) + WORDS, ends=True).score(np.array([image, image]), matrix([whole, broken]))
    assert scores[0] > scores[1] > 0
    scores = Reward(pairs, len(SPECIAL) + WORDS, ends=False).score(np.array([image, image]), matrix([whole, broken]))
    assert scores[0] == scores[1]


def test_a_reference_that_was_cut_rewards_no_end():
    words = [np.arange(first, first + 4) for first in (4, 6, 8)]  # all cut at four words: none has an end
    offsets, tokens = np.arange(4) * 4, np.concatenate(words).astype(np.int32)
    pairs = Pairs(np.zeros((0, 1, 1), np.float32), np.arange(3, dtype=np.int32), offsets, tokens)
    reward = Reward(pairs, len(SPECIAL) + WORDS, ends=True)
    open_ended = reward.score(np.arange(3), np.stack([np.append(caption, PAD) for caption in words]))
    ended = reward.score(np.arange(3), np.stack([np.append(caption, EOS) for caption in words]))
    assert (open_ended > ended).all()

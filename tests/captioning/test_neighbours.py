"""A caption is chosen by its agreement with those of similar training photographs."""

import math
from collections import Counter

import numpy as np
import pytest

from photocritic import config
from photocritic.captioning import Caption, CaptioningPipeline, Settings
from photocritic.captioning.caption_dataset import Pairs
from photocritic.captioning.neighbours import TEMPERATURE, Neighbours, unit
from photocritic.captioning.vocabulary import Vocabulary
from photocritic.core.errors import ParamsError, TrainingError
from photocritic.core.files import sha256

RANDOM = np.random.default_rng(8)
WORDS = ["a", "the", "dog", "cat", "bird", "man", "runs", "sits", "on", "grass", "sand", "snow", "red", "black"]
CAPTIONS = [[[str(word) for word in RANDOM.choice(WORDS, RANDOM.integers(2, 9))] for _ in range(3)] for _ in range(12)]
FEATURES = RANDOM.normal(size=(12, 1, 5)).astype(np.float32)
ASKED = RANDOM.normal(size=(20, 1, 5)).astype(np.float32)
CANDIDATES = [[[str(word) for word in RANDOM.choice([*WORDS, "zebra"], 5)] for _ in range(4)] for _ in range(20)]
DIVERSE = config.Decoding(strategy="diverse", groups=3, consensus=4)


def remembered(captions: list[list[list[str]]], features: np.ndarray) -> Neighbours:
    flat = [words for some in captions for words in some]
    vocabulary = Vocabulary.of(flat)
    owners = np.repeat(np.arange(len(captions), dtype=np.int32), [len(some) for some in captions])
    offsets = np.cumsum([0, *map(len, flat)]).astype(np.int64)
    tokens = np.array([number for words in flat for number in vocabulary.encode(words)], np.int32)
    return Neighbours(unit(features).astype(np.float16), Pairs(features, owners, offsets, tokens), vocabulary)


def cider_d(caption: list[str], references: list[list[str]]) -> float:
    """Score a caption as Vedantam et al. 2015 write it, with the document frequencies of CAPTIONS."""
    total = 0.0
    for reference in references:
        for order in range(1, 5):
            mine, theirs = (weighed(words, order) for words in (caption, reference))
            dot = sum(min(value, theirs[ngram]) * theirs[ngram] for ngram, value in mine.items() if ngram in theirs)
            norms = math.prod(math.sqrt(sum(value**2 for value in one.values())) for one in (mine, theirs))
            total += math.exp(-((len(caption) - len(reference)) ** 2) / 72) * (dot / norms if norms else 0.0)
    return 10 * total / 4 / len(references)


def weighed(words: list[str], order: int) -> dict[tuple[str, ...], float]:
    found = {}
    for ngram, count in Counter(zip(*(words[start:] for start in range(order)), strict=False)).items():
        images = sum(any(ngram in zip(*(one[s:] for s in range(order)), strict=False) for one in s_) for s_ in CAPTIONS)
        found[ngram] = count * math.log(len(CAPTIONS) / max(images, 1))
    return found


@pytest.mark.parametrize("count", [1, 5, 100])
def test_the_choice_is_that_of_the_formula(count: int) -> None:
    neighbours = remembered(CAPTIONS, FEATURES)
    known = neighbours.vectors.astype(np.float64)
    expected = []
    for features, candidates in zip(ASKED[:, 0].astype(np.float64), CANDIDATES, strict=True):
        similarity = known @ (features / np.linalg.norm(features))
        nearest = np.argsort(-similarity)[:count]
        weights = np.exp(similarity[nearest] / TEMPERATURE)
        scores = [
            sum(weight * cider_d(words, CAPTIONS[row]) for weight, row in zip(weights, nearest, strict=True))
            for words in candidates
        ]
        expected.append(int(np.argmax(scores)))
    assert neighbours.choose(ASKED, CANDIDATES, count) == expected
    assert len(set(expected)) > 1


def test_what_was_written_under_the_most_similar_photograph_wins() -> None:
    neighbours = remembered(CAPTIONS, FEATURES)
    candidates = [[*CANDIDATES[0], own[0]] for own in CAPTIONS]
    assert neighbours.choose(2 * FEATURES, candidates, 1) == [4] * 12
    grids = np.repeat(FEATURES, 6, axis=1)
    assert neighbours.choose(grids, candidates, 1) == [4] * 12


def test_what_is_saved_chooses_alike_and_damage_is_refused(tmp_path) -> None:
    neighbours = remembered(CAPTIONS, FEATURES)
    for name in ("one", "other"):
        neighbours.save(tmp_path / name)
    assert sha256(tmp_path / "one") == sha256(tmp_path / "other")
    again = Neighbours.load(tmp_path / "one")
    assert again.choose(ASKED, CANDIDATES, 5) == neighbours.choose(ASKED, CANDIDATES, 5)
    again.save(tmp_path / "again")
    assert sha256(tmp_path / "again") == sha256(tmp_path / "one")
    (tmp_path / "other" / "neighbours.safetensors").write_bytes(b"{}")
    with pytest.raises(TrainingError, match=r"damaged neighbours .*run predict again"):
        Neighbours.load(tmp_path / "other")
    short = Vocabulary(neighbours.vocabulary.words[:2])
    short.save(tmp_path / "one" / "words.json")
    with pytest.raises(TrainingError, match="words that its vocabulary lacks"):
        Neighbours.load(tmp_path / "one")


def test_only_training_photographs_are_remembered(world, tmp_path) -> None:
    found = Neighbours.of(world.captions, world.images, world.features, "filtered", "pooled", tmp_path, seed=7)
    shown = {colour for colour, _, _ in world.shown.values()}
    assert shown <= set(found.vocabulary.words)
    vectors = np.stack([*world.vectors.values()])
    similarity = unit(vectors.reshape(len(vectors), 1, -1)) @ found.vectors.astype(np.float32).T
    assert 0 < len(found.vectors) < len(vectors)
    assert (similarity.max(axis=0) > 0.999).all()


class Said:
    """A predictor that says the same three captions of every image."""

    view, side, styles = "pooled", 0, ("humorous",)
    texts = ("a man sits", "the black bird", "a dog runs on grass")

    def predict(self, images, decoding, *, style, **_):
        groups = self.texts if decoding.strategy == "diverse" else self.texts[:1]
        return [Caption(groups[0], -1.0, tuple(groups[0].split()), groups[1:], (-2.0, -3.0)[: len(groups) - 1])] * len(
            images
        )


@pytest.fixture
def pipeline() -> CaptioningPipeline:
    settings = Settings(variant="v", captions="raw", features="weak", seed=1, decoding=DIVERSE)
    told = [[list(Said.texts[number % 3].split())] for number in range(12)]
    return CaptioningPipeline(Said(), settings, neighbours=remembered(told, FEATURES))  # type: ignore[arg-type]


def test_a_pipeline_says_the_caption_that_agrees_and_keeps_the_others(pipeline) -> None:
    found = pipeline.caption(FEATURES, decoding=DIVERSE.model_copy(update={"consensus": 1}))
    assert [one.text for one in found] == [Said.texts[number % 3] for number in range(12)]
    assert found[2] == Caption(Said.texts[2], -3.0, tuple(Said.texts[2].split()), Said.texts[:2], (-1.0, -2.0))
    assert found[0].others == Said.texts[1:]


@pytest.mark.parametrize(
    ("changes", "style"), [({"consensus": 0}, None), ({"strategy": "beam"}, None), ({}, "humorous")]
)
def test_without_candidates_or_in_a_style_the_likeliest_is_said(pipeline, changes, style) -> None:
    found = pipeline.caption(FEATURES, style, decoding=DIVERSE.model_copy(update=changes))
    assert {one.text for one in found} == {Said.texts[0]}


def test_consensus_needs_neighbours_and_features(pipeline) -> None:
    bare = CaptioningPipeline(pipeline.predictor, pipeline.settings)
    with pytest.raises(TrainingError, match=r"predict\.consensus: this pipeline has no neighbours"):
        bare.caption(FEATURES)
    seeing = Said()
    seeing.view = "pixels"
    with pytest.raises(ParamsError, match=r"predict\.consensus: .*reads pixels"):
        CaptioningPipeline(seeing, pipeline.settings).caption(FEATURES)  # type: ignore[arg-type]

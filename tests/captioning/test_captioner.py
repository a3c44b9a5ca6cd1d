import numpy as np
import pytest
import torch

from photocritic.captioning import ModelPredictor, load_predictor, train_captioner
from photocritic.captioning.caption_dataset import Dataset, Pairs
from photocritic.captioning.captioner import ModelConfig, available, build, reorder
from photocritic.captioning.vocabulary import BOS, EOS, PAD, SPECIAL, Vocabulary
from photocritic.config import Decoding, LstmTrainParams
from photocritic.core.errors import ParamsError
from photocritic.metrics.metric import Captions, References
from photocritic.metrics.overlap.cider import Cider
from photocritic.training.recipe import TrainingRun
from photocritic.training.seeding import deterministic

MODELS = available()
ORDERED = {"rnn", "transformer"}  # the order of an image's regions matters to these
SMALL = {
    "transformer": {"layers": 2, "heads": 2, "feed_forward": 24, "sublayer_dropout": 0.1},
    "san": {"layers": 2, "heads": 2, "normalised": True},
    "up_down": {"attention": 7},
    "aspect_fusion": {"aspects": ["light", "focus"], "length": 3},
}
IMAGES, COPIES = 32, 6  # copies of a caption in an epoch, which are cheaper than epochs


def make(name, options=None, **sizes):
    torch.manual_seed(0)
    config = ModelConfig(**{"features": 5, "vocabulary": 11, "hidden": 12, "embedding": 8, "regions": 4} | sizes)
    return build(name, config, SMALL.get(name, {}) if options is None else options).eval(), config


def photographs(regions=4):
    return torch.randn(3, regions, 5, generator=torch.Generator().manual_seed(1))


def sentences():
    return torch.tensor([[BOS, 4, 5, 9, 6], [BOS, 6, 4, 10, PAD], [BOS, 8, PAD, PAD, PAD]])


@pytest.mark.parametrize("regions", [1, 4])
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("embedding", [8, 12])
@pytest.mark.parametrize("name", MODELS)
def test_steps_give_the_scores_of_the_forward_pass(name, embedding, tied, regions):
    model, _ = make(name, embedding=embedding, tied=tied, regions=regions)
    features, tokens = photographs(regions), sentences()
    logits = model(features, tokens)
    assert logits.shape == (3, 5, 11)
    expected = torch.log_softmax(logits, -1)
    state = model.start(features)
    for position in range(5):
        scores, state = model.step(tokens[:, position], state)
        assert scores.dtype == torch.float32
        assert torch.allclose(scores, expected[:, position], atol=1e-5)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("up_down", {"attention": 7, "language_word": False}),
        ("transformer", {"layers": 2, "heads": 2, "norm": "post"}),
        ("san", {"layers": 2, "heads": 2, "norm": "post"}),
    ],
)
def test_options_that_follow_the_papers_give_the_same_scores_step_by_step(name, options):
    model, _ = make(name, options)
    tokens, state = sentences(), model.start(photographs())
    expected = torch.log_softmax(model(photographs(), tokens), -1)
    for position in range(5):
        scores, state = model.step(tokens[:, position], state)
        assert torch.allclose(scores, expected[:, position], atol=1e-5)


@pytest.mark.parametrize("name", MODELS)
def test_a_reordered_state_goes_on_with_the_row_that_was_picked(name):
    model, _ = make(name)
    tokens, rows = sentences(), torch.tensor([2, 0, 0, 1])
    _, state = model.step(tokens[:, 0], model.start(photographs()))
    scores, state = model.step(tokens[:, 1], state)
    picked, _ = model.step(tokens[rows, 2], reorder(state, rows))
    scores, _ = model.step(tokens[:, 2], state)
    assert torch.allclose(picked, scores[rows], atol=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_what_comes_later_changes_no_score_before(name):
    model, _ = make(name)
    features, tokens = photographs(), sentences()
    whole = model(features, tokens)
    for length in range(1, 5):
        assert torch.allclose(model(features, tokens[:, :length]), whole[:, :length], atol=1e-6)
    changed = tokens.clone()
    changed[tokens == PAD] = 7
    assert torch.allclose(model(features, changed)[tokens != PAD], whole[tokens != PAD], atol=1e-6)
    assert not torch.allclose(model(features, changed), whole, atol=1e-3)


@pytest.mark.parametrize("name", MODELS)
def test_every_region_is_seen_and_an_image_alone_is_told_apart(name):
    model, _ = make(name)
    features, tokens = photographs(), sentences()
    before = model(features, tokens)
    for region in range(4):
        other = features.clone()
        other[1, region] += torch.arange(5.0)
        changed = (model(other, tokens) - before).abs().amax(dim=(1, 2))
        assert changed[1] > 1e-5
        assert torch.allclose(changed[[0, 2]], torch.zeros(2), atol=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_the_order_of_regions_matters_where_the_model_reads_them_in_order(name):
    model, _ = make(name)
    difference = (model(photographs(), sentences()) - model(photographs().flip(1), sentences())).abs().max()
    assert (difference > 1e-4) == (name in ORDERED)


@pytest.mark.parametrize("name", MODELS)
def test_tied_words_are_one_matrix_and_stay_so(name, tmp_path):
    model, config = make(name, tied=True)
    vocabulary = Vocabulary(tuple("abcdefg"))
    ModelPredictor(model, vocabulary, name, config, SMALL.get(name, {})).save(tmp_path / "m")
    loaded = load_predictor(tmp_path / "m").model.cpu()
    assert torch.equal(loaded(photographs(), sentences()), model(photographs(), sentences()))
    weights = loaded.named_parameters(remove_duplicate=False)
    tied = [key for key, weight in weights if weight.shape == (11, 8) and not key.startswith("members.")]
    assert len(tied) == 2
    assert len({loaded.get_parameter(key).data_ptr() for key in tied}) == 1


@pytest.mark.parametrize("name", MODELS)
def test_training_is_deterministic_and_reaches_every_weight(name):
    def gradients():
        torch.manual_seed(3)
        model.zero_grad()
        model(photographs(), sentences()).square().mean().backward()
        return {key: weight.grad.clone() for key, weight in model.named_parameters() if weight.requires_grad}

    model, _ = make(name)
    model.train()
    with deterministic():  # an operation without a deterministic kernel would raise
        first, second = gradients(), gradients()
    assert all(torch.equal(first[key], second[key]) for key in first)
    assert [key for key, grad in first.items() if grad.ndim > 1 and not grad.any()] == []


@pytest.mark.parametrize("name", MODELS)
def test_an_unknown_option_is_refused_in_one_line(name):
    with pytest.raises(ParamsError, match=f"'{name}' has no option 'layer'") as caught:
        make(name, {"layer": 2})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("transformer", {"heads": 5}, "multiple of 2 heads"),
        ("transformer", {"heads": 2, "layers": 0}, "layers 0"),
        ("san", {"heads": 8}, "hidden 12"),
        ("up_down", {"attention": 0}, "attention 0"),
        ("aspect_fusion", {"aspects": ["light"]}, "two at least"),
        ("aspect_fusion", {"aspects": ["light", "focus"], "length": 0}, "length 0"),
        ("transformer", {"heads": 2, "norm": "after"}, "norm 'after': must be pre or post"),
    ],
)
def test_an_option_that_fits_no_model_is_refused(name, options, message):
    with pytest.raises(ParamsError, match=message):
        make(name, options)


def to_learn_by_heart():
    """32 images whose features and captions are random, so that nothing but memory helps."""
    rng = np.random.default_rng(5)
    vocabulary = Vocabulary(tuple(f"w{number}" for number in range(40)))
    captions = rng.integers(len(SPECIAL), len(vocabulary), (IMAGES, 6))
    tokens = np.concatenate([captions, np.full((IMAGES, 1), EOS)], axis=1).astype(np.int32)
    features = rng.normal(size=(IMAGES, 4, 16)).astype(np.float32)
    images = np.tile(np.arange(IMAGES, dtype=np.int32), COPIES)
    pairs = Pairs(features, images, np.arange(len(images) + 1) * 7, np.tile(tokens, (COPIES, 1)).reshape(-1))
    none = Pairs(features, pairs.images[:0], pairs.offsets[:1], pairs.tokens[:0])
    return Dataset(vocabulary, pairs, none), [tuple(vocabulary.decode(row)) for row in captions.tolist()]


@pytest.mark.parametrize("name", MODELS)
def test_every_model_can_learn_32_captions_by_heart(name, tmp_path):
    dataset, captions = to_learn_by_heart()
    options = {"layers": 2, "heads": 4} if name in {"transformer", "san"} else {}
    options = SMALL[name] if name == "aspect_fusion" else options
    config = ModelConfig(16, len(dataset.vocabulary), hidden=64, embedding=64, dropout=0.0, regions=4)
    rate = 1e-2 if name == "style_net" else 2e-2  # a product of three matrices moves faster than one
    params = LstmTrainParams(epochs=10, batch_size=IMAGES, learning_rate=rate, label_smoothing=0.0, precision="32-true")
    torch.manual_seed(0)
    model = build(name, config, options)
    train_captioner.fit_captioner(model, dataset, name, params, TrainingRun(0, tmp_path / "checkpoint.pt"))
    learned = ModelPredictor(model.eval(), dataset.vocabulary, name, config, options)
    said = learned.predict(dataset.train.features, Decoding(strategy="greedy", max_length=8))
    scores = Cider().score(
        Captions([caption.tokens for caption in said]), References([[caption] for caption in captions])
    )
    assert scores.corpus["cider"] > 5

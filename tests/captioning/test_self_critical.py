import numpy as np
import pytest
import torch

from photocritic.captioning.caption_loading import load_dataset
from photocritic.captioning.captioner import ModelConfig, build
from photocritic.captioning.reward import Reward
from photocritic.captioning.scheduled_sampling import sample
from photocritic.captioning.self_critical import PolicyLoss, log_probabilities, train_self_critical
from photocritic.captioning.vocabulary import BOS, EOS, PAD, UNK
from photocritic.config import check
from photocritic.core.errors import ParamsError
from photocritic.core.files import sha256
from photocritic.training.loop import History
from photocritic.training.recipe import TrainingRun
from tests.captioning.conftest import train


@pytest.fixture(scope="module")
def dataset(world, tmp_path_factory):
    return load_dataset(
        world.captions, world.images, world.features, "raw", 2, 100, 8, tmp_path_factory.mktemp("scratch")
    )


@pytest.fixture
def model(dataset):
    torch.manual_seed(4)
    config = ModelConfig(dataset.train.features.shape[2], len(dataset.vocabulary), 48, 32, dropout=0.5)
    return build("show_tell", config)


@pytest.fixture(scope="module")
def refined(tiny):
    changes = {"epochs": 1, "learning_rate": 5e-3, "self_critical_epochs": 3, "self_critical_learning_rate": 2e-3}
    return tiny.model_copy(update=changes | {"select": "cider_d"})


@pytest.fixture(scope="module")
def trained(world, refined, tmp_path_factory):
    out = tmp_path_factory.mktemp("refined") / "cws"
    return out, train(world, out, refined)


def test_sampled_captions_have_the_probabilities_that_a_reading_gives(dataset, model):
    model.eval()
    features = torch.from_numpy(dataset.train.features[:6])
    tokens = sample(model, features, 3, 8)
    images = torch.arange(6).repeat_interleave(3)
    state, last, expected = model.start(features[images]), torch.full((18,), BOS), torch.zeros(18)
    for position in range(8):
        scores, state = model.step(last, state)
        scores[:, [PAD, BOS, UNK] + [EOS] * (position == 0)] = -torch.inf
        last = tokens[:, position]
        said = torch.log_softmax(scores, 1).gather(1, last[:, None])[:, 0]
        expected += said.masked_fill(last == PAD, 0.0)
    found = log_probabilities(model, features[images], tokens)
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)
    assert found.requires_grad
    assert len({tuple(row) for row in tokens.tolist()}) > 12


def test_words_are_drawn_as_often_as_they_are_likely_and_nothing_follows_the_end(dataset, model):
    model.eval()
    features = torch.from_numpy(dataset.train.features[:1])
    torch.manual_seed(1)
    tokens = sample(model, features, 20_000, 4)
    scores, _ = model.step(torch.tensor([BOS]), model.start(features))
    scores[:, [PAD, BOS, UNK, EOS]] = -torch.inf
    expected = torch.softmax(scores.detach(), 1)[0]
    drawn = torch.bincount(tokens[:, 0], minlength=len(expected)) / len(tokens)
    assert float((drawn - expected).abs().max()) < 0.02
    ended = (tokens == EOS).cumsum(dim=1) - (tokens == EOS).long() > 0
    assert (tokens[ended] == PAD).all()
    assert (tokens[~ended] != PAD).all()


@pytest.mark.parametrize("baseline", ["samples", "greedy"])
def test_the_gradient_favours_captions_that_surpass_the_baseline(dataset, model, baseline):
    reward = Reward(dataset.train, len(dataset.vocabulary), ends=True)
    loss = PolicyLoss(model, dataset.train.features, reward, 4, baseline, 8)
    rows = np.arange(20)
    features = torch.from_numpy(dataset.train.features[reward.images[rows]])
    torch.manual_seed(3)
    tokens = sample(model.eval(), features, 4, 8)
    advantage = loss.advantage(features, rows, tokens)
    if baseline == "samples":
        np.testing.assert_allclose(advantage.reshape(20, 4).sum(axis=1), 0.0, atol=1e-9)
    model.train()
    torch.manual_seed(3)
    loss(model, rows).backward()
    assert model.training
    before = log_probabilities(model.eval(), features.repeat_interleave(4, 0), tokens).detach()
    with torch.no_grad():
        for weight in model.parameters():
            weight.sub_(weight.grad, alpha=1e-3)
    after = log_probabilities(model, features.repeat_interleave(4, 0), tokens).detach()
    assert float(((after - before).numpy() * advantage).sum()) > 0


def test_an_undertrained_captioner_gains_reward(trained):
    curve = trained[1].plots["learning_curve"]
    assert [row["epoch"] for row in curve] == [1, 2, 3, 4]
    assert ["policy_loss" in row for row in curve] == [False, True, True, True]
    gain = max(row["val_cider_d"] for row in curve[1:]) - curve[0]["val_cider_d"]
    assert gain > 1.0
    assert trained[1].metrics["val_cider_d"] == max(row["val_cider_d"] for row in curve)
    assert trained[1].metrics["epochs"] == 4


def test_a_self_critical_training_that_was_stopped_goes_on_to_the_same_bytes(world, refined, trained, tmp_path):
    class Stopped(Exception):
        pass

    def stop(epoch, metrics):
        if epoch == 3:
            raise Stopped

    out = tmp_path / "cws"
    with pytest.raises(Stopped):
        train(world, out, refined, on_epoch=stop)
    told = []
    outcome = train(world, out, refined, on_epoch=lambda epoch, metrics: told.append(epoch))
    assert sha256(out) == sha256(trained[0])
    assert outcome.metrics == trained[1].metrics
    assert told == [1, 2, 3, 4]
    assert not list(tmp_path.glob("*.pt"))


def test_weights_that_no_epoch_improves_are_kept(dataset, model, refined, tmp_path):
    before = {name: value.clone() for name, value in model.state_dict().items()}
    params = refined.model_copy(update={"self_critical_epochs": 1, "self_critical_learning_rate": 1e-12})
    run, earlier = TrainingRun(7, tmp_path / "c.pt"), History([{"train_loss": 1.0}], 1)
    history = train_self_critical(model, dataset, "toy", params, run, earlier)
    assert history.best_epoch == 1
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


def test_the_epoch_kept_is_that_of_the_highest_cider(world, tiny, tmp_path):
    outcome = train(
        world, tmp_path / "cws", tiny.model_copy(update={"epochs": 3, "learning_rate": 5e-3, "select": "cider_d"})
    )
    scores = [row["val_cider_d"] for row in outcome.plots["learning_curve"]]
    assert outcome.metrics["best_epoch"] == 1 + int(np.argmax(scores))
    assert 0 < scores[0] < max(scores) <= 10


def test_a_sample_without_others_is_refused():
    with pytest.raises(ParamsError, match="self_critical_samples must be 2 or more"):
        check({"lstm_train": {"self_critical_samples": 1}})

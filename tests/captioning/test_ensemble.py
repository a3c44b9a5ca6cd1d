"""Several captioners as one: their probabilities are averaged, in training, in decoding and after loading."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from photocritic import captioning
from photocritic.captioning.captioner import ModelConfig
from photocritic.captioning.ensemble import build_members, members_of
from photocritic.captioning.vocabulary import BOS
from photocritic.config import Decoding
from photocritic.core.files import sha256
from tests.captioning.conftest import train

CONFIG = ModelConfig(features=5, vocabulary=11, hidden=8, embedding=6, regions=3)


@pytest.mark.parametrize("name", ["show_tell", "up_down", "transformer"])
def test_a_words_probability_is_the_mean_of_the_members(name):
    torch.manual_seed(0)
    ensemble = build_members(name, CONFIG, {"layers": 1, "heads": 2} if name == "transformer" else {}, 3).eval()
    features, tokens = torch.randn(2, 3, 5), torch.tensor([[BOS, 4, 5], [BOS, 6, 4]])
    with torch.no_grad():
        each = torch.stack([torch.softmax(member(features, tokens), dim=-1) for member in members_of(ensemble)])
        assert (each[0] - each[1]).abs().max() > 1e-3
        torch.testing.assert_close(ensemble(features, tokens).exp(), each.mean(dim=0))
        state = ensemble.start(features)
        for place in range(tokens.shape[1]):
            found, state = ensemble.step(tokens[:, place], state)
            torch.testing.assert_close(found.exp(), each.mean(dim=0)[:, place], atol=1e-6, rtol=1e-4)


def test_members_are_trained_one_by_one_resumed_and_kept_together(world, tiny, tmp_path):
    class Stopped(Exception):
        pass

    def stop(epoch, metrics):
        if epoch == 4:  # the second member's first
            raise Stopped

    params = tiny.model_copy(
        update={"members": 2, "epochs": 2, "self_critical_epochs": 1, "select": "cider_d", "learning_rate": 3e-3}
    )
    whole = train(world, tmp_path / "whole", params)
    curve = whole.plots["learning_curve"]
    assert ["policy_loss" in row for row in curve] == [False, False, True] * 2
    assert curve[0]["val_loss"] != curve[3]["val_loss"]
    assert whole.metrics["val_cider_d"] not in {row.get("val_cider_d") for row in curve}  # the ensemble's own
    with pytest.raises(Stopped):
        train(world, tmp_path / "stopped", params, on_epoch=stop)
    epochs = []
    train(world, tmp_path / "stopped", params, on_epoch=lambda epoch, metrics: epochs.append(epoch))
    assert epochs == [*range(1, 7)]
    assert sha256(tmp_path / "stopped") == sha256(tmp_path / "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["stopped", "whole"]


def test_an_ensemble_is_no_worse_than_its_members_on_average_and_is_loaded_as_it_was(world, tiny, tmp_path):
    outcome = train(world, tmp_path / "cws", tiny.model_copy(update={"members": 2, "epochs": 2}))
    losses = [row["val_loss"] for row in outcome.plots["learning_curve"]]
    assert outcome.metrics["val_loss"] <= np.mean([min(losses[:2]), min(losses[2:])])
    bundle = captioning.load_predictor(tmp_path / "cws")
    assert len(members_of(bundle.model)) == 2
    images = np.stack([*world.vectors.values()]).astype(np.float32)[:5, None]
    first = bundle.predict(images, Decoding())
    bundle.save(tmp_path / "again")
    assert sha256(tmp_path / "again") == sha256(tmp_path / "cws")
    assert captioning.load_predictor(tmp_path / "again").predict(images, Decoding()) == first


def test_by_consensus_all_that_the_members_propose_are_candidates(world, tiny, tmp_path):
    train(world, tmp_path / "cws", tiny.model_copy(update={"members": 2, "epochs": 1}))
    bundle = captioning.load_predictor(tmp_path / "cws")
    images = np.stack([*world.vectors.values()]).astype(np.float32)[:5, None]
    search = Decoding(strategy="diverse", beam=1)
    alone = [replace(bundle, model=one).predict(images, search) for one in members_of(bundle.model)]
    together = bundle.predict(images, search)
    pooled = bundle.predict(images, search.model_copy(update={"consensus": 5}))
    for first, second, one, every in zip(*alone, together, pooled, strict=True):
        assert one.logprob not in {first.logprob, second.logprob}  # the mean of both
        assert (every.text, every.logprob, every.tokens) == (first.text, first.logprob, first.tokens)
        candidates = dict.fromkeys([first.text, *first.others, second.text, *second.others])
        assert [every.text, *every.others] == [*candidates]
        assert len(every.other_logprobs) == len(every.others)
    assert any(len(every.others) > len(first.others) for first, every in zip(alone[0], pooled, strict=True))

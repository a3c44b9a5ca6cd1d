import numpy as np
import pytest
import torch

from photocritic.captioning import train_captioner
from photocritic.captioning.caption_loading import load_dataset
from photocritic.captioning.captioner import ModelConfig, build
from photocritic.captioning.objective import cross_entropy, sampled_share
from photocritic.captioning.scheduled_sampling import append_end, scheduled_sampling
from photocritic.captioning.vocabulary import BOS, EOS, PAD
from photocritic.config import Variant


@pytest.fixture
def scene(world, tmp_path):
    dataset = load_dataset(world.captions, world.images, world.features, "raw", 1, 100, 4, tmp_path)
    torch.manual_seed(0)
    model = build("show_tell", ModelConfig(dataset.train.features.shape[2], len(dataset.vocabulary), 16, 16))
    return dataset, model


class Parrot(torch.nn.Module):
    """Says after each word the word with the next number, whatever the image."""

    def forward(self, features, tokens):
        return 1e4 * torch.nn.functional.one_hot(tokens + 1, 20).float()


def test_the_share_rises_every_five_epochs_up_to_a_quarter():
    assert [sampled_share(epoch, 0.05) for epoch in (0, 4, 5, 9, 10, 25, 99)] == pytest.approx(
        [0.0, 0.0, 0.05, 0.05, 0.1, 0.25, 0.25]
    )
    assert sampled_share(99, 0.0) == 0.0


def test_without_a_share_the_loss_is_bit_for_bit_that_of_teacher_forcing(scene):
    dataset, model = scene
    rows, losses = np.arange(8), []
    for share in ((), (0.0,), (0.25,)):
        torch.manual_seed(1)
        losses.append(float(cross_entropy(model, dataset.train, rows, 0.1, *share).detach()))
    assert losses[0] == losses[1] != losses[2]


def test_at_a_share_of_one_only_sampled_words_are_read_and_padding_stays():
    inputs = torch.tensor([[BOS, 7, 9, 11], [BOS, 12, PAD, PAD]])
    read = scheduled_sampling(Parrot(), torch.zeros(2, 1, 1), inputs, 1.0)
    assert read.tolist()[0][2:] == [8, 10]  # what the parrot says after 7 and 9
    assert read[0, 0] == BOS
    assert read.tolist()[1][2:] == [PAD, PAD]


def test_words_are_sampled_at_the_share_and_are_never_special(scene):
    dataset, model = scene
    features, inputs, _ = map(torch.from_numpy, dataset.train.batch(np.arange(400)))
    torch.manual_seed(2)
    read = scheduled_sampling(model, features, inputs, 0.25)
    words = inputs[:, 1:] != PAD
    changed = (read != inputs)[:, 1:][words].double().mean()
    assert 0.15 < float(changed) < 0.25  # some sampled words are the words that stood there
    assert not torch.isin(read[:, 1:][words], torch.tensor([PAD, BOS, EOS])).any()
    assert (read[:, 1:][~words] == PAD).all()


def test_sampled_words_are_read_from_the_sixth_epoch_on_after_a_resume_too(world, tiny, tmp_path):
    class Stopped(Exception):
        pass

    def stop(epoch, metrics):
        if epoch == 4:
            raise Stopped

    def losses(increase, on_epoch=None):
        params = tiny.model_copy(update={"epochs": 6, "scheduled_sampling": increase})
        tables = world.captions, world.images, world.features, tmp_path / "cws"
        variant = Variant(captions="raw", features="weak")
        outcome = train_captioner.train("cws", variant, *tables, params, 7, tmp_path / "c.pt", on_epoch)
        return [row["train_loss"] for row in outcome.plots["learning_curve"]]

    plain, scheduled = losses(0.0), losses(0.2)
    assert plain[:5] == scheduled[:5]
    assert plain[5] < scheduled[5]
    with pytest.raises(Stopped):
        losses(0.2, stop)
    assert losses(0.2) == scheduled


def test_what_fills_its_row_was_cut_and_gets_no_end():
    tokens = torch.tensor([[5, 6, 7], [5, 6, PAD], [5, PAD, PAD]])
    assert append_end(tokens).tolist() == [[5, 6, 7], [5, 6, EOS], [5, EOS, PAD]]

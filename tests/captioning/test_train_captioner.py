import numpy as np
import pytest
import torch
from torch.nn import functional

from photocritic import captioning, tables
from photocritic.captioning.caption_loading import load_dataset
from photocritic.captioning.captioner import ModelConfig, available, build
from photocritic.captioning.objective import cross_entropy, mean_nll
from photocritic.captioning.vocabulary import PAD
from photocritic.config import Decoding
from photocritic.core.errors import ParamsError, TrainingError
from photocritic.core.files import sha256
from tests.captioning.conftest import train


@pytest.fixture(scope="module")
def trained(world, tiny, tmp_path_factory):
    out = tmp_path_factory.mktemp("run") / "cws"
    return out, train(world, out, tiny)


def test_the_captioner_says_what_the_photograph_shows(world, trained):
    bundle = captioning.load_predictor(trained[0])
    rows = tables.load("images", world.images).to_pylist()
    test = [row["image_id"] for row in rows if row["split"] == "test"]
    captions = bundle.predict(
        np.stack([world.vectors[image] for image in test]).astype(np.float32)[:, None], Decoding()
    )
    expected = [("a", *world.shown[image][:2], "on", "the", world.shown[image][2]) for image in test]
    hits = [said == wanted for c, e in zip(captions, expected, strict=True) for said, wanted in zip(c.tokens, e)]  # noqa: B905
    assert np.mean(hits) > 0.95
    assert len({caption.text for caption in captions}) > len(test) / 4
    assert all(caption.text == " ".join(caption.tokens) and caption.logprob < 0 for caption in captions)


def test_the_outcome_tells_what_was_learned(trained):
    out, outcome = trained
    assert outcome.metrics["perplexity"] == pytest.approx(np.exp(outcome.metrics["val_loss"]))
    assert outcome.metrics["perplexity"] < 2.0  # the words that carry no doubt make up half of a caption
    assert outcome.metrics["vocabulary"] == 4 + 14
    assert len(outcome.plots["learning_curve"]) == outcome.metrics["epochs"] == 8
    assert outcome.metrics["val_loss"] == min(row["val_loss"] for row in outcome.plots["learning_curve"])
    assert "learning_curve" in outcome.figures
    assert sorted(p.name for p in out.iterdir()) == ["model", "vocabulary.json"]
    assert not list(out.parent.glob("*.pt"))


def test_a_run_that_was_stopped_goes_on_to_the_same_bytes(world, tiny, trained, tmp_path):
    class Stopped(Exception):
        pass

    def stop(epoch, metrics):
        if epoch == 3:
            raise Stopped

    out = tmp_path / "cws"
    with pytest.raises(Stopped):
        train(world, out, tiny, on_epoch=stop)
    assert not out.exists()
    epochs = []
    outcome = train(world, out, tiny, on_epoch=lambda epoch, metrics: epochs.append(epoch))
    assert sha256(out) == sha256(trained[0])
    assert outcome.metrics == trained[1].metrics
    assert epochs == list(range(1, 9))


def test_without_validation_images_the_last_epoch_is_kept(make_world, tiny, tmp_path):
    world = make_world(tmp_path, splits=("train", "test"), copies=2)
    outcome = train(world, tmp_path / "cws", tiny.model_copy(update={"epochs": 2}))
    assert outcome.metrics["best_epoch"] == 2
    assert outcome.metrics["val_captions"] == 0
    assert "val_loss" not in outcome.metrics


def test_a_loss_in_chunks_is_the_mean_over_all_tokens(world, tmp_path):
    dataset = load_dataset(world.captions, world.images, world.features, "raw", 1, 100, 4, tmp_path)
    torch.manual_seed(0)
    model = build("show_tell", ModelConfig(dataset.train.features.shape[2], len(dataset.vocabulary), 8, 8)).eval()
    rows = np.arange(len(dataset.train))
    features, inputs, targets = map(torch.from_numpy, dataset.train.batch(rows))
    expected = functional.cross_entropy(model(features, inputs).flatten(0, 1), targets.flatten(), ignore_index=PAD)
    assert float(cross_entropy(model, dataset.train, rows, 0.0).detach()) == pytest.approx(
        float(expected.detach()), rel=1e-5
    )
    assert mean_nll(model, dataset.train, 7) == pytest.approx(float(expected.detach()), rel=1e-5)
    assert torch.isfinite(cross_entropy(model, dataset.train, rows[:1], 0.1))


def test_an_unknown_model_is_refused_with_the_known_ones():
    assert "show_tell" in available()
    with pytest.raises(ParamsError, match="show_tell"):
        build("show_attend", ModelConfig(4, 9))


def test_features_of_another_width_are_refused(trained):
    with pytest.raises(TrainingError, match="11 numbers"):
        captioning.load_predictor(trained[0]).predict(np.zeros((2, 1, 5), np.float32), Decoding())


def test_what_is_drawn_for_a_photograph_depends_on_its_name_and_the_seed(world, trained):
    bundle, names = captioning.load_predictor(trained[0]), sorted(world.vectors)[:12]
    features = np.stack([world.vectors[name] for name in names]).astype(np.float32)[:, None]
    options = Decoding(strategy="sample", top_p=1.0, temperature=3.0)
    drawn = [one.text for one in bundle.predict(features, options, seed=1, names=names)]
    again = bundle.predict(features[::-1], options, seed=1, names=names[::-1], batch_size=5)
    assert drawn == [one.text for one in again][::-1]
    assert drawn != [one.text for one in bundle.predict(features, options, seed=2, names=names)]


def test_a_diverse_search_tells_what_else_could_be_said(world, trained):
    features = np.stack(list(world.vectors.values())[:3]).astype(np.float32)[:, None]
    options = Decoding(strategy="diverse", beam=1, groups=3, diversity=5.0)
    for one in captioning.load_predictor(trained[0]).predict(features, options):
        assert one.others
        assert len({one.text, *one.others}) == 1 + len(one.others)


def test_a_captioner_without_styles_says_so(trained):
    with pytest.raises(ParamsError, match="'show_tell' learns no styles"):
        captioning.load_predictor(trained[0]).predict(np.zeros((1, 1, 11), np.float32), Decoding(), style="humorous")


def test_no_image_has_no_caption(trained):
    assert captioning.load_predictor(trained[0]).predict(np.zeros((0, 1, 11), np.float32), Decoding()) == []


@pytest.mark.parametrize("damage", ["model/config.json", "model/weights.safetensors", "vocabulary.json"])
def test_a_damaged_folder_is_one_clear_line(trained, tmp_path, damage):
    bundle = captioning.load_predictor(trained[0])
    bundle.save(tmp_path / "copy")
    assert sha256(tmp_path / "copy") == sha256(trained[0])
    (tmp_path / "copy" / damage).write_bytes(b"{}")
    with pytest.raises(TrainingError) as caught:
        captioning.load_predictor(tmp_path / "copy")
    assert "\n" not in str(caught.value)

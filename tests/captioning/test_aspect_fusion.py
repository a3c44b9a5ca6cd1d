"""Chang et al.'s captioners: one that knows an aspect, and one that attends to those of several."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from photocritic import captioning, tables
from photocritic.captioning import train_captioner
from photocritic.captioning.caption_loading import load_dataset
from photocritic.captioning.captioner import ModelConfig, build
from photocritic.captioning.decoding import decode
from photocritic.captioning.vocabulary import BOS, EOS, PAD, UNK
from photocritic.config import Decoding, LstmTrainParams, Variant
from photocritic.core.errors import TrainingError

WIDTH, LENGTH = 7, 4
TOKENS = torch.tensor([[BOS, 4, 5, 9], [BOS, 6, 4, PAD], [BOS, 8, PAD, PAD]])
OPTIONS = {"aspects": ["thing", "place"], "length": 6}


@pytest.fixture(params=[False, True], ids=["", "maxout"])
def model(request):
    torch.manual_seed(0)
    config = ModelConfig(5, 11, hidden=WIDTH, embedding=6, dropout=0.5)
    return build(
        "aspect_fusion", config, {"aspects": ["a", "b", "c"], "length": LENGTH, "maxout": request.param}
    ).eval()


def images():
    return torch.randn(3, 1, 5, generator=torch.Generator().manual_seed(1))


def of_aspect(shown, aspect):
    _, thing, place = shown
    return ["the", "thing", "is", "a", thing] if aspect == "thing" else ["here", "lies", place]


@pytest.fixture(scope="module")
def critique(make_world, make_caption, tmp_path_factory):
    """Make a world in which every photograph has a caption of its thing, one of its place, and one of neither."""
    world = make_world(tmp_path_factory.mktemp("critique"), copies=3)
    rows = []
    for image, shown in world.shown.items():
        rows += [
            make_caption(image, number, of_aspect(shown, aspect), source=f"made up:{aspect}")
            for number, aspect in enumerate(OPTIONS["aspects"])
        ]
        rows.append(make_caption(image, 9, ["nice", shown[0], "colour"]))
    tables.save("captions", world.captions, tables.from_rows("captions", rows))
    return world


def attended(model, hidden, memory, there):
    """Return the weighted mean of an image's remembered states, (H,), by the model's weights and nothing else of it."""
    weights = model.state_dict()
    scores = torch.stack(
        [
            torch.tanh(state @ weights["keys.weight"].T + weights["keys.bias"] + hidden @ weights["query.weight"].T)
            @ weights["weight.weight"][0]
            for state in memory[there]
        ]
    )
    return functional.softmax(scores, dim=0) @ memory[there]


def test_every_step_attends_to_the_states_of_all_aspects(model):
    features = images()
    hidden, cell, memory, _, there = model.start(features)
    assert memory.shape == (3, 3 * LENGTH, WIDTH)
    logits = []
    for place in range(TOKENS.shape[1]):
        context = torch.stack([attended(model, hidden[row], memory[row], there[row]) for row in range(3)])
        sums = model.input_sums(model.words.read(TOKENS[:, place])) + model.context_sums(context)
        hidden, cell = model._advance(sums, hidden, cell)
        logits.append(model.words.score(hidden))
    torch.testing.assert_close(model(features, TOKENS), torch.stack(logits, dim=1), atol=1e-6, rtol=0.0)


def test_what_is_remembered_are_the_states_of_each_aspects_likeliest_caption(model):
    with torch.no_grad():
        for captioner in model.aspect_captioners.values():
            captioner.words.output.weight.mul_(20.0)  # so that captions differ
            captioner.words.output.bias[[UNK, EOS]] = -99.0  # unknown words are remembered, but never decoded
    features = images()
    _, _, memory, _, there = model.start(features)
    assert there.all()
    for number, captioner in enumerate(model.aspect_captioners.values()):
        words = decode(captioner, features, Decoding(strategy="greedy", max_length=LENGTH)).tokens[:, 0]
        state = captioner.start(features)
        read = torch.cat([torch.full((3, 1), BOS), words], dim=1)
        for place in range(LENGTH):
            _, state = captioner.step(read[:, place], state)
            torch.testing.assert_close(memory[:, number * LENGTH + place], state[0])


def test_what_follows_an_end_is_not_attended_to(model):
    with torch.no_grad():
        model.aspect_captioners["b"].words.output.bias[EOS] = 99.0
    *_, there = model.start(images())
    assert there[:, LENGTH : 2 * LENGTH].tolist() == [[True] + [False] * (LENGTH - 1)] * 3


def test_the_captioners_of_aspects_stay_fixed_and_without_dropout(model):
    model.train()
    first, second = model.start(images()), model.start(images())
    torch.testing.assert_close(first[2], second[2])
    model(images(), TOKENS).square().mean().backward()
    learned = {name for name, weight in model.named_parameters() if weight.grad is not None}
    assert not any(name.startswith("members.") for name in learned)
    assert {"keys.weight", "keys.bias", "query.weight", "weight.weight", "context_sums.weight"} < learned


def train(world, out, params, variant):
    checkpoint = out.parent / f"{out.name}.pt"
    tables_of = world.captions, world.images, world.features
    return train_captioner.train("af", variant, *tables_of, out, params, 7, checkpoint)


def test_each_aspect_is_learned_before_all_captions_are(critique, tiny, tmp_path):
    params = tiny.model_copy(update={"model": "aspect_fusion", "options": OPTIONS, "epochs": 5})
    outcome = train(critique, tmp_path / "af", params, Variant(captions="raw", features="weak"))
    assert outcome.metrics["epochs"] == 15
    assert outcome.metrics["best_epoch"] > 10
    assert not list(tmp_path.glob("*.pt"))
    predictor = captioning.load_predictor(tmp_path / "af")
    test = [image for image, split in splits(critique).items() if split == "test"]
    features = np.stack([critique.vectors[image] for image in test]).astype(np.float32)[:, None]
    for aspect, captioner in predictor.model.aspect_captioners.items():
        words = decode(captioner, torch.from_numpy(features), Decoding(strategy="greedy", max_length=8)).tokens[:, 0]
        found = {" ".join(predictor.vocabulary.decode(row)[:2]) for row in words.tolist()}
        assert found == {"the thing" if aspect == "thing" else "here lies"}
    captions = [one.tokens for one in predictor.predict(features, Decoding(strategy="greedy", max_length=8))]
    assert {said[0] for said in captions} <= {"the", "here", "nice"}


def splits(world):
    return {row["image_id"]: row["split"] for row in tables.load("images", world.images).to_pylist()}


def test_a_killed_training_goes_on_with_the_phase_that_it_was_in(critique, tiny, tmp_path, monkeypatch):
    params = tiny.model_copy(update={"model": "aspect_fusion", "options": OPTIONS, "epochs": 1})
    variant = Variant(captions="raw", features="weak")
    whole = train(critique, tmp_path / "whole", params, variant)
    fit, runs = train_captioner.fit_captioner, []

    def killed(model, dataset, name, params, run):
        if len(runs) == 2:
            raise KeyboardInterrupt
        runs.append(run.checkpoint.name)
        return fit(model, dataset, name, params, run)

    monkeypatch.setattr(train_captioner, "fit_captioner", killed)
    with pytest.raises(KeyboardInterrupt):
        train(critique, tmp_path / "again", params, variant)
    assert runs == ["again_aspect_1.pt", "again_aspect_2.pt"]
    assert all((tmp_path / run).exists() for run in runs)
    monkeypatch.setattr(train_captioner, "fit_captioner", fit)
    assert train(critique, tmp_path / "again", params, variant).metrics == whole.metrics
    weights = "model/weights.safetensors"
    assert (tmp_path / "again" / weights).read_bytes() == (tmp_path / "whole" / weights).read_bytes()


def test_an_aspect_without_captions_is_refused(critique, tmp_path):
    with pytest.raises(TrainingError, match=r"of the aspect 'light' \(its aspects: place, thing\)"):
        load_dataset(
            critique.captions, critique.images, critique.features, "raw", 1, 99, 8, tmp_path, aspects=["light"]
        )


def test_an_ensemble_of_fusions_has_aspects_of_its_own(critique, tiny, tmp_path):
    params = tiny.model_copy(update={"model": "aspect_fusion", "options": OPTIONS, "epochs": 1, "members": 2})
    outcome = train(critique, tmp_path / "af", params, Variant(captions="raw", features="weak"))
    assert outcome.metrics["epochs"] == 6


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"options": {"aspects": "focus"}}, "a list of names"),
        ({"options": {"aspects": ["focus", 3]}}, "a list of names"),
        ({"options": OPTIONS, "finetune_epochs": 1}, "finetune_epochs must be 0 with options.aspects"),
    ],
)
def test_options_that_cannot_be_are_refused_before_any_work(changes, message):
    with pytest.raises(ValueError, match=message):
        LstmTrainParams(model="aspect_fusion", **changes)

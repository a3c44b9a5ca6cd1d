import numpy as np
import pytest
import torch

from photocritic import captioning, tables
from photocritic.captioning import train_captioner
from photocritic.captioning.caption_loading import load_dataset
from photocritic.captioning.captioner import ModelConfig, build
from photocritic.captioning.decoding import Decoding
from photocritic.captioning.objective import caption_task
from photocritic.config import Variant
from photocritic.core.errors import ParamsError, TrainingError
from photocritic.training.recipe import Position


def humorous(shown):
    colour, thing, place = shown
    return ["a", "silly", colour, thing, "loves", "the", place]


@pytest.fixture(scope="module")
def styled_world(make_world, make_caption, tmp_path_factory):
    """Make a world in which every photograph has a humorous caption too."""
    world = make_world(tmp_path_factory.mktemp("styled"))
    rows = tables.load("captions", world.captions).to_pylist()
    for image, shown in world.shown.items():
        rows.append(make_caption(image, 9, humorous(shown), style="humorous"))
    tables.save("captions", world.captions, tables.from_rows("captions", rows))
    return world


def test_styles_differ_in_their_own_factor_alone():
    torch.manual_seed(0)
    model = build("style_net", ModelConfig(5, 30, 16, 8), {"styles": ["humorous"], "factor": 8}).eval()
    features, tokens = torch.randn(3, 2, 5), torch.randint(4, 30, (3, 6))
    factual = model(features, tokens)
    torch.testing.assert_close(model(features, tokens, text_of="humorous"), factual)
    with torch.no_grad():
        model.styles["humorous"].normal_()
    assert not torch.allclose(model(features, tokens, text_of="humorous"), factual)
    torch.testing.assert_close(model(features, tokens), factual)


def test_text_without_images_teaches_the_words_and_its_own_style_alone():
    model = build("style_net", ModelConfig(5, 30, 16, 8), {"styles": ["humorous", "romantic"], "factor": 8})
    model(torch.zeros(3, 1, 5), torch.randint(4, 30, (3, 6)), text_of="humorous").square().mean().backward()
    learned = {name for name, weight in model.named_parameters() if weight.grad is not None}
    assert learned == {"styles.humorous", "words.vectors.weight", "words.output.weight", "words.output.bias"}


def test_training_alternates_between_captions_and_text_in_a_style(styled_world, tiny, tmp_path):
    world = styled_world
    tables_of = world.captions, world.images, world.features
    dataset = load_dataset(*tables_of, "raw", 1, 100, 8, tmp_path, styles=["humorous"])
    model = build("style_net", ModelConfig(11, len(dataset.vocabulary), 16, 8), {"styles": ["humorous"], "factor": 8})
    task = caption_task(model, dataset, tiny)
    assert task.examples == 2 * len(dataset.train)
    rows, learned = np.arange(task.examples - 4, task.examples), []
    for step in (0, 1, 2):
        model.zero_grad()
        task.loss(model, rows, Position(0, 0.0, step)).backward()
        learned.append({name for name, weight in model.named_parameters() if weight.grad is not None})
    assert "styles.humorous" not in learned[0]
    assert learned[1] == {"styles.humorous", "words.vectors.weight", "words.output.weight", "words.output.bias"}
    assert learned[2] == learned[0]
    assert task.weigh(rows) == task.weigh(rows - len(dataset.train)) == 28  # six words and an end, four times


@pytest.mark.parametrize("style", ["factual", "humorous"])
def test_word_by_word_it_says_what_a_reading_at_once_says(style):
    torch.manual_seed(0)
    model = build("style_net", ModelConfig(5, 30, 16, 8), {"styles": ["humorous"], "factor": 8}).eval()
    with torch.no_grad():
        model.styles["humorous"].normal_()
    model = model.in_style(style)
    features, tokens = torch.randn(3, 2, 5), torch.randint(4, 30, (3, 6))
    expected, state = torch.log_softmax(model(features, tokens), 2), model.start(features)
    for position in range(6):
        found, state = model.step(tokens[:, position], state)
        torch.testing.assert_close(found, expected[:, position])


def test_a_style_learned_from_text_alone_tells_of_images(styled_world, tiny, tmp_path):
    world, out = styled_world, tmp_path / "style"
    options = {"styles": ["humorous"], "factor": 32}
    params = tiny.model_copy(update={"model": "style_net", "options": options, "epochs": 6})
    variant = Variant(captions="raw", features="weak")
    train_captioner.train("s", variant, world.captions, world.images, world.features, out, params, 7, tmp_path / "c.pt")
    predictor = captioning.load_predictor(out)
    split = {row["image_id"]: row["split"] for row in tables.load("images", world.images).to_pylist()}
    test = [image for image in world.shown if split[image] == "test"]
    features = np.stack([world.vectors[image] for image in test]).astype(np.float32)[:, None]

    def says(style):
        options = Decoding(strategy="greedy", max_length=8)
        return [one.tokens for one in predictor.predict(features, options, style=style)]

    factual = says("factual")
    funny = says("humorous")
    assert not any({"silly", "loves"} & set(said) for said in factual)
    assert np.mean([{"silly", "loves"} <= set(said) for said in funny]) > 0.75  # two words that no factual caption has
    told = np.mean([[word in said for word in world.shown[i]] for said, i in zip(funny, test, strict=True)])
    assert told > 0.7  # by chance it names 1 in 4 colours, 1 in 4 things, 1 in 3 places


def test_styled_text_is_of_training_images_and_no_validation_caption(styled_world, tmp_path):
    world = styled_world
    tables_of = world.captions, world.images, world.features
    dataset = load_dataset(*tables_of, "raw", 1, 100, 8, tmp_path, styles=["humorous"])
    plain = load_dataset(*tables_of, "raw", 1, 100, 8, tmp_path)
    assert len(dataset.styled["humorous"]) * 2 == len(dataset.train) == len(plain.train)
    assert set(dataset.vocabulary.words) - set(plain.vocabulary.words) == {"silly", "loves"}
    words = dataset.vocabulary.decode(dataset.styled["humorous"].batch(np.arange(1))[2][0])
    assert words[:2] == ["a", "silly"]
    assert plain.styled == {}


def test_a_style_nobody_wrote_in_is_refused(styled_world, tmp_path):
    world = styled_world
    with pytest.raises(TrainingError, match="romantic"):
        load_dataset(world.captions, world.images, world.features, "raw", 1, 100, 8, tmp_path, styles=["romantic"])
    model = build("style_net", ModelConfig(5, 30, 16, 8), {"styles": ["humorous"], "factor": 8})
    with pytest.raises(ParamsError, match="factual, humorous"):
        model.in_style("romantic")

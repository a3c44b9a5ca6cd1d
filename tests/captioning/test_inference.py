"""The pipeline from photographs to captions: its folder, its styles, and threads that share it."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch

from photocritic import config
from photocritic.captioning import CaptioningPipeline, ModelPredictor, Settings
from photocritic.captioning.captioner import ModelConfig, build
from photocritic.captioning.inference import NETWORK, SETTINGS, read_topics
from photocritic.captioning.vocabulary import SPECIAL, Vocabulary
from photocritic.core.errors import ParamsError, TrainingError
from photocritic.core.files import sha256
from photocritic.vision import network as networks
from photocritic.vision.network import Network, NetworkConfig
from tests.captioning.photographs import COLOURS, SIZE, jpeg, small_backbone

STYLES = ("humorous", "romantic")
PHOTOGRAPHS = [jpeg(above, below, 1) for above in COLOURS for below in COLOURS]


@pytest.fixture(scope="module", autouse=True)
def patched():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(networks, "build_backbone", small_backbone)
        yield


@pytest.fixture(scope="module")
def folder(patched, tmp_path_factory) -> Path:
    """Write a captioner of two styles and its network, and return a folder whose settings refer to them."""
    place = tmp_path_factory.mktemp("project")
    torch.manual_seed(3)
    Network(NetworkConfig("weak", "resnet18", SIZE, 1, {"topics": 2}, [])).save(place / "cnn")
    sizes, options = ModelConfig(16, len(SPECIAL) + 10, 16, 8), {"styles": list(STYLES), "factor": 8}
    model = build("style_net", sizes, options).eval()
    with torch.no_grad():
        for style in STYLES:
            model.styles[style].normal_(std=4.0)
    ModelPredictor(model, Vocabulary(tuple("abcdefghij")), "style_net", sizes, options).save(place / "captioner")
    variants = {"v": {"captions": "raw", "features": "weak"}}
    chosen = config.check({"variants": variants, "predict": {"max_length": 6, "min_length": 3}})
    Settings.of(chosen, "v", "../captioner", "../cnn").save(place / "v")
    return place / "v"


@pytest.fixture(scope="module")
def pipeline(folder):
    return CaptioningPipeline.from_pretrained(folder)


def test_what_is_saved_is_whole_and_captions_alike(pipeline, tmp_path):
    pipeline.save_pretrained(tmp_path / "saved", {0: "soft_light, dusk"})
    pipeline.save_pretrained(tmp_path / "again", {0: "soft_light, dusk"})
    assert sha256(tmp_path / "saved") == sha256(tmp_path / "again")
    files = [path for path in (tmp_path / "saved").rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".json", ".safetensors"}
    (tmp_path / "saved").rename(tmp_path / "moved")
    moved = CaptioningPipeline.from_pretrained(tmp_path / "moved")
    captions = pipeline.caption(PHOTOGRAPHS)
    assert [one.text for one in moved.caption(PHOTOGRAPHS)] == [one.text for one in captions]
    assert len({one.text for one in captions}) > 1
    topics = {one["topic"]: one["terms"] for one in moved.caption(PHOTOGRAPHS[:1])[0].topics}
    assert topics == {0: "soft_light, dusk", 1: ""}


def test_styles_that_threads_ask_for_in_turn_are_as_each_alone(folder):
    asked = [None, *STYLES] * 4
    alone = {style: CaptioningPipeline.from_pretrained(folder).caption(PHOTOGRAPHS, style) for style in set(asked)}
    assert len({tuple(one.text for one in captions) for captions in alone.values()}) == 3
    shared = CaptioningPipeline.from_pretrained(folder)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda style: shared.caption(PHOTOGRAPHS, style), asked))
    for style, captions in zip(asked, found, strict=True):
        assert captions == alone[style]
    assert not torch.are_deterministic_algorithms_enabled()


def test_a_style_that_was_not_learned_is_refused(pipeline):
    with pytest.raises(ParamsError, match="factual, humorous, romantic"):
        pipeline.caption(PHOTOGRAPHS, "ironic")


def test_an_image_that_cannot_be_read_keeps_its_place(pipeline, tmp_path):
    (tmp_path / "a.png").write_bytes(PHOTOGRAPHS[0])
    first, broken, last = pipeline.caption([tmp_path / "a.png", b"text", PHOTOGRAPHS[5]])
    assert broken.problem.startswith("unreadable image: ")
    assert (broken.text, broken.topics) == ("", ())
    assert first.text == pipeline.caption(PHOTOGRAPHS[:1])[0].text
    assert last.text == pipeline.caption(PHOTOGRAPHS[5:6])[0].text
    assert pipeline.caption([b"text"])[0].problem
    assert pipeline.caption([]) == []


def test_what_is_drawn_is_the_contents_own_and_the_seeds(pipeline):
    options = config.Decoding(strategy="sample", top_p=1.0, temperature=4.0, max_length=6)
    drawn = pipeline.caption(PHOTOGRAPHS, decoding=options, seed=1)
    again = pipeline.caption(PHOTOGRAPHS[::-1], decoding=options, seed=1, batch_size=3)
    assert [one.text for one in drawn] == [one.text for one in again][::-1]
    other = pipeline.caption(PHOTOGRAPHS, decoding=options, seed=2)
    assert [one.text for one in drawn] != [one.text for one in other]


def test_a_captioner_that_reads_pixels_brings_no_network(pipeline, tmp_path):
    predictor, network = pipeline.predictor, Network(NetworkConfig("weak", "resnet18", SIZE, 1, {}, [])).eval()
    seeing = ModelPredictor(
        predictor.model, predictor.vocabulary, "style_net", predictor.config, predictor.options, network
    )
    CaptioningPipeline(seeing, pipeline.settings).save_pretrained(tmp_path / "saved")
    assert not (tmp_path / "saved" / NETWORK).exists()
    loaded = CaptioningPipeline.from_pretrained(tmp_path / "saved")
    assert loaded.predictor.view == "pixels"
    assert all(one.text and not one.topics for one in loaded.caption(PHOTOGRAPHS))


def test_photographs_need_the_network_and_arrays_do_not(pipeline):
    bare = CaptioningPipeline(pipeline.predictor, pipeline.settings)
    assert bare.caption(np.ones((2, 1, 16), np.float32))[1].text
    with pytest.raises(TrainingError, match="no network"):
        bare.caption(PHOTOGRAPHS)


def test_a_network_whose_features_are_others_is_refused(pipeline, tmp_path):
    pipeline.save_pretrained(tmp_path / "saved")
    weights = Network.load(tmp_path / "saved" / NETWORK)
    with torch.no_grad():
        weights.mean += 1
    weights.save(tmp_path / "saved" / NETWORK)
    with pytest.raises(TrainingError, match=r"network: not the network that .*saved was made with; run predict"):
        CaptioningPipeline.from_pretrained(tmp_path / "saved")


@pytest.mark.parametrize("damage", ["", "{}", "[", '{"decoding": {"beam": -1}}'])
def test_damaged_settings_are_one_clear_line(folder, tmp_path, damage):
    (tmp_path / SETTINGS).write_text(damage)
    with pytest.raises(TrainingError, match="damaged pipeline") as caught:
        CaptioningPipeline.from_pretrained(tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("damage", ["", "[1]", '[{"topic": 1}]'])
def test_a_damaged_list_of_topics_is_one_clear_line(tmp_path, damage):
    (tmp_path / "topics.json").write_text(damage)
    with pytest.raises(TrainingError, match="damaged list of topics"):
        read_topics(tmp_path / "topics.json")

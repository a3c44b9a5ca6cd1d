"""What captioners say in styles is judged, compared and shown; where nobody speaks in one, nothing happens."""

import re
from dataclasses import dataclass, field

import numpy as np
import pytest
import torch

from photocritic import captioning, config, tables, validation
from photocritic.captioning.captioner import ModelConfig, build
from photocritic.captioning.vocabulary import SPECIAL, Vocabulary
from photocritic.evaluation.prediction import Corpus, predict, read_features
from photocritic.evaluation.predictions import load_predictions, styled
from photocritic.report.published import ERG_TABLE_2
from photocritic.styles import judges
from tests.evaluation.conftest import SUBJECTS, FixedPredictor, save, vectors
from tests.evaluation.conftest import build as build_world

TEST = range(0, 12, 2)


@dataclass
class StyledPredictor(FixedPredictor):
    """A captioner that has other captions for the style humorous."""

    styles: tuple[str, ...] = ("humorous",)
    humorous: list[str] = field(default_factory=list)

    def predict(self, features, decoding, *, style, **further):
        assert style in ("factual", "humorous")
        said = FixedPredictor(self.humorous if style == "humorous" else self.texts)
        return said.predict(features, decoding)


def teach(world, monkeypatch):
    """Give a world other jokes, and its variant cws the gift of saying exactly those of the held-back images."""
    change_captions(world, lambda row: row | joke(int(row["image_id"][5:])) if row["style"] else row)
    world.jokes = [joke(number)["text"] for number in TEST]
    given = world.params.model_dump()
    judges = {"epochs": 12, "learning_rate": 0.003, "batch_size": 4}
    world.params = config.check(given | {"style_judges": given["style_judges"] | judges})

    def load(folder):
        if folder.name == "cws":
            return StyledPredictor(world.said["cws"], humorous=world.jokes)
        return FixedPredictor(world.said[folder.name])

    monkeypatch.setattr(captioning, "load_predictor", load)
    return world


def joke(number):
    """Write a humorous caption."""
    text = f"a silly {SUBJECTS[number % 6]} tells jokes"
    return {"text": text, "cleaned": text, "tokens": text.split()}


@pytest.fixture
def styled_world(world, monkeypatch):
    """Make such a world that a test may change."""
    return teach(world, monkeypatch)


@pytest.fixture(scope="module")
def spoken(tmp_path_factory):
    """Evaluate such a world once, through its gates: its arguments and its metrics."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        world = build_world(tmp_path_factory.mktemp("spoken"), monkeypatch)
        teach(world, monkeypatch)
        load = captioning.load_predictor
        monkeypatch.undo()
        monkeypatch.setattr(captioning, "load_predictor", load)
        return world, world.run().metrics


def change_captions(world, change):
    """Rewrite the rows of the captions table; those for which None is given go."""
    path = world.folder / "captions.parquet"
    rows = [changed for row in tables.load("captions", path).to_pylist() if (changed := change(row))]
    save(world.folder, "captions", rows)


def without_style_of(*images):
    """Give a change that takes the stylised captions of some images."""
    return lambda row: None if row["style"] and row["image_id"] in images else row


def test_captions_in_a_style_are_judged_and_compared_with_those_in_the_style(spoken):
    _, metrics = spoken
    assert metrics["cws.humorous.bleu_3"] == pytest.approx(1.0)
    assert metrics["cws.humorous.cider_d"] == pytest.approx(10.0)
    assert metrics["cws.humorous.cls"] == 1.0
    assert metrics["cws.factual.as_humorous.cls"] == 0.0
    assert metrics["ns.factual.as_humorous.bleu_1"] < 1e-6
    assert metrics["cws.humorous.ppl"] < metrics["cws.factual.as_humorous.ppl"]
    assert metrics["cws.bleu_4"] == pytest.approx(1.0)  # its factual captions are measured as ever
    assert "ns.humorous.cls" not in metrics
    assert (metrics["styles.humorous.images"], metrics["styles.humorous.images_without"]) == (6, 0)


def test_the_judges_are_measured_on_what_they_have_not_learned_from(spoken):
    world, metrics = spoken
    assert metrics["style_classifier.accuracy"] == metrics["style_classifier.humorous.accuracy"] == 1.0
    # What cws says is what people wrote, so that the model of the style is as perplexed by both.
    assert metrics["style_lm.humorous.perplexity"] == pytest.approx(metrics["cws.humorous.ppl"])
    assert not [*(world.folder / "checkpoints").glob("*")]


def test_images_that_nobody_captioned_in_the_style_are_left_out_and_counted(styled_world):
    change_captions(styled_world, without_style_of("image02", "image10"))
    del styled_world.jokes[5], styled_world.jokes[1]
    metrics = styled_world.run().metrics
    assert (metrics["styles.humorous.images"], metrics["styles.humorous.images_without"]) == (4, 2)
    assert metrics["images"] == 6
    assert metrics["cws.humorous.bleu_3"] == pytest.approx(1.0)
    rows = [row for row in styled_world.predictions() if row["variant"] == "cws.humorous"]
    assert [row["image_id"] for row in rows] == ["image00", "image04", "image06", "image08"]
    assert [row["caption"] for row in rows] == styled_world.jokes


def test_each_caption_in_a_style_and_its_scores_are_kept(spoken):
    world, _ = spoken
    said = [row for row in world.predictions() if row["variant"] == "cws.humorous"]
    assert [row["caption"] for row in said] == [joke(number)["text"] for number in TEST]
    scores = [row for row in world.scores() if row["variant"] == "cws.humorous"]
    assert {row["metric"] for row in scores} == {"bleu_1", "bleu_3", "cider_d"}
    assert len(scores) == 3 * 6


def test_the_report_has_a_table_of_each_style_beside_the_published_one(spoken):
    world, _ = spoken
    page = world.page.read_text(encoding="utf-8")
    assert 'id="style"' in page
    assert page.count("ERG StyleNet") == 2  # original and augmented
    colours = {
        name: set(re.findall(rf'background:(#\w+)"></i>{name}</th>', page))  # in all tables
        for name in ("ns", "cws")
    }
    assert [len(some) for some in colours.values()] == [1, 1]
    assert colours["ns"] != colours["cws"]
    assert "6 of 6 photographs held back have captions that are humorous" in page
    lines = world.page.with_suffix(".md").read_text(encoding="utf-8").splitlines()
    first = lines.index("| humorous | says | BLEU-1 | BLEU-3 | CIDEr-D | cls. | ppl. |")
    assert lines[first + 2].startswith("| cws | humorous | 1.000 | 1.000 | 10.000 | 100.0% |")
    assert lines[first + 3].startswith("| ns | factual | 0.000 |")
    assert "| ERG StyleNet | original captions | 0.246 | 0.073 | 0.347 | 42.5% | 7.3 |" in lines
    assert "| ERG humorous |  |  | 96.5% | 76.0 |" in lines
    assert any(line.startswith("| humorous | 12 | 12 | 100.0% |") for line in lines)


def test_published_gains_are_the_papers_own():
    """ERG Table 2 prints the differences of cls. itself."""
    gains = {"NIC": 14.7, "Up-Down": 17.9, "StyleNet": 53.7, "SAN": 11.6, "VinVL": 10.6}
    for model, gain in gains.items():
        before, after = (ERG_TABLE_2["humorous"][model, f"{data} captions"] for data in ("original", "augmented"))
        assert after["cls"] - before["cls"] == pytest.approx(gain / 100)
    assert {len(rows) for rows in ERG_TABLE_2.values()} == {10}


@pytest.mark.parametrize("missing", ["speaker", "references"])
def test_without_speech_in_a_style_nothing_is_trained_and_nothing_shown(styled_world, monkeypatch, missing):
    def refuse(*args, **kwargs):
        raise AssertionError("nobody is to be judged")

    monkeypatch.setattr(judges.Judges, "load", refuse)
    if missing == "speaker":
        monkeypatch.setattr(captioning, "load_predictor", styled_world.load)
    else:
        change_captions(styled_world, without_style_of(*(f"image{number:02}" for number in TEST)))
    metrics = styled_world.run().metrics
    assert not [key for key in metrics if key.startswith(("style", "cws.humorous")) or ".as_humorous" in key]
    assert "humorous" not in styled_world.page.with_suffix(".md").read_text(encoding="utf-8")


def test_without_captions_to_train_judges_on_the_evaluation_goes_on(styled_world, caplog):
    change_captions(styled_world, without_style_of(*(f"image{number + 1:02}" for number in TEST)))
    metrics = styled_world.run().metrics
    assert "style_classifier.accuracy" not in metrics
    assert metrics["cws.bleu_4"] == pytest.approx(1.0)
    assert "no style can be learned" in caplog.text


def asked(params, ids, folder, monkeypatch):
    """Predict with variant v on images of which the first and the last have a humorous caption."""
    monkeypatch.setattr(validation, "check", lambda *args, **facts: None)
    blank = {"path": "s/1", "width": 1, "height": 1, "format": "PNG", "sha256": "", "split": "test", "labels": []}
    save(folder, "images", [{"image_id": name} | blank for name in ids])
    save(folder, "references", [{"image_id": name, "text": "a cat", "source": "s"} for name in ids])
    rest = {"author_id": None, "source": "s", "text": "a b", "sentence": 0, "cleaned": "a b", "tokens": ["a", "b"]}
    rest |= {"ngrams": []}
    rest |= {"form": None, "score": 1.0, "kept": True, "reason": "", "style": "humorous"}
    save(folder, "captions", [{"comment_id": name, "image_id": name} | rest for name in (ids[0], ids[2])])
    corpus = Corpus(*(folder / f"{name}.parquet" for name in ("images", "captions", "references")), folder / "shards")
    places = {"features": folder / "features" / "weak.parquet", "captioner": folder / "captioners" / "v"}
    out = folder / "predict"
    predict(params, "v", corpus, **places, network=folder / "network", training={}, out=out)
    found = load_predictions(out / "predictions.parquet")
    return {name: {image: one.text for image, one in some.items()} for name, some in found.items()}


def test_a_real_captioner_is_asked_in_each_style_that_it_has_learned(tmp_path, monkeypatch):
    torch.manual_seed(3)
    words = Vocabulary(tuple("abcdefghij"))
    sizes = ModelConfig(4, len(SPECIAL) + 10, 16, 8)
    model = build("style_net", sizes, {"styles": ["humorous"], "factor": 8})
    with torch.no_grad():
        model.styles["humorous"].normal_(std=4.0)
    predictor = captioning.ModelPredictor(model, words, "style_net", sizes, {"styles": ["humorous"], "factor": 8})
    predictor.save(tmp_path / "captioners" / "v")
    ids = ["one", "three", "two"]
    (tmp_path / "features").mkdir()
    vectors("features", "vector", tmp_path / "features" / "weak.parquet", ids, np.random.default_rng(0).random((3, 4)))
    variants = {"v": {"captions": "raw", "features": "weak"}}
    chosen = config.check({"variants": variants, "predict": {"max_length": 6, "min_length": 3}})
    found = asked(chosen, ids, tmp_path, monkeypatch)
    assert set(found) == {"v", styled("v", "humorous")}
    source = captioning.load_predictor(tmp_path / "captioners" / "v")
    assert source.styles == ("humorous",)
    shown = read_features(tmp_path / "features" / "weak.parquet", ids, "pooled")
    for style, name, rows in (("factual", "v", [0, 1, 2]), ("humorous", "v.humorous", [0, 2])):
        said = source.predict(shown[rows], chosen.predict, style=style)
        assert list(found[name].values()) == [one.text for one in said]
    assert found["v.humorous"]["one"] != found["v"]["one"]

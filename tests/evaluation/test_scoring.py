"""The evaluate stage as a whole."""

import hashlib

import numpy as np
import pytest

from photocritic import captioning, config, sample, tables
from photocritic.core.errors import MetricError, PhotocriticError, TableError
from photocritic.evaluation.champion import choose
from photocritic.evaluation.prediction import read_features
from photocritic.evaluation.scoring import of_variant
from photocritic.metrics import java, missing


def test_a_caption_that_is_the_only_reference_scores_full(finished):
    world, outcome = finished
    assert outcome.metrics["cws.bleu_4"] == pytest.approx(1.0)
    assert outcome.metrics["cws.rouge_l"] == pytest.approx(1.0)
    assert outcome.metrics["cws.cider_d"] == pytest.approx(10.0)
    assert outcome.metrics["ns.bleu_1"] < 1e-6
    assert outcome.metrics["ns.most_frequent_share"] == 1.0
    assert outcome.metrics["images"] == 6
    assert outcome.metrics["references"] == 6  # kept and unstyled ones only
    assert choose(world.params, outcome.metrics).winner == "cws"


def hold_back_for_validation(world, *ids):
    """Move training images to the split of validation."""
    path = world.folder / "images.parquet"
    rows = tables.load("images", path).to_pylist()
    moved = [row | {"split": "val"} if row["image_id"] in ids else row for row in rows]
    tables.save("images", path, tables.from_rows("images", moved))


def test_the_champion_is_chosen_on_validation_images_and_reported_on_test_images(world):
    hold_back_for_validation(world, "image01", "image03")
    world.said["ns"] += [
        "the cat stands in soft light",
        "the boat stands in soft light",
    ]  # right here, and nowhere else
    world.said["cws"] += ["the the the", "the the the"]
    given = world.params.model_dump()
    outcome = world.run(config.check(given | {"promote": given["promote"] | {"gate": {"words": {"min": 2}}}}))
    assert outcome.metrics["cws.cider_d"] > outcome.metrics["ns.cider_d"] == 0.0
    assert {key for key in outcome.metrics if key.startswith("val.")} == {
        f"val.{name}.{key}" for name in ("ns", "cws") for key in ("cider_d", "words")
    }
    assert [row["variant"] for row in outcome.tables["champion"] if row["chosen"]] == ["ns"]
    assert outcome.metrics["images"] == 6
    assert of_variant(outcome, "ns").metrics["val.cider_d"] == outcome.metrics["val.ns.cider_d"]
    assert len({row["image_id"] for row in world.scores()}) == 6  # of test alone
    for report in (world.page, world.page.with_suffix(".md")):
        assert "on validation photographs (0.000 on test photographs)" in report.read_text(encoding="utf-8")


def test_without_validation_images_the_choice_is_made_on_test_images_and_says_so(world, caplog):
    world.run()
    assert "no validation image has a reference: the champion is chosen on the test images" in caplog.text
    assert "(no validation photograph has a reference)" in world.page.with_suffix(".md").read_text(encoding="utf-8")


def test_novelty_looks_at_what_the_variant_learned_from(world):
    metrics = world.run().metrics
    assert metrics["ns.novel_share"] == 0.0  # "nice shot" is a raw training caption
    world.said["cws"][:] = ["nice shot"] * 6
    assert world.run().metrics["cws.novel_share"] == 1.0  # but was filtered out


def test_tables_hold_every_image_variant_and_metric(finished):
    world, outcome = finished
    predictions = world.predictions()
    assert [row["caption"] for row in predictions[:7]] == ["nice shot"] * 6 + ["the dog stands in soft light"]
    assert [row["image_id"] for row in predictions[:6]] == [f"image{number:02}" for number in range(0, 12, 2)]
    scores = world.scores()
    assert len(scores) == 6 * 2 * 8
    mean = np.mean([row["score"] for row in scores if row["variant"] == "ns" and row["metric"] == "rouge_l"])
    assert mean == pytest.approx(outcome.metrics["ns.rouge_l"])


def test_the_corpus_references_come_before_comments_and_images_without_are_counted(world):
    for texts in world.said.values():
        del texts[2:]
    rows = [{"image_id": f"image0{number}", "text": "A dog.", "source": "s"} for number in (0, 0, 1, 4)]
    world.write_references([*rows, {"image_id": "image06", "text": "...", "source": "s"}])
    metrics = world.run().metrics
    assert (metrics["images"], metrics["references"], metrics["images_without_references"]) == (2, 3, 4)


def test_the_same_input_gives_the_same_bytes(world):
    def run():
        world.run()
        files = [world.folder / "predictions" / "predictions.parquet", world.folder / "evaluate" / "scores.parquet"]
        files += [world.folder / "evaluate" / "findings.json", world.page]
        return [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]

    assert run() == run()


def test_the_table_of_captions_has_a_row_an_image_and_variant_and_pictures_show_the_extremes(finished):
    _, outcome = finished
    rows = outcome.tables["captions"]
    assert [(row["image_id"], row["variant"]) for row in rows[:3]] == [
        ("image00", "ns"),
        ("image00", "cws"),
        ("image02", "ns"),
    ]
    assert rows[1]["caption"] == "the dog stands in soft light"
    assert rows[1]["references"] == "The dog stands in soft light!"
    assert (rows[0]["cider_d"], rows[1]["cider_d"]) == (0.0, pytest.approx(10.0))
    part = of_variant(outcome, "cws")
    assert part.metrics["bleu_4"] == outcome.metrics["cws.bleu_4"]
    assert "images" not in part.metrics
    assert len(part.tables["captions"]) == 6
    shown = " ".join(text.get_text() for text in outcome.figures["best_1"].texts)
    assert "nice shot" in shown
    assert "stands in soft light" in shown
    ids = [figure.texts[0].get_text() for name, figure in outcome.figures.items() if name[-1].isdigit()]
    assert sorted(ids) == [f"image{number:02}" for number in range(0, 12, 2)]  # none twice


def test_plots_have_a_row_for_each_variant_order_and_position(finished):
    _, outcome = finished
    assert len(outcome.plots["unique_ngrams"]) == 2 * 3 * 25
    assert {"variant": "ns", "order": 2, "position": 1, "unique": 1} in outcome.plots["unique_ngrams"]
    assert {"metrics", "unique_ngrams", "best_1", "median_1", "worst_2"} < set(outcome.figures)


def test_attributes_are_checked_on_the_sample_only(finished, world, monkeypatch):
    assert "cws.attribute_precision" not in finished[1].metrics
    monkeypatch.setattr(sample, "mentions", lambda text: {"outdoor", "indoor"} if "light" in text else set())
    variants = world.params.model_dump()["variants"]
    chosen = config.check({"variants": variants, "report": {"gallery": 0}})
    metrics = world.run(chosen).metrics
    assert (metrics["cws.attribute_precision"], metrics["cws.attribute_recall"]) == (0.5, 1.0)
    assert (metrics["ns.attribute_precision"], metrics["ns.attribute_recall"]) == (0.0, 0.0)


def test_no_reference_at_all_is_told_in_one_line(world):
    world.write_references([{"image_id": "image01", "text": "a dog", "source": "s"}])
    with pytest.raises(PhotocriticError, match="none of the 6 images of split 'test' has a reference") as error:
        world.run()
    assert "\n" not in str(error.value)


def test_features_come_in_the_order_asked_for(world):
    path = world.folder / "features" / "weak.parquet"
    whole = {row["image_id"]: row["vector"] for row in tables.load("features", path).to_pylist()}
    found = read_features(path, ["image03", "image00"], "pooled")
    np.testing.assert_array_equal(found[:, 0], np.array([whole["image03"], whole["image00"]], dtype=np.float32))
    with pytest.raises(TableError, match="no features of image 'gone'"):
        read_features(path, ["image00", "gone"], "pooled")


def test_what_is_written_passes_its_gates(world, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(captioning, "load_predictor", world.load)
    assert world.run().metrics["images"] == 6


def with_metrics(world, **evaluation):
    """Run with other choices in the section evaluate."""
    given = world.params.model_dump()
    return world.run(config.check(given | {"evaluate": given["evaluate"] | evaluation})).metrics


def test_metrics_that_are_not_installed_are_named_and_nothing_fails(world, monkeypatch):
    monkeypatch.setattr(java, "find", lambda: None)
    assert "cws.meteor" not in with_metrics(world, metrics="auto")
    for report in (world.page, world.page.with_suffix(".md")):
        assert "METEOR: not installed" in report.read_text(encoding="utf-8")


def test_a_metric_that_is_asked_for_by_name_must_be_installed(world, monkeypatch):
    monkeypatch.setattr(java, "find", lambda: None)
    with pytest.raises(MetricError, match="meteor is not installed"):
        with_metrics(world, metrics=["cider_d", "meteor"])
    with pytest.raises(MetricError, match="ptb is not installed"):
        with_metrics(world, tokenizer="ptb")


def test_a_list_of_metrics_is_all_that_is_measured_and_says_so_on_any_machine(world):
    found = with_metrics(world, metrics=["cider_d", "rouge_l"])
    assert "cws.bleu_4" not in found
    assert "Not asked for (evaluate.metrics): BLEU, METEOR, CIDEr, SPICE." in world.page.read_text()


@pytest.mark.skipif(bool(missing("meteor")), reason="METEOR is not installed")
def test_meteor_and_the_words_of_stanford_reach_the_tables(world):
    found = with_metrics(world, metrics=["cider_d", "meteor"], tokenizer="ptb")
    assert found["cws.meteor"] == pytest.approx(1.0)  # the caption is the only reference
    assert found["ns.meteor"] < 0.3
    scores = world.scores()
    assert len([row for row in scores if row["metric"] == "meteor"]) == 6 * 2
    assert "METEOR" in world.page.with_suffix(".md").read_text()

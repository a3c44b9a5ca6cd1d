"""The registry: who is registered, who is promoted, and on which images that is decided."""

import base64
import os
import shutil
from pathlib import Path

import mlflow
import pandas as pd
import pytest
from mlflow import MlflowClient

from photocritic import tracking

WINNER = "models:/photocritic@champion"


def tags(name):
    """Give the tags of the latest run of a name."""
    client = MlflowClient(tracking_uri=tracking.uri())
    experiment = client.get_experiment_by_name(tracking.EXPERIMENT).experiment_id
    runs = client.search_runs([experiment], order_by=["attributes.start_time DESC"])
    return next(run.data.tags for run in runs if run.info.run_name.startswith(name))


def test_the_first_winner_is_registered_promoted_and_answers_and_its_files_make_no_second_version(house):
    verdict = house.promote("mauve", "white")
    reached = "ROUGE-L 0.115 on validation photographs (0.287 on test photographs)"
    assert verdict.startswith(f"white: {reached}, best of 2 variants;")
    assert verdict.endswith("no champion yet -> version 1 promoted")
    assert house.aliases() == {"champion": "1", "challenger": "1"}
    [version] = house.versions()
    assert version.tags["variant"] == "white"
    assert version.tags["verdict"] == verdict
    for name in ("evaluate", "pipeline"):
        assert tags(name)["champion"] == "white"
        assert tags(name)["champion.verdict"] == verdict

    assert version.description.startswith(f"white: {reached}, best of 2 variants. Learned from `raw` comments")
    [card] = {path.read_text() for path in Path("mlruns").rglob("model_card.md")}  # with the run and with the model
    for words in ("## Intended use", "sha256", "| **white** | raw, weak |", "8 images of the split `test`"):
        assert words in card
    photograph = (house.trained.images.parent / "files" / "im008.png").read_bytes()
    rows = pd.DataFrame({"image": [base64.b64encode(photograph).decode()]})
    assert "MLFLOW_TRACKING_URI" not in os.environ  # where it would stand for a server's
    with tracking.mlflow_store.using_this_store():
        model = mlflow.pyfunc.load_model(WINNER)
    [answer] = model.predict(rows).to_dict("records")
    assert answer["caption"] == "white"
    assert answer["logprob"] < 0.0
    assert [one["terms"] for one in answer["topics"]] == ["soft_light, dusk"] * 2
    assert sum(one["share"] for one in answer["topics"]) == pytest.approx(1.0, abs=1e-3)
    assert model.metadata.signature.inputs.input_names() == ["image"]
    assert model.metadata.saved_input_example_info
    assert not [path for path in Path("mlruns").rglob("*") if path.suffix in {".pkl", ".pickle", ".pt", ".pth"}]

    assert "the champion already, version 1" in house.promote("mauve", "white")
    assert len(house.versions()) == 1


def test_a_better_challenger_is_promoted_and_a_worse_one_waits(house):
    house.promote("white")
    house.promote("mauve")
    assert house.aliases() == {"champion": "1", "challenger": "2"}
    assert "version 2 stays challenger" in house.versions()[1].tags["verdict"]
    verdict = house.promote("red", margin=0.01)
    assert "beats the champion version 1 (" in verdict
    assert verdict.endswith("margin 0.01 -> version 3 promoted")
    assert house.aliases() == {"champion": "3", "challenger": "3"}
    assert [version.tags["variant"] for version in house.versions()] == ["white", "mauve", "red"]


def test_a_challenger_within_the_margin_waits_and_a_smaller_margin_lets_it_in_without_another_version(house):
    house.promote("white")
    assert "margin 0.9 -> version 2 stays challenger" in house.promote("red", margin=0.9)
    assert house.aliases() == {"champion": "1", "challenger": "2"}
    assert "version 2 promoted" in house.promote("red", margin=0.0)
    assert house.aliases() == {"champion": "2", "challenger": "2"}
    assert len(house.versions()) == 2


def test_a_champion_that_was_measured_on_other_references_captions_these_images_first(house):
    house.write_references("mauve")
    assert "1.000" in house.promote("mauve")
    before = house.versions()[0].tags
    house.write_references("red boat at dusk")  # where the champion reaches nothing, and the challenger less than 1
    verdict = house.promote("red")
    assert "beats the champion version 1 (0.000)" in verdict
    assert house.aliases()["champion"] == "2"
    after = house.versions()[0].tags
    assert before["val.truth"] != after["val.truth"] == house.versions()[1].tags["val.truth"]
    assert (float(before["val.rouge_l"]), float(after["val.rouge_l"])) == (1.0, 0.0)
    assert (before["truth"], before["rouge_l"]) == (after["truth"], after["rouge_l"])  # as reported when registered


def test_test_images_alone_decide_where_validation_images_have_no_references(house):
    house.write_references("mauve", range(8, 16))
    verdict = house.promote("red", "mauve")
    assert verdict.startswith("mauve: ROUGE-L 1.000 on test photographs (no validation photograph has a reference),")
    [version] = house.versions()
    assert version.tags["test.truth"] == version.tags["truth"]


def test_who_does_not_pass_the_gate_is_not_registered(house):
    verdict = house.promote("red", "white", gate={"bleu_1": {"min": 0.99}})
    assert verdict.startswith("none: 0 of 2 pass the gate (red: bleu_1")
    assert house.versions() == []
    assert tags("evaluate")["champion.verdict"] == verdict


def test_a_champion_whose_files_are_gone_keeps_its_place_until_somebody_decides(house):
    house.promote("mauve")
    shutil.rmtree(house.folder / "mlruns" / "artifacts" / "models")
    house.write_references("red")
    verdict = house.promote("red")
    assert "the champion cannot be asked about these images (model photocritic version 1:" in verdict
    assert "move the alias champion by hand) -> version 2 waits" in verdict
    assert house.aliases() == {"champion": "1", "challenger": "2"}

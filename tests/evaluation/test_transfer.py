"""Testing on a corpus that was not trained on."""

import hashlib

import numpy as np
import pyarrow.parquet as pq
import pytest

from photocritic import captioning, config
from photocritic.captioning import Caption
from photocritic.core.errors import PhotocriticError
from photocritic.evaluation.bootstrap import Interval
from photocritic.evaluation.measure import Measures
from photocritic.evaluation.transfer import Transfer
from photocritic.images.shards import ShardWriter
from photocritic.report.transfer_tables import transfer_tables
from photocritic.vision.network import Network, NetworkConfig
from tests.evaluation.conftest import jpeg, save

ASPECTS = ("pccd:composition", "pccd:color_lighting")


class Echo:
    """A captioner that says how many features it is shown, and remembers them."""

    view = "pooled"
    styles = ()

    def __init__(self, seen):
        self.seen = seen

    def predict(self, features, decoding, **further):
        """Return the same caption of every image."""
        self.seen.append(np.array(features))
        return [Caption("a dog in soft light", -1.0, ("a",)) for _ in features]


@pytest.fixture
def elsewhere(world, monkeypatch):
    """Give a corpus of 5 held-back images, the first trained on already, a network, and evaluate's arguments."""
    corpus = world.folder / "elsewhere"
    (corpus / "shards").mkdir(parents=True)
    images, comments = [], []
    with ShardWriter(corpus / "shards") as writer:
        for number in range(6):
            content = jpeg(20 * (number + 1))
            path = writer.add(content, "JPEG")
            held = {"split": "test" if number < 5 else "train", "labels": []}
            size = {"width": 600, "height": 300, "format": "JPEG"}
            # image01 of the corpus at home is one of those that were trained on
            digest = hashlib.sha256(content).hexdigest()
            images.append({"image_id": f"x{number}", "path": path, "sha256": digest} | size | held)
            for aspect in ASPECTS[: 1 + number % 2]:
                told = {"text": f"A dog, by {aspect[-5:]}.", "author_id": None, "style": None, "source": aspect}
                comments.append({"comment_id": f"{number}{aspect}", "image_id": f"x{number}"} | told)
    save(corpus, "images", images)
    save(corpus, "comments", comments)
    save(corpus, "references", [])
    network = Network(NetworkConfig("weak", "resnet18", 32, 1, {"topics": 2}, []))
    network.save(world.folder / "networks" / "weak")
    seen = []
    monkeypatch.setattr(captioning, "load_predictor", lambda _folder: Echo(seen))
    world.params = config.check(world.params.model_dump() | {"report": {"gallery": 0}, "predict": {"on": str(corpus)}})
    return corpus, seen


def test_new_photographs_are_described_captioned_and_scored(elsewhere, world):
    _, seen = elsewhere
    metrics = world.run().metrics
    assert metrics["transfer.images"] == 2  # x0, x2 and x4 stand among the training images at home
    assert metrics["transfer.references"] == 4
    assert 0 < metrics["transfer.cws.rouge_l"] < 1
    features = seen[-1]
    assert features.shape == (2, 1, 512)
    assert not np.allclose(features[0], features[1])
    said = pq.read_table(world.folder / "predictions" / "elsewhere" / "predictions.parquet").to_pylist()
    assert [(row["image_id"], row["variant"]) for row in said[:2]] == [("x1", "ns"), ("x3", "ns")]
    assert len(pq.read_table(world.folder / "evaluate" / "elsewhere" / "scores.parquet")) == 2 * 2 * 8
    left = {path.name for path in (world.folder / "predict" / "cws").rglob("*")}
    assert left == {"predictions.parquet", "elsewhere", "pipeline.json", "training.json"}


def test_the_report_has_the_aspects_and_says_what_does_not_compare(elsewhere, world):
    corpus, _ = elsewhere
    world.run()
    page = world.page.read_text(encoding="utf-8")
    section = page[page.index('id="another-corpus"') :]
    for expected in (
        "SPICE-1 alone, which was not measured",
        str(corpus),
        "3 photographs that captioners were trained on",
        *ASPECTS,
    ):
        assert expected in section
    assert "pccd:composition" in world.page.with_suffix(".md").read_text(encoding="utf-8")


def test_the_papers_rows_stand_where_they_compare():
    values = {"cider_d": 0.2, "spice_1": 0.15, "spice_1_precision": 0.2, "spice_1_recall": 0.1}
    per_image = {key: np.array([value]) for key, value in values.items()}
    found = {"cws": Measures(values, per_image, Interval(0.2, 0.1, 0.3, 0.0, 0.0), {})}
    (table,) = transfer_tables(Transfer("data/on/pccd", 0, 0, 0, 0, "comments", found, {}), config.check({}))
    assert [title for title, _ in table.columns[3:]] == ["CIDEr-D", "SPICE-1", "SPICE-1 precision", "SPICE-1 recall"]
    assert [row.name for row in table.rows][-2:] == ["AIC CWS", "cws"]
    assert [cell.text for cell in table.rows[0].cells] == ["PCCD", "PCCD", "", "0.136", "0.181", "0.156"]


def test_at_home_nothing_is_added(finished):
    world, outcome = finished
    assert not [key for key in outcome.metrics if key.startswith("transfer.")]
    assert not list(world.folder.rglob("elsewhere"))
    assert 'id="another-corpus"' not in world.page.read_text(encoding="utf-8")


def test_a_folder_that_was_never_ingested_is_told_in_one_line(world):
    chosen = config.check(world.params.model_dump() | {"predict": {"on": str(world.folder / "nowhere")}})
    with pytest.raises(PhotocriticError, match=r"predict\.on: .*nowhere is no ingested corpus"):
        world.run(chosen)

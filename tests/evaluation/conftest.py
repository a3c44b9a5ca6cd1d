"""A small corpus as the earlier stages leave it, and captioners that say what a test wants."""

import hashlib
import io
import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from photocritic import captioning, config, tables, validation
from photocritic.captioning import Caption
from photocritic.core.outcome import Outcome
from photocritic.evaluation.prediction import Corpus, predict
from photocritic.evaluation.predictions import collect
from photocritic.evaluation.scoring import evaluate
from photocritic.images.shards import ShardWriter
from photocritic.report.build import ReportInputs, build_report
from photocritic.styles.judges import train_judges

SUBJECTS = ["dog", "cat", "tree", "boat", "lamp", "bird"]


@dataclass
class World:
    """Paths of a finished run up to evaluate, and what each variant will say."""

    folder: Path
    said: dict[str, list[str]]
    params: config.Params
    training: dict = field(default_factory=dict)

    def run(self, params=None, **shown):
        """Predict with every variant, train the judges, evaluate, report: all outcomes as one."""
        params, at = params or self.params, self.folder
        corpus = Corpus(at / "images.parquet", at / "captions.parquet", at / "references.parquet", at / "shards")
        for name, variant in params.variants.items():
            places = {
                "features": at / "features" / f"{variant.features}.parquet",
                "captioner": at / "captioners" / name,
            }
            network = at / "networks" / variant.features
            curves = self.training if name == "ns" else {}
            predict(params, name, corpus, **places, network=network, training=curves, out=at / "predict" / name)
        collect(at / "predict", at / "predictions", params)
        judged = train_judges(
            corpus.images,
            corpus.captions,
            at / "judges",
            params.style_judges,
            params.seed,
            at / "checkpoints" / "judges",
        )
        tables = {"images": corpus.images, "captions": corpus.captions, "references": corpus.references}
        found = evaluate(params, **tables, predictions=at / "predictions", judges=at / "judges", out=at / "evaluate")
        places = {
            "shards": corpus.shards,
            "predictions": at / "predictions",
            "findings": at / "evaluate",
            "topics": at / "topics.parquet",
            "topic_model": at / "model",
            "stage_metrics": at / "metrics",
            "stage_plots": at / "plots",
        }
        inputs = ReportInputs(**tables | places | shown)
        drawn = build_report(params, inputs, self.page, self.page.with_suffix(".md"))
        return Outcome({f"judges.{key}": value for key, value in judged.metrics.items()}) + found + drawn

    @property
    def page(self):
        """The report."""
        return self.folder / "reports" / "report.html"

    def predictions(self):
        """Read the predictions table."""
        return pq.read_table(self.folder / "predictions" / "predictions.parquet").to_pylist()

    def scores(self):
        """Read the scores table."""
        return pq.read_table(self.folder / "evaluate" / "scores.parquet").to_pylist()

    def load(self, folder):
        """Stand in for reading a captioner."""
        return FixedPredictor(self.said[folder.name])

    def write_references(self, rows):
        """Replace the references table."""
        save(self.folder, "references", rows)


def save(folder, table, rows):
    """Write a table of fixed schema."""
    tables.save(table, folder / f"{table}.parquet", tables.from_rows(table, rows))


def vectors(table, column, path, ids, matrix):
    """Write a table of vectors."""
    flat = pa.FixedSizeListArray.from_arrays(pa.array(matrix.astype(np.float32).ravel()), matrix.shape[1])
    tables.save(table, path, pa.table({"image_id": ids, column: flat}))


def jpeg(shade):
    """Make a small wide image."""
    buffer = io.BytesIO()
    Image.new("RGB", (600, 300), (shade, 120, 200)).save(buffer, "JPEG")
    return buffer.getvalue()


@pytest.fixture
def world(tmp_path, monkeypatch):
    """Make a world that a test may change."""
    return build(tmp_path, monkeypatch)


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """Run an unchanged world once: the world and the outcome, to look at."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        world = build(tmp_path_factory.mktemp("finished"), monkeypatch)
        return world, world.run()


def build(tmp_path, monkeypatch):
    """Make 12 images, half of them held back, with comments, features, topics, numbers and curves."""
    monkeypatch.setattr(validation, "check", lambda *args, **facts: None)  # the gates' own tests try them
    ids = [f"image{number:02}" for number in range(12)]
    test = ids[::2]
    (tmp_path / "shards").mkdir()
    images = []
    with ShardWriter(tmp_path / "shards") as writer:
        for number, image_id in enumerate(ids):
            content = jpeg(20 * number)
            path = writer.add(content, "JPEG")
            split = "test" if image_id in test else "train"
            images.append(
                {"image_id": image_id, "path": path, "width": 600, "height": 300, "format": "JPEG"}
                | {"sha256": hashlib.sha256(content).hexdigest(), "split": split, "labels": ["outdoor"]}
            )
    save(tmp_path, "images", images)
    save(tmp_path, "captions", [row for number, image_id in enumerate(ids) for row in comments(number, image_id)])
    save(tmp_path, "references", [])
    rng = np.random.default_rng(0)
    (tmp_path / "features").mkdir()
    vectors("features", "vector", tmp_path / "features" / "weak.parquet", ids[::-1], rng.random((12, 4)))
    vectors("topics", "topics", tmp_path / "topics.parquet", ids, np.full((12, 2), 0.5))
    write_json(tmp_path / "model" / "topics.json", [{"topic": t, "terms": [["soft_light", 0.2]]} for t in (0, 1)])
    write_json(tmp_path / "metrics" / "filter.json", {"kept": 24, "threshold": 20.0})
    left = [("read", 0, 36), ("length", 0, 36), ("score", 12, 24)]
    funnel = [{"filter": name, "rejected": rejected, "left": count} for name, rejected, count in left]
    write_json(tmp_path / "plots" / "filter" / "funnel.json", funnel)
    scores = [{"score": 2, "kept": 0, "rejected": 12, "share_above": 1.0}]
    scores += [{"score": 30, "kept": 24, "rejected": 0, "share_above": 2 / 3}]
    write_json(tmp_path / "plots" / "filter" / "scores.json", scores)
    curve = [{"epoch": epoch, "train_loss": 3 / epoch, "val_loss": 4 / epoch} for epoch in (1, 2)]
    training = {"lstm_train": {"ns": {"metrics": {"val_loss": 2.0}, "curve": curve}}}
    said = {
        "ns": ["nice shot"] * 6,
        "cws": [f"the {SUBJECTS[number % 6]} stands in soft light" for number in range(0, 12, 2)],
    }
    variants = {"ns": {"captions": "raw", "features": "weak"}, "cws": {"captions": "filtered", "features": "weak"}}
    chosen = config.check({"ingest": {"reader": "folder"}, "variants": variants, "report": {"gallery": 4}})
    world = World(tmp_path, said, chosen, training)
    monkeypatch.setattr(captioning, "load_predictor", world.load)
    return world


def comments(number, image_id):
    """Write an informative, a safe and a humorous comment about an image."""
    subject = SUBJECTS[number % 6]
    informative = f"The {subject} stands in soft light!"
    for place, (text, kept, style) in enumerate(
        [(informative, True, None), ("Nice shot", False, None), (f"a {subject} & <b>joke</b>", True, "humorous")]
    ):
        yield {
            "comment_id": f"{image_id}-{place}",
            "image_id": image_id,
            "author_id": None,
            "text": text,
            "style": style,
            "source": "test",
            "tokens": text.lower().strip("!").split(),
            "ngrams": [],
            "sentence": 0,
            "cleaned": text,
            "form": None,
            "score": 30.0 if kept else 2.0,
            "kept": kept,
            "reason": "" if kept else "uninformative",
        }


def write_json(path, value):
    """Write a file of an earlier stage."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


@dataclass
class FixedPredictor:
    """A captioner with fixed captions, one an image in turn."""

    texts: list[str]
    view: str = "pooled"
    styles: tuple[str, ...] = ()

    def predict(self, features, decoding, **further):
        """Return them."""
        assert len(features) == len(self.texts)
        return [Caption(text, -1.0 - place, tuple(text.split())) for place, text in enumerate(self.texts)]

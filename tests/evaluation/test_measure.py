"""What captioners have seen in training."""

from photocritic import tables
from photocritic.evaluation.measure import seen_in_training
from photocritic.evaluation.predictions import Prediction
from tests.evaluation.conftest import save


def test_a_variant_has_learned_the_captions_of_its_kind_as_that_kind_is_written(world):
    (row, *_) = tables.load("captions", world.folder / "captions.parquet").to_pylist()
    written = row | {"image_id": "image01", "text": "Niiice DOF!", "cleaned": "Nice depth of field!"}
    save(world.folder, "captions", [written | {"tokens": ["nice", "depth", "of", "field"]}])
    said = [Prediction(text, tuple(text.split()), -1.0) for text in ("niiice dof", "nice depth of field")]
    found = seen_in_training(
        {"ns": said, "cws": said},
        {"ns": "raw", "cws": "filtered"},
        world.folder / "images.parquet",
        world.folder / "captions.parquet",
    )
    assert found == {"ns": {"niiice dof"}, "cws": {"nice depth of field"}}

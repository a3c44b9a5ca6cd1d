"""Fisher vectors are what they are defined to be, and topics are read from them without knowing the answers."""

import json
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from torch.distributions import Categorical, Independent, MixtureSameFamily, Normal
from torch.nn import functional

from photocritic import tables
from photocritic.config import CnnPretrainParams
from photocritic.core.errors import CorpusError, TrainingError
from photocritic.core.files import sha256
from photocritic.images.shards import read_images
from photocritic.vision.description import plain_view, unnormalised
from photocritic.vision.extraction import FeatureExtractor
from photocritic.vision.fisher import FisherConfig, FisherNetwork, fit
from photocritic.vision.fisher_vectors import Colours, FisherVectors, Gradients
from photocritic.vision.pretraining import pretrain
from photocritic.vision.targets import Targets

TRAIN = [index for index in range(36) if index not in (9, 10, 11, 12, 13, 14)]


def fitted(kind: type[FisherVectors], components: int = 3) -> FisherVectors:
    made, random = kind(components), torch.Generator().manual_seed(1)
    with torch.no_grad():
        made.projection.copy_(torch.randn(made.projection.shape, generator=random) * 0.3)
        made.means.copy_(torch.randn(made.means.shape, generator=random) * 0.2)
        made.variances.copy_(0.5 + torch.rand(made.variances.shape, generator=random))
        made.shares.copy_(torch.tensor([0.5, 0.3, 0.2]))
    return made


@pytest.fixture(scope="module")
def images() -> torch.Tensor:
    torch.manual_seed(0)
    return functional.interpolate(torch.rand(3, 3, 9, 9), size=(64, 64), mode="bilinear")


@pytest.mark.parametrize("kind", [Gradients, Colours])
def test_a_vector_is_the_gradient_of_its_descriptors_likelihood(
    kind: type[FisherVectors], images: torch.Tensor
) -> None:
    made = fitted(kind)
    values, places = made.descriptors(images)
    for image in range(3):
        points = (torch.cat([(values[image] - made.centre) @ made.projection, places[image]], 1) / made.scale).double()
        means, deviations = made.means.double().requires_grad_(), made.variances.double().sqrt().requires_grad_()
        mixture = MixtureSameFamily(Categorical(made.shares.double()), Independent(Normal(means, deviations), 1))
        mixture.log_prob(points).mean().backward()
        assert means.grad is not None
        assert deviations.grad is not None
        root = made.shares.double().sqrt()[:, None]
        each = torch.cat([means.grad * deviations / root, deviations.grad * deviations / (2**0.5 * root)], dim=1)
        expected = functional.normalize((each.sign() * each.abs().sqrt()).detach().flatten(), dim=0)
        torch.testing.assert_close(made(images)[image].double(), expected, atol=1e-3, rtol=1e-3)


def test_the_mixture_is_scikit_learns() -> None:
    torch.manual_seed(2)
    descriptors = torch.rand(500, 96) * torch.linspace(0.1, 1.0, 96)
    descriptors[::3, :20] += 2.0
    places = torch.rand(500, 2) - 0.5
    made = Colours(3)
    made.fit(descriptors, places, seed=1)
    points = torch.cat([(descriptors - made.centre) @ made.projection, places], dim=1) / made.scale
    torch.testing.assert_close(points.std(dim=0), torch.ones(66))
    first = torch.randperm(500, generator=torch.Generator().manual_seed(1))[:3]
    reference = GaussianMixture(
        3,
        covariance_type="diag",
        reg_covar=0.0,
        tol=0.0,
        max_iter=25,
        weights_init=np.full(3, 1 / 3),
        means_init=points[first].numpy(),
        precisions_init=np.ones((3, 66)),
    )
    with pytest.warns(ConvergenceWarning):
        reference.fit(points.numpy())
    for own, theirs in ((made.means, reference.means_), (made.shares, reference.weights_)):
        np.testing.assert_allclose(own.numpy(), theirs, atol=2e-3)
    np.testing.assert_allclose(made.variances.numpy(), reference.covariances_, atol=5e-3)


@pytest.mark.parametrize(("turns", "strongest"), [(0, {0}), (1, {6}), (2, {4}), (3, {2})])
def test_gradients_lie_where_the_image_grows_brighter(turns: int, strongest: set[int]) -> None:
    rising = torch.linspace(0, 1, 64).expand(1, 3, 64, 64)
    values, _ = Gradients(2).descriptors(torch.rot90(rising, turns, (2, 3)))
    assert set(values.reshape(-1, 16, 8).argmax(dim=2).flatten().tolist()) == strongest
    torch.testing.assert_close((values**2).sum(dim=2), torch.ones(values.shape[:2]), atol=0.02, rtol=0)


def test_colours_are_means_and_deviations_of_cells() -> None:
    halves = torch.zeros(1, 3, 64, 64)
    halves[:, 0] = 1.0
    halves[:, 2, :, 32:] = 1.0
    values, places = Colours(2).descriptors(halves)
    first = values[0].reshape(-1, 4, 4, 6)
    torch.testing.assert_close(first[..., 0], torch.ones(first.shape[:3]), atol=1e-5, rtol=0)
    left, right = places[0, :, 1] == -0.5, places[0, :, 1] == 0.5
    assert first[left][..., 2].max() == 0.0
    torch.testing.assert_close(first[right][..., 2], torch.ones_like(first[right][..., 2]), atol=1e-5, rtol=0)
    assert first[..., 5].max() > 0.4, "a cell on the edge between the halves is of two colours"


def test_a_photograph_is_described_with_its_mirror_image(images: torch.Tensor) -> None:
    network = FisherNetwork(FisherConfig("fisher", 64, 3, {"words": 2}))
    network.gradients, network.colours = fitted(Gradients), fitted(Colours)
    found = network.vectors(images)
    torch.testing.assert_close(found, network.vectors(images.flip(3)))
    own, mirrored = (network.colours(unnormalised(one)) for one in (images, images.flip(3)))
    assert (own - mirrored).abs().max() > 1e-3
    torch.testing.assert_close(found[:, network.gradients.width :], (own + mirrored) / 2)


@pytest.mark.parametrize("cell", [1, 3, 8])
def test_cells_are_averaged_as_torch_does(images: torch.Tensor, cell: int) -> None:
    maps = torch.cat([images, images**2], dim=1)
    mean = functional.avg_pool2d(maps, cell, 1)
    deviation = (mean[:, 3:] - mean[:, :3] ** 2).clamp(min=0.0).sqrt()
    gathered = Colours(2).gather(maps, cell)
    torch.testing.assert_close(gathered[:, :3], mean[:, :3], atol=1e-5, rtol=0)
    torch.testing.assert_close(gathered[:, 3:] ** 2, deviation**2, atol=1e-5, rtol=0)


@pytest.fixture(scope="module")
def params() -> CnnPretrainParams:
    return CnnPretrainParams(fisher_size=64, fisher_components=2)


@pytest.fixture(scope="module")
def made(squares: Any, params: CnnPretrainParams) -> dict[str, Any]:
    places = squares.places("fisher")
    return places | {"outcome": pretrain("fisher", **places, params=params, seed=5)}


def vectors_of(path: Path) -> np.ndarray:
    return np.concatenate([batch for _, batch in tables.read_regions(path, "pooled")])[:, 0]


def test_every_image_is_described_by_what_is_read_of_its_topics_and_words(made: dict[str, Any]) -> None:
    metrics = made["outcome"].metrics
    assert metrics["images"] == 36
    assert metrics["explained_variance"] > 0.25, "the topics are the colours"
    found = vectors_of(made["features"])
    assert found.shape == (36, 3 + 4)
    assert np.abs(found[TRAIN].mean(axis=0)).max() < 1e-2
    assert np.abs(found[TRAIN, :3].std(axis=0) - 1).max() < 1e-2
    held_back = found[9:15, :3].argmax(axis=1)
    assert held_back.tolist() == [0, 1, 2, 0, 1, 2]
    assert not list(made["checkpoint"].iterdir())


def test_made_again_they_are_the_same_bytes(made: dict[str, Any], squares: Any, params: CnnPretrainParams) -> None:
    places = squares.places("fisher_again")
    pretrain("fisher", **places, params=params, seed=5)
    assert sha256(places["features"]) == sha256(made["features"])
    assert sha256(places["weights"]) == sha256(made["weights"])


def test_a_file_is_described_as_in_the_table(made: dict[str, Any], squares: Any) -> None:
    images = pq.read_table(made["images"])
    contents = list(read_images(images["path"].to_pylist(), squares.shards, images["sha256"].to_pylist()))
    found = FeatureExtractor.load(made["weights"])([contents[9], b"junk", contents[13]])
    assert (found.readable, list(found.unreadable), found.grid) == ([0, 2], [1], None)
    np.testing.assert_allclose(found.features, vectors_of(made["features"])[[9, 13]], atol=1e-2)
    assert found.topics is not None
    np.testing.assert_allclose(found.topics.sum(axis=1), 1.0, atol=1e-5)
    assert found.topics.argmax(axis=1).tolist() == [0, 1]


def noise(count: int) -> np.ndarray:
    return np.random.default_rng(6).integers(0, 256, (count, 64, 64, 3)).astype(np.uint8)


def test_a_photograph_learned_from_is_described_without_its_own_words(tmp_path: Path) -> None:
    pixels, random = noise(24), np.random.default_rng(7)
    words = (random.random((24, 5)) < 0.5).astype(np.float32)
    network = FisherNetwork(FisherConfig("fisher", 64, 2, {"words": 5}))
    rows = np.arange(20)
    seen = fit(network, pixels, Targets({"train": rows, "val": rows[:0]}, {"words": words}), rows, 5, tmp_path / "v")
    described = torch.cat([batch.pooled for batch in seen.describe()]).numpy()
    with torch.inference_mode():
        own = network.describe(plain_view(torch.from_numpy(pixels))).pooled.numpy()
    np.testing.assert_allclose(described[20:], own[20:], atol=1e-2)
    known, unknown = (np.corrcoef(values[:20].ravel(), words[:20].ravel())[0, 1] for values in (own, described))
    assert known > unknown + 0.2, "noise tells nothing of words, unless they are known by heart"


def test_one_photograph_is_too_few(tmp_path: Path) -> None:
    network = FisherNetwork(FisherConfig("fisher", 64, 2, {"words": 5}))
    one = Targets({"train": np.arange(1), "val": np.arange(0)}, {"words": np.ones((3, 5), dtype=np.float32)})
    with pytest.raises(CorpusError, match="one training photograph"):
        fit(network, noise(3), one, np.arange(1), 5, tmp_path / "v")


@pytest.mark.parametrize("changes", [{"feature": "weak"}, {"components": 3}, {"outputs": {"topics": 2}}, {"colour": 1}])
def test_a_foreign_folder_is_refused_in_one_line(made: dict[str, Any], tmp_path: Path, changes: dict[str, Any]) -> None:
    folder = tmp_path / "cnn"
    copytree(made["weights"], folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | changes))
    with pytest.raises(TrainingError, match="not a network of photocritic") as caught:
        FeatureExtractor.load(folder)
    assert "\n" not in str(caught.value)

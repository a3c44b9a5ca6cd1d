"""Fisher vectors: how fast photographs become vectors, beside a CNN, and mixtures are fitted, beside scikit-learn.

Usage: python -m bench.fisher [--toy]

Photographs are noise, blurred; processor seconds.
"""

import time
import warnings
from collections.abc import Callable

import numpy as np
import torch
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from torch.nn import functional

from bench.measuring import Row, Size, main
from photocritic.vision.fisher import FisherConfig, FisherNetwork
from photocritic.vision.fisher_vectors import ITERATIONS, LEAST_VARIANCE, Colours
from photocritic.vision.network import Network, NetworkConfig

SIDE, CNN_SIDE = 160, 112  # pixels: the defaults of fisher, and the preset flickr8k's CNN


def run(size: Size) -> list[Row]:
    """Measure at the sizes of the preset flickr8k, or at toy ones."""
    images, descriptors, components = (4, 400, 2) if size == "toy" else (128, 50_000, 128)
    torch.manual_seed(7)
    pictures = functional.interpolate(torch.randn(images, 3, 12, 12), size=(SIDE, SIDE), mode="bilinear")
    network = FisherNetwork(FisherConfig("fisher", SIDE, components, {"words": 300})).eval()
    network.fit_mixtures(
        np.random.default_rng(7).integers(0, 256, (4, SIDE, SIDE, 3)).astype(np.uint8), np.arange(4), 7
    )
    cnn = Network(NetworkConfig("random", "resnet18", CNN_SIDE, 1, {}, [])).eval()
    small = functional.interpolate(pictures, size=(CNN_SIDE, CNN_SIDE)).contiguous(memory_format=torch.channels_last)
    with torch.inference_mode():
        vectors = images / _seconds(lambda: network.describe(pictures))
        pooled = images / _seconds(lambda: cnn.describe(small))
        points, places = torch.rand(descriptors, 96), torch.rand(descriptors, 2) - 0.5
        own = _seconds(lambda: Colours(components).fit(points, places, seed=7))
    theirs = _seconds(lambda: _fit_scikit_learns(torch.cat([points[:, :64], places], dim=1).numpy(), components))
    return [
        Row(
            f"photographs and mirror images to Fisher vectors of {components} Gaussians, and what is read of them",
            vectors,
            "images/s of a core",
            f"{pooled:.0f} by a ResNet18 at {CNN_SIDE} pixels",
        ),
        Row(
            f"a mixture of {components} Gaussians fitted to {descriptors:,} descriptors",
            own,
            "s of a core",
            f"{theirs / own:.1f} times as fast as scikit-learn's GaussianMixture in as many iterations",
        ),
    ]


def _fit_scikit_learns(points: np.ndarray, components: int) -> None:
    mixture = GaussianMixture(
        components,
        covariance_type="diag",
        reg_covar=LEAST_VARIANCE,
        tol=0.0,
        max_iter=ITERATIONS,
        init_params="random_from_data",
        random_state=7,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        mixture.fit(points)


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main(run, __doc__)

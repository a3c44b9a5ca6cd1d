"""Image features mapped to vectors of captions."""

import numpy as np

from photocritic.retrieval.alignment import ImageToText


def test_alignment_recovers_a_linear_map_and_shrinks_noise() -> None:
    random = np.random.default_rng(0)
    images, weights = random.normal(size=(200, 10)), random.normal(size=(10, 4))
    clean = ImageToText(images, images @ weights + 3.0)
    np.testing.assert_allclose(clean.embed(images), clean.centre(images @ weights + 3.0), atol=0.05)
    noise = ImageToText(images, random.normal(size=(200, 4)))
    assert np.abs(noise.embed(images)).mean() < 0.2

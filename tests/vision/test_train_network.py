"""The loss against soft labels."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from photocritic.vision.train_network import soft_cross_entropy


@given(st.integers(1, 6), st.integers(2, 9), st.floats(0, 0.5), st.integers(0, 99))
def test_it_is_torchs_cross_entropy_on_distributions(batch: int, classes: int, smoothing: float, seed: int) -> None:
    torch.manual_seed(seed)
    logits, target = torch.randn(batch, classes), torch.rand(batch, classes).softmax(1)
    expected = functional.cross_entropy(logits, target, label_smoothing=smoothing)
    torch.testing.assert_close(soft_cross_entropy(logits, target, smoothing), expected)


def test_an_image_without_a_distribution_adds_nothing() -> None:
    logits = torch.randn(2, 5)
    target = torch.zeros(2, 5)
    assert soft_cross_entropy(logits, target, 0.1).item() == 0.0
    target[0, 3] = 1.0
    assert soft_cross_entropy(logits, target).item() == pytest.approx(-logits[0].log_softmax(0)[3].item() / 2, rel=1e-5)

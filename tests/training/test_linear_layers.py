"""Linear layers by oneDNN: the same function, of the same weights."""

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.profiler import profile
from transformers.pytorch_utils import Conv1D

from photocritic.core.environment import REPRODUCIBLE
from photocritic.training.linear_layers import OneDnnLinear, fast_linear_layers

ROWS, INPUTS, OUTPUTS = 200, 192, 700


def compute(layer: nn.Module, inputs: Tensor) -> list[Tensor]:
    """What a layer gives, and the gradients of its weights and inputs."""
    inputs = inputs.clone().requires_grad_()
    outputs = layer(inputs)
    direction = torch.linspace(-1, 1, outputs.numel()).reshape(outputs.shape)
    return [outputs.detach(), *torch.autograd.grad(outputs, [inputs, *layer.parameters()], direction)]


def operations(layer: nn.Module, inputs: Tensor) -> set[str]:
    with profile() as recorded:
        layer(inputs)
    return {event.key for event in recorded.key_averages()}


@pytest.fixture(params=["linear", "without bias", "Conv1D"])
def layer(request: pytest.FixtureRequest) -> nn.Module:
    torch.manual_seed(1)
    if request.param == "Conv1D":
        return Conv1D(OUTPUTS, INPUTS)
    return nn.Linear(INPUTS, OUTPUTS, bias=request.param == "linear")


@pytest.mark.parametrize("shape", [(ROWS,), (20, ROWS // 20)])
@pytest.mark.parametrize("transposed", [False, True])
def test_outputs_and_gradients_are_those_of_torch(layer: nn.Module, shape: tuple[int, ...], transposed: bool) -> None:
    inputs = torch.randn(*shape, INPUTS)
    if transposed and isinstance(layer, nn.Linear):  # as an LSTM returns it
        inputs = inputs.transpose(0, -2).contiguous().transpose(0, -2)
    expected = compute(layer, inputs)
    with OneDnnLinear():
        found = compute(layer, inputs)
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-5 * float(other.abs().max()))


def test_large_layers_alone_go_to_onednn(layer: nn.Module) -> None:
    with OneDnnLinear():
        assert "aten::mkldnn_linear" in operations(layer, torch.randn(ROWS, INPUTS))
        assert "aten::mkldnn_linear" not in operations(layer, torch.randn(2, INPUTS))
        assert "aten::mkldnn_linear" not in operations(layer.double(), torch.randn(ROWS, INPUTS).double())


def test_other_functions_and_keywords_pass() -> None:
    left, right = torch.randn(500, INPUTS), torch.randn(OUTPUTS, INPUTS)
    with OneDnnLinear():
        scaled = torch.addmm(torch.ones(OUTPUTS), left, right.t(), beta=0, alpha=2)
        summed = torch.addmm(torch.ones(500, OUTPUTS), left, right.t())
    torch.testing.assert_close(scaled, 2 * functional.linear(left, right), rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(summed, 1 + functional.linear(left, right), rtol=1e-4, atol=1e-4)


def test_only_reproducible_stages_use_it(monkeypatch: pytest.MonkeyPatch, layer: nn.Module) -> None:
    with fast_linear_layers():
        assert "aten::mkldnn_linear" not in operations(layer, torch.randn(ROWS, INPUTS))
    for name, value in REPRODUCIBLE.items():
        monkeypatch.setenv(name, value)
    with fast_linear_layers():
        assert "aten::mkldnn_linear" in operations(layer, torch.randn(ROWS, INPUTS))

"""A compiled module computes the same under the same names, and one that cannot be compiled computes as ever."""

import copy
import logging
from unittest.mock import patch

import pytest
import torch
from torch import nn

from photocritic.training.compiling import compiled


def module() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh())


def test_a_compiled_module_learns_the_same_under_the_same_names() -> None:
    net, inputs = module(), torch.randn(2, 3)
    plain = copy.deepcopy(net)
    plain(inputs).square().sum().backward()
    compile_with = torch.compile
    quickly = lambda forward, **_: compile_with(forward, backend="aot_eager")  # noqa: E731 - C++ takes half a minute
    with patch.object(torch, "compile", quickly), compiled(net, "toy"):
        net(inputs).square().sum().backward()
        assert net.state_dict().keys() == plain.state_dict().keys()
    torch.testing.assert_close(net[0].weight.grad, plain[0].weight.grad)
    assert "forward" not in vars(net)


def test_what_cannot_be_compiled_is_told_once_and_computed_plainly(caplog: pytest.LogCaptureFixture) -> None:
    net, inputs = module(), torch.randn(2, 3)
    expected = net(inputs)

    def without_compiler(*_: object) -> None:
        raise RuntimeError("no C++ compiler")

    compile_with = torch.compile
    failing = lambda forward, **_: compile_with(forward, backend=without_compiler)  # noqa: E731
    with (
        caplog.at_level(logging.WARNING, "photocritic"),
        patch.object(torch, "compile", failing),
        compiled(net, "toy"),
    ):
        assert torch.equal(net(inputs), expected)
        assert torch.equal(net(inputs), expected)
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("photocritic")]
    assert len(lines) == 1
    assert lines[0].startswith("toy: torch.compile failed (")
    assert "no C++ compiler" in lines[0]
    assert "\n" not in lines[0]

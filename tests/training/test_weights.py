"""Weights come back as they were written, byte for byte, or with one line that says what is wrong."""

from pathlib import Path

import pytest
import torch
from torch import nn

from photocritic.core.errors import TrainingError
from photocritic.core.files import sha256
from photocritic.training.weights import load_weights, save_weights


def test_round_trip(tmp_path: Path) -> None:
    net = nn.Sequential(nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last), nn.BatchNorm2d(4))  # type: ignore[call-overload]
    save_weights(tmp_path / "one", net, {"name": "toy", "sizes": [1, 2]})
    save_weights(tmp_path / "two", net, {"sizes": [1, 2], "name": "toy"})
    config, state = load_weights(tmp_path / "one")
    assert config == {"name": "toy", "sizes": [1, 2]}
    assert state.keys() == net.state_dict().keys()
    assert all(torch.equal(state[name], value) for name, value in net.state_dict().items())
    assert sha256(tmp_path / "one") == sha256(tmp_path / "two")


def test_tied_weights_are_written(tmp_path: Path) -> None:
    net = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    net[1].weight = net[0].weight
    save_weights(tmp_path / "tied", net, {})
    assert torch.equal(load_weights(tmp_path / "tied")[1]["1.weight"], net[0].weight)


def test_missing_and_damaged_models_say_so(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="run the stage that trains"):
        load_weights(tmp_path / "nowhere")
    save_weights(tmp_path / "m", nn.Linear(2, 2), {})
    (tmp_path / "m" / "weights.safetensors").write_bytes(b"\x00" * 9)
    with pytest.raises(TrainingError, match="damaged"):
        load_weights(tmp_path / "m")

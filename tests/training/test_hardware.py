"""Arithmetic and threads."""

import pytest
import torch
from torch import nn

from photocritic.core.environment import REPRODUCIBLE
from photocritic.training import hardware


@pytest.mark.parametrize("amx", [True, False])
@pytest.mark.parametrize("gpu", [True, False])
def test_half_precision_only_where_it_is_the_faster(monkeypatch, amx, gpu):
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: amx)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: gpu)
    assert hardware.usable_precision("32-true") == "32-true"
    assert hardware.usable_precision("bf16-mixed") == ("bf16-mixed" if gpu or amx else "32-true")
    assert hardware.usable_precision("16-mixed") == ("16-mixed" if gpu else "32-true")


def test_no_half_precision_where_numbers_are_to_be_the_same_everywhere(monkeypatch):
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: True)
    for name, value in REPRODUCIBLE.items():
        monkeypatch.setenv(name, value)
    assert hardware.usable_precision("bf16-mixed") == "32-true"


def test_small_models_compute_on_one_thread_and_give_the_others_back():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with hardware.suitable_threads(nn.Linear(4, 4), 8):
            assert torch.get_num_threads() == 1
        assert torch.get_num_threads() == 2
        with hardware.suitable_threads(nn.Linear(1000, 1000), 1000):
            assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)

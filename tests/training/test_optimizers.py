"""Schedules reach the rate that was asked for and end where they should; optimizers decay matrices alone."""

import pytest
import torch
from torch import nn

from photocritic.training.optimizers import make_optimizer, make_schedule


def rates(name: str, steps: int, **options: object) -> list[float]:
    adam = torch.optim.Adam(nn.Linear(2, 2).parameters(), lr=0.5)
    plan = make_schedule(name, adam, steps, **options)  # type: ignore[arg-type]
    found = []
    for _ in range(steps):
        found.append(float(adam.param_groups[0]["lr"]))
        adam.step()
        plan.step()
    return found


@pytest.mark.parametrize("name", ["one_cycle", "cosine"])
def test_the_rate_rises_to_the_top_and_falls_to_nothing(name: str) -> None:
    found = rates(name, 100, warm_up=0.2)
    top = found.index(max(found))
    assert found[top] == pytest.approx(0.5, rel=1e-3)
    assert 18 <= top <= 20
    assert found[: top + 1] == sorted(found[: top + 1])
    assert found[top:] == sorted(found[top:], reverse=True)
    assert found[-1] < 0.001
    assert found[60] == pytest.approx(0.25, rel=0.05)  # half a cosine is half-way down in the middle


def test_a_line_rises_from_above_nothing_and_falls_to_nothing() -> None:
    falling = [0.5 * (20 - step) / 16 for step in range(4, 20)]
    assert rates("linear", 20, warm_up=0.2) == pytest.approx([0.125, 0.25, 0.375, 0.5, *falling])


def test_constant_stays() -> None:
    assert rates("constant", 5) == [0.5] * 5


@pytest.mark.parametrize("name", ["one_cycle", "cosine", "linear", "constant"])
def test_one_step_is_enough(name: str) -> None:
    assert len(rates(name, 1)) == 1


def test_the_momentum_goes_against_the_rate_where_asked() -> None:
    adam = torch.optim.Adam(nn.Linear(2, 2).parameters(), lr=0.5)
    make_schedule("one_cycle", adam, 10)
    assert adam.param_groups[0]["betas"][0] == 0.9
    make_schedule("one_cycle", adam, 10, cycle_momentum=True)
    assert adam.param_groups[0]["betas"][0] == 0.95


@pytest.mark.parametrize("name", ["adamw", "adam", "adagrad", "sgd"])
def test_every_optimizer_learns_and_decays_matrices_alone(name: str) -> None:
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
    net[2].bias.requires_grad_(False)
    made = make_optimizer(name, net, 0.05, 0.1)  # type: ignore[arg-type]
    assert {group["weight_decay"]: len(group["params"]) for group in made.param_groups} == {0.1: 2, 0.0: 3}
    inputs, before = torch.randn(16, 3), net[2].bias.clone()
    losses = []
    for _ in range(20):
        loss = (net(inputs)[:, 0] - inputs[:, 0]).square().mean()
        made.zero_grad()
        loss.backward()
        made.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]
    assert torch.equal(net[2].bias, before)


def test_all_parameters_decay_where_asked() -> None:
    made = make_optimizer("adam", nn.Linear(3, 4), 0.05, 0.1, decay_all=True, fused=False)
    assert [(group["weight_decay"], len(group["params"])) for group in made.param_groups] == [(0.1, 2)]

"""A batch in parts has the gradient of the whole; where memory runs out, parts get smaller and nothing else changes."""

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from photocritic.core.errors import TrainingError
from photocritic.core.system_errors import is_out_of_memory
from photocritic.training.loop import History, Indices, Plan, fit

LENGTHS = np.random.default_rng(0).integers(1, 9, 53)  # of sequences: a mean over their items is no mean over them


def close(first: nn.Module, second: nn.Module) -> bool:
    one, two = first.state_dict(), second.state_dict()
    return all(torch.allclose(one[name], two[name], atol=1e-6) for name in one)


def same(first: nn.Module, second: nn.Module) -> bool:
    one, two = first.state_dict(), second.state_dict()
    return all(torch.equal(one[name], two[name]) for name in one)


@pytest.mark.parametrize("parts", [2, 3, 100])
def test_the_gradient_of_a_batch_in_parts_is_that_of_the_whole(toy: ModuleType, tmp_path: Path, parts: int) -> None:
    whole, history = toy.train_plain(tmp_path / "whole.pt")
    cut, again = toy.train_plain(tmp_path / "cut.pt", replace(toy.PLAN, accumulate=parts))
    assert close(whole, cut)
    losses = [metrics["train_loss"] for metrics in history.epochs]
    assert [metrics["train_loss"] for metrics in again.epochs] == pytest.approx(losses, abs=1e-6)


def test_parts_count_by_their_weight(toy: ModuleType, tmp_path: Path) -> None:
    inputs, targets = toy.data()

    def loss(model: nn.Module, batch: Indices) -> Tensor:
        weight = torch.from_numpy(LENGTHS[batch])
        return ((model(inputs[batch]) - targets[batch]).square()[:, 0] * weight).sum() / weight.sum()

    def train(parts: int, **options: object) -> nn.Module:
        net = toy.plain_model()
        plan = replace(toy.PLAN, accumulate=parts)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
        fit(net, optimizer, None, 53, loss, plan, tmp_path / f"{parts}{len(options)}.pt", **options)  # type: ignore[arg-type]
        return net

    weigh = lambda batch: float(LENGTHS[batch].sum())  # noqa: E731
    assert close(train(1, weigh=weigh), train(3, weigh=weigh))
    assert not close(train(1), train(3))


def failing(inner: Callable[[nn.Module, Indices], Tensor], most: int, first: int = 0) -> object:
    """Run out of memory, after the model has seen the part, for parts of more examples than `most`."""
    calls = 0

    def loss(model: nn.Module, batch: Indices) -> Tensor:
        nonlocal calls
        calls += 1
        value = inner(model, batch)
        if len(batch) > most and calls > first:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return value

    return loss


def train(
    toy: ModuleType,
    checkpoint: Path,
    wrap: Callable[..., object] = lambda loss: loss,
    accumulate: int = 1,
    name: str = "train",
) -> tuple[nn.Module, History]:
    """Train a toy with its loss wrapped."""

    def wrapped(*arguments: object, **options: object) -> History:
        model, optimizer, schedule, examples, loss, *rest = arguments
        return fit(model, optimizer, schedule, examples, wrap(loss), *rest, **options)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(toy, "fit", wrapped)
        plan = replace(toy.PLAN, accumulate=accumulate, batch_size=16)
        return getattr(toy, name)(checkpoint, plan=plan)  # type: ignore[no-any-return]


def test_out_of_memory_halves_the_parts_and_leaves_no_trace(
    toy: ModuleType, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    expected, history = train(toy, tmp_path / "cut.pt", accumulate=4)
    with caplog.at_level(logging.WARNING):
        found, again = train(toy, tmp_path / "oom.pt", lambda loss: failing(loss, 4))
    assert same(expected, found)
    assert history == again
    lines = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert lines == [
        f"toy: out of memory at epoch 1, step 1; batches are computed in {parts} parts from here on" for parts in (2, 4)
    ]


def test_a_run_that_ran_out_of_memory_resumes_to_the_same_bits(toy: ModuleType, tmp_path: Path) -> None:
    whole, history = train(toy, tmp_path / "whole.pt", lambda loss: failing(loss, 4, first=5))

    def stop(loss: Callable[[nn.Module, Indices], Tensor]) -> object:
        wrapped, calls = failing(loss, 4, first=5), 0

        def stopping(model: nn.Module, batch: Indices) -> Tensor:
            nonlocal calls
            calls += 1
            if calls == 30:
                raise KeyboardInterrupt
            return wrapped(model, batch)  # type: ignore[operator]

        return stopping

    with pytest.raises(KeyboardInterrupt):
        train(toy, tmp_path / "c.pt", stop)
    resumed, again = train(toy, tmp_path / "c.pt")  # memory suffices now; the parts stay as they were
    assert same(whole, resumed)
    assert history == again


def test_memory_that_does_not_suffice_for_one_example_ends_the_training(toy: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="out of memory with a single example at epoch 1, step 1; take a smaller"):
        train(toy, tmp_path / "c.pt", lambda loss: failing(loss, 0), name="train_plain")


def test_the_processors_memory_counts_and_other_errors_do_not(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError) as caught:
        torch.empty(1 << 60, dtype=torch.uint8)
    assert is_out_of_memory(caught.value)
    assert is_out_of_memory(ImportError("libtorch_cpu.so: failed to map segment from shared object"))
    assert is_out_of_memory(MemoryError())
    assert not is_out_of_memory(RuntimeError("mat1 and mat2 shapes cannot be multiplied"))

    def loss(model: nn.Module, batch: Indices) -> Tensor:
        raise RuntimeError("shapes differ")

    net = nn.Linear(2, 1)
    with pytest.raises(RuntimeError, match="shapes differ"):
        fit(net, torch.optim.SGD(net.parameters(), lr=1.0), None, 4, loss, Plan("bad", 1, 2, 0), tmp_path / "c.pt")

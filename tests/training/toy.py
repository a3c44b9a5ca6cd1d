"""Small trainings: one with everything that has state, and one whose steps are exact however a batch is cut."""

import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import torch
from lightning_fabric import Fabric
from torch import Tensor, nn

from photocritic.core.environment import is_first_worker
from photocritic.training import workers
from photocritic.training.loop import History, Indices, Plan, fit

EXAMPLES = 53
PLAN = Plan(label="toy", epochs=4, batch_size=8, seed=3, grad_clip=1.0)


def data() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    return torch.randn(EXAMPLES, 6, generator=generator), torch.randn(EXAMPLES, 1, generator=generator)


def model() -> nn.Sequential:
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 1))


def plain_model() -> nn.Sequential:
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))


def train_plain(checkpoint: Path, plan: Plan = PLAN, **options: object) -> tuple[nn.Module, History]:
    """Train without dropout, batch statistics and noise."""
    inputs, targets = data()
    net = plain_model()

    def loss(current: nn.Module, batch: Indices) -> Tensor:
        return nn.functional.mse_loss(current(inputs[batch]), targets[batch])

    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    return net, fit(net, optimizer, None, EXAMPLES, loss, plan, checkpoint, **options)  # type: ignore[arg-type]


def train(checkpoint: Path, die_at: int = 0, plan: Plan = PLAN, **options: object) -> tuple[nn.Module, History]:
    """Train the toy; with `die_at`, the process kills itself hard before that many steps are done."""
    inputs, targets = data()
    net = model()
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.02, total_steps=plan.steps(EXAMPLES) * plan.epochs)
    calls = 0

    def loss(current: nn.Module, batch: Indices) -> Tensor:
        nonlocal calls
        calls += 1
        if calls == die_at:
            os.kill(os.getpid(), signal.SIGKILL)
        noise = torch.randn(len(batch), 6) * 0.1
        return nn.functional.mse_loss(current(inputs[batch] + noise), targets[batch])

    def validate(current: nn.Module) -> dict[str, float]:
        return {"val_loss": nn.functional.mse_loss(current(inputs), targets).item()}

    settings = {"validate": validate, "best": ("val_loss", "min"), "checkpoint_seconds": 0.0} | options
    history = fit(net, optimizer, schedule, EXAMPLES, loss, plan, checkpoint, **settings)  # type: ignore[arg-type]
    return net, history


def worker(fabric: Fabric, folder: Path) -> None:
    """Train as one of several workers and leave the weights under the worker's number."""
    net, history = train(folder / "c.pt", fabric=fabric)
    torch.save({"model": net.state_dict(), "epochs": history.epochs}, folder / f"{fabric.global_rank}.pt")


def launched(folder: Path) -> None:
    """Train as torchrun's worker, the batch cut in parts besides."""
    with workers.first_one_first():
        (folder / "order").open("a").write(os.environ["RANK"])
    told: list[int] = []
    net, history = train_plain(
        folder / "c.pt", replace(PLAN, accumulate=2), on_epoch=lambda epoch, metrics: told.append(epoch)
    )
    content = {"model": net.state_dict(), "epochs": history.epochs, "told": told, "first": is_first_worker()}
    torch.save(content, folder / f"{os.environ['RANK']}.pt")


if __name__ == "__main__":
    if sys.argv[2] == "two":
        Fabric(accelerator="cpu", devices=2, strategy="ddp_fork").launch(worker, Path(sys.argv[1]))
    elif sys.argv[2] == "torchrun":
        launched(Path(sys.argv[1]))
    else:
        train(Path(sys.argv[1]), int(sys.argv[2]))

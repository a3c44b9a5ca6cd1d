"""The workers of a training that torchrun started: who is first, and a Fabric that joins them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from photocritic.core.environment import worker_count

if TYPE_CHECKING:
    from lightning_fabric import Fabric

    from photocritic.training.hardware import Precision

_PATIENCE = timedelta(days=1)  # others wait while the first prepares data; torchrun ends them all when one fails


def launched_fabric(precision: "Precision" = "32-true") -> "Fabric":
    """Make a Fabric: on one device, or over all processes that torchrun started, a device each.

    Parameters
    ----------
    precision : str
        Fabric's name.

    Returns
    -------
    Fabric
        Launched.
    """
    from lightning_fabric import Fabric
    from lightning_fabric.strategies.ddp import DDPStrategy

    if worker_count() == 1:
        return Fabric(accelerator="auto", devices=1, precision=precision)
    local = int(os.environ.get("LOCAL_WORLD_SIZE", worker_count()))
    strategy = DDPStrategy(timeout=_PATIENCE)
    fabric = Fabric(
        accelerator="auto", devices=local, num_nodes=worker_count() // local, strategy=strategy, precision=precision
    )
    fabric.launch()
    return fabric


@contextmanager
def first_one_first() -> Iterator[None]:
    """Run the block on the first worker before the others, for work whose result they find on disk."""
    if worker_count() == 1:
        yield
        return
    with launched_fabric().rank_zero_first():
        yield

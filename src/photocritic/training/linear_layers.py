"""Linear layers that are fast where numbers are to be the same on every processor: computed by oneDNN, not by MKL."""

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from photocritic.core.environment import is_reproducible

LARGE = 2_000_000  # multiplications of a product; below, oneDNN's preparations take longer than they save


def fast_linear_layers() -> AbstractContextManager[object]:
    """Return a context in which large linear layers are computed in the fastest way that is reproducible.

    `reproducible` has MKL multiply matrices in its one way that is the same on every processor, which takes three times
    as long. oneDNN, which torch uses for convolutions and LSTMs, multiplies as fast as MKL at its best, and on one
    thread with AVX2 sums in an order that depends on the matrices' sizes alone. Elsewhere the context does nothing.
    """
    return OneDnnLinear() if is_reproducible() else nullcontext()


class OneDnnLinear(TorchFunctionMode):
    """Computes the linear layers of all models that are called within it, and their gradients, by oneDNN.

    These are `nn.Linear` and transformers' `Conv1D`, where they are large, on a processor and in float32. The layers,
    with the names and shapes of their weights, stay as they are; results differ in the last digits.
    """

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Collection[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Compute one of torch's functions; torch calls this."""
        if not kwargs and func is functional.linear and _is_large(args[0], args[1]):
            return _linear(*args)
        if not kwargs and func is torch.addmm and args[0].dim() == 1 and _is_large(args[1], args[2]):
            bias, inputs, weight = args
            return _linear(inputs, weight.t(), bias)
        return func(*args, **kwargs or {})


def _is_large(inputs: Tensor, weight: Tensor) -> bool:
    """Return whether (..., I) inputs times a weight of (O, I) or (I, O) are worth it."""
    usable = all(part.dtype == torch.float32 and part.device.type == "cpu" for part in (inputs, weight))
    products = inputs.numel() // inputs.shape[-1] * weight.numel()
    return usable and products >= LARGE and not torch.compiler.is_compiling()


def _linear(inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    outputs: Tensor = torch._C._nn.mkldnn_linear(inputs.to_mkldnn(), weight, bias).to_dense()
    return outputs

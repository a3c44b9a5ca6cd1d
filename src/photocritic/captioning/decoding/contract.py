"""What decoding gives."""

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class Decoded:
    """K captions an image.

    Attributes
    ----------
    tokens : Tensor
        (B, K, L) int64 words without `BOS` and `EOS`, filled up with `PAD`; L is the longest caption allowed.
    logprobs : Tensor
        (B, K) float32 log-probability of each whole caption under the model, its `EOS` included, whatever else the
        strategy weighs.
    """

    tokens: Tensor
    logprobs: Tensor

"""Scaled dot-product attention, and the encoder and decoder layers that are stacked from it."""

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

EPSILON = 1e-5
Norm = Literal["pre", "post"]


def sinusoids(begin: int, end: int, like: Tensor) -> Tensor:
    """Return the vectors of the positions `begin` to `end`, (end - begin, width), of width, type and device as `like`.

    References
    ----------
    Vaswani et al. 2017, Attention Is All You Need, section 3.5; here all sines come first, then all cosines, which is
    the same up to the order of dimensions.
    """
    width = like.shape[-1]
    exponents = torch.arange(0, width, 2, device=like.device, dtype=torch.float32) / width
    places = torch.arange(begin, end, device=like.device, dtype=torch.float32)
    angles = places[:, None] * torch.pow(10_000.0, -exponents)
    return torch.cat([angles.sin(), angles.cos()], dim=1).to(like.dtype)


class Attention(nn.Module):
    """Attention with several heads.

    What is attended to is read once, by `remember`, and can be attended to many times.

    Parameters
    ----------
    width : int
        Width of queries, memory and outcome.
    heads : int
        Heads, each of width / heads dimensions.
    normalised : bool
        Whether each dimension of the queries is normalised over all queries of an image, which keeps the distribution
        of the scores the same while those of the layers below change.

    References
    ----------
    Vaswani et al. 2017, Eq. 1 and section 3.2.2. Guo et al. 2020, Normalized and Geometry-Aware Self-Attention Network
    for Image Captioning (instance normalisation of the queries).
    """

    def __init__(self, width: int, heads: int, normalised: bool = False) -> None:
        super().__init__()
        self.heads, self.normalised = heads, normalised
        self.query = nn.Linear(width, width)
        self.memory = nn.Linear(width, 2 * width)
        self.output = nn.Linear(width, width)

    def remember(self, vectors: Tensor) -> Tensor:
        """Return keys and values side by side, (B, S, 2 width), of what can be attended to, (B, S, width)."""
        remembered: Tensor = self.memory(vectors)
        return remembered

    def forward(self, queries: Tensor, remembered: Tensor, causal: bool = False) -> Tensor:
        """Attend, (B, T, width); where `causal`, as many queries as memories, and none attends to later ones."""
        asked = self.query(queries)
        if self.normalised:
            asked = _normalise(asked)
        keys, values = remembered.chunk(2, dim=-1)
        attended = functional.scaled_dot_product_attention(
            self._split(asked), self._split(keys), self._split(values), is_causal=causal
        )
        outcome: Tensor = self.output(attended.transpose(1, 2).flatten(2))
        return outcome

    def _split(self, vectors: Tensor) -> Tensor:
        return vectors.view(*vectors.shape[:2], self.heads, -1).transpose(1, 2)


def _normalise(vectors: Tensor) -> Tensor:
    """Bring each dimension of (B, T, width) to mean 0 and variance 1 over T."""
    variance, mean = torch.var_mean(vectors, dim=1, correction=0, keepdim=True)
    return (vectors - mean) * torch.rsqrt(variance + EPSILON)


class Residual(nn.Module):
    """What all layers do around their parts: drop some of what a part gives, add it, and normalise before or after.

    Normalising before a part, rather than after the sum as in the first Transformer, leaves a path on which gradients
    reach every layer unchanged. Training then needs no long warm-up and bears larger learning rates, which matters
    where a small corpus allows only few steps.

    Parameters
    ----------
    width : int
        Width of the vectors.
    parts : int
        Parts of the layer, each with a normalisation.
    dropout : float
        Share of each part's outcome that is left out in training.
    norm : "pre" or "post"
        Whether what a part reads is normalised, x + part(norm(x)), or the sum, norm(x + part(x)).

    Raises
    ------
    ValueError
        `norm` is neither.

    References
    ----------
    Xiong et al. 2020, On Layer Normalization in the Transformer Architecture, section 3 (before); Vaswani et al. 2017,
    section 3.1 (after).
    """

    def __init__(self, width: int, parts: int, dropout: float, norm: Norm = "pre") -> None:
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(f"norm '{norm}': must be pre or post")
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(parts))
        self.dropout = nn.Dropout(dropout)
        self.norm = norm

    def read(self, part: int, vectors: Tensor) -> Tensor:
        """Return what a part of the layer reads, (B, T, width)."""
        read: Tensor = self.norms[part](vectors) if self.norm == "pre" else vectors
        return read

    def add(self, part: int, vectors: Tensor, outcome: Tensor) -> Tensor:
        """Add a part's outcome to what the part was given, (B, T, width) each."""
        total = vectors + self.dropout(outcome)
        added: Tensor = self.norms[part](total) if self.norm == "post" else total
        return added


class EncoderLayer(Residual):
    """Self-attention over an image's regions, then a network on each of them.

    Parameters
    ----------
    width, heads, feed_forward : int
        Width of the vectors, heads of the attention, width inside the network.
    dropout, norm
        As in `Residual`.
    normalised : bool
        As in `Attention`.
    """

    def __init__(
        self,
        width: int,
        heads: int,
        feed_forward: int,
        dropout: float,
        norm: Norm = "pre",
        *,
        normalised: bool = False,
    ) -> None:
        super().__init__(width, 2, dropout, norm)
        self.attention = Attention(width, heads, normalised)
        self.network = _network(width, feed_forward)

    def forward(self, regions: Tensor) -> Tensor:
        """Encode each region among the others, (B, R, width)."""
        seen = self.read(0, regions)
        regions = self.add(0, regions, self.attention(seen, self.attention.remember(seen)))
        return self.add(1, regions, self.network(self.read(1, regions)))


class DecoderLayer(Residual):
    """Self-attention over the words so far, attention to the image, then a network on each word.

    Parameters as in `EncoderLayer`.
    """

    def __init__(self, width: int, heads: int, feed_forward: int, dropout: float, norm: Norm = "pre") -> None:
        super().__init__(width, 3, dropout, norm)
        self.words = Attention(width, heads)
        self.image = Attention(width, heads)
        self.network = _network(width, feed_forward)

    def forward(self, words: Tensor, image: Tensor, past: Tensor) -> tuple[Tensor, Tensor]:
        """Read words.

        Parameters
        ----------
        words : Tensor
            (B, T, width); a whole sentence where nothing is past, else the next word alone (T = 1).
        image : Tensor
            (B, R, 2 width), what `image.remember` gave for the encoded regions.
        past : Tensor
            (B, t, 2 width), what this layer remembers of the words before.

        Returns
        -------
        tuple of Tensor
            (B, T, width), and (B, t + T, 2 width), what it remembers now.
        """
        read = self.read(0, words)
        remembered = torch.cat([past, self.words.remember(read)], dim=1)
        words = self.add(0, words, self.words(read, remembered, causal=past.shape[1] == 0))
        words = self.add(1, words, self.image(self.read(1, words), image))
        return self.add(2, words, self.network(self.read(2, words))), remembered


def _network(width: int, inside: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(width, inside), nn.ReLU(), nn.Linear(inside, width))

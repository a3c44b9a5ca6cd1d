"""The base class of captioner models."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from torch import Tensor, nn

State = tuple[Tensor, ...]  # the first dimension of every tensor is the batch, so that a beam can be reordered


@dataclass(frozen=True)
class ModelConfig:
    """Sizes of a captioner model.

    Attributes
    ----------
    features : int
        Numbers C in each region's vector.
    vocabulary : int
        Number V of words, special ones included.
    hidden, embedding : int
        Widths of the model's states and of a word's vector.
    dropout : float
        Share of units left out while training.
    regions : int
        Regions R of an image: 1 where pooled vectors are given, the cells of the grid otherwise.
    tied : bool
        Whether words are scored by the same vectors by which they are read.
    """

    features: int
    vocabulary: int
    hidden: int = 512
    embedding: int = 512
    dropout: float = 0.5
    regions: int = 1
    tied: bool = False


class Captioner(nn.Module, ABC):
    """A model that generates a caption from an image's regions, word by word."""

    @abstractmethod
    def forward(self, features: Tensor, tokens: Tensor) -> Tensor:
        """Score every next word, teacher forced.

        Parameters
        ----------
        features : Tensor
            (B, R, C) float, each region's vector; R is 1 where images are pooled.
        tokens : Tensor
            (B, T) int64, beginning with `BOS`; padding only at the end.

        Returns
        -------
        Tensor
            (B, T, V) logits of the word that follows each token.
        """

    @abstractmethod
    def start(self, features: Tensor) -> State:
        """Compute the state before the first token for (B, R, C) features."""

    @abstractmethod
    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one token a row.

        Parameters
        ----------
        tokens : Tensor
            (B,) int64, the last word of each row (`BOS` at first).
        state : tuple of Tensor
            As `start` or the last `step` returned it, perhaps reordered.

        Returns
        -------
        tuple of Tensor and State
            (B, V) float32 log-probabilities of the next word, and the state after the token.
        """


def reorder(state: State, rows: Tensor) -> State:
    """Pick rows of a state; a row may be picked many times or never."""
    return tuple(part.index_select(0, rows) for part in state)

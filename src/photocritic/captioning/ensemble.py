"""Captioners of one kind whose predictions are averaged word by word."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from photocritic.captioning.captioner import Captioner, ModelConfig, State, build


class Ensemble(Captioner):
    """Captioners that differ in the seed of their training alone; a word's probability is the mean of theirs.

    Parameters
    ----------
    members : sequence of Captioner
        Two or more, of equal sizes; the state is theirs, one after the other.

    References
    ----------
    Vinyals et al. 2017, Show and Tell: Lessons Learned from the 2015 MSCOCO Image Captioning Challenge, section 5.2.
    """

    def __init__(self, members: Sequence[Captioner]) -> None:
        super().__init__()
        self.members = nn.ModuleList(members)
        self.captioners = tuple(members)  # the same ones: a list of modules knows no more than that they are modules

    def forward(self, features: Tensor, tokens: Tensor) -> Tensor:
        """Score every next word; see `Captioner.forward`."""
        return _mean([torch.log_softmax(member(features, tokens).float(), dim=-1) for member in self.captioners])

    def start(self, features: Tensor) -> State:
        """Compute all members' states; see `Captioner.start`."""
        return tuple(part for member in self.captioners for part in member.start(features))

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one word a row; see `Captioner.step`."""
        size = len(state) // len(self.captioners)
        steps = [
            member.step(tokens, state[number * size : (number + 1) * size])
            for number, member in enumerate(self.captioners)
        ]
        return _mean([scores for scores, _ in steps]), tuple(part for _, after in steps for part in after)


def build_members(name: str, config: ModelConfig, options: Mapping[str, Any], members: int) -> Captioner:
    """Build an untrained captioner, or an ensemble of several; arguments and errors as of `build`."""
    captioners = [build(name, config, options) for _ in range(members)]
    return captioners[0] if members == 1 else Ensemble(captioners)


def members_of(model: Captioner) -> list[Captioner]:
    """Return the captioners that are trained: an ensemble's members, or the model itself."""
    return [*model.captioners] if isinstance(model, Ensemble) else [model]


def _mean(scores: Sequence[Tensor]) -> Tensor:
    """Average probabilities, given their logarithms."""
    return torch.logsumexp(torch.stack(list(scores)), dim=0) - math.log(len(scores))

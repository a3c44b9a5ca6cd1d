"""Aspect-Fusion: an LSTM that attends to the hidden states of captioners of one aspect each (Chang et al. 2017)."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from photocritic.captioning.captioner import ModelConfig, State
from photocritic.captioning.models.neuraltalk2 import NeuralTalk2
from photocritic.captioning.vocabulary import BOS, EOS, PAD

LENGTH = 17  # states of an aspect: NeuralTalk2's longest captions have 16 words, and then an end


class AspectFusion(NeuralTalk2):
    """NeuralTalk2's LSTM with soft attention over the hidden states of captioners that know one aspect each.

    For an image, each aspect's captioner writes its likeliest caption word by word. Its hidden state at every step, up
    to the one from which the end is chosen, is remembered. The fusing LSTM reads the image, then `BOS` and the words,
    and beside each word a mean of what is remembered, m_1 ... m_N, weighted by its own last state:

    e_i = v tanh(K m_i + Q h_{t-1}), w = softmax(e), z_t = sum_i w_i m_i,

    where z_t adds S z_t to the sums of the LSTM's gates and candidates (see `NeuralTalk2`).

    The aspects' captioners are trained first, each on the captions of its aspect, and are fixed while the fusing LSTM
    learns all captions: they have no dropout then, and no gradient reaches them.

    Parameters
    ----------
    config : ModelConfig
        Sizes, of the fusing LSTM and of each aspect's captioner. Chang et al.'s code has E = H = 768.
    aspects : sequence of str
        The aspects, two or more. Chang et al.'s code has three: composition, color and lighting, and subject.
    length : int
        States T that are remembered of an aspect, at most.
    maxout : bool
        As in `NeuralTalk2`, for all LSTMs. Chang et al. build on NeuralTalk2 as it first was, without the maxout.

    Attributes
    ----------
    aspect_captioners : dict of str to NeuralTalk2
        By aspect; their weights are those of `members`, in this order.
    keys, query, weight : nn.Linear
        K with a bias (H, H), Q (H, H) and v (1, H).
    context_sums : nn.Linear
        S, (4 H, H), with the maxout (5 H, H).

    References
    ----------
    Chang et al. 2017, Aesthetic Critiques Generation for Photos (AF; sizes, aspects and attention by its authors'
    code); Bahdanau et al. 2015, Neural Machine Translation by Jointly Learning to Align and Translate, section A.1.2.
    """

    def __init__(self, config: ModelConfig, aspects: Sequence[str], length: int = LENGTH, maxout: bool = False) -> None:
        super().__init__(config, maxout)
        if len(set(aspects)) < 2:
            raise ValueError("aspects: name two at least, such as [composition, focus]")
        if length < 1:
            raise ValueError(f"length {length}: a state of each aspect is needed at least")
        width = config.hidden
        self.length = length
        self.keys = nn.Linear(width, width)
        self.query = nn.Linear(width, width, bias=False)
        self.weight = nn.Linear(width, 1, bias=False)
        self.context_sums = nn.Linear(width, self.hidden_sums.out_features, bias=False)
        self.aspect_captioners = {aspect: NeuralTalk2(config, maxout) for aspect in aspects}
        self.members = nn.ModuleList(self.aspect_captioners.values()).requires_grad_(False)

    def train(self, mode: bool = True) -> "AspectFusion":
        """Set the mode of the fusing LSTM alone: the aspects' captioners have no dropout."""
        super().train(mode)
        self.members.eval()
        return self

    def forward(self, features: Tensor, tokens: Tensor) -> Tensor:
        """Score every next word; see `Captioner.forward`."""
        hidden, cell, *memory = self.start(features)
        outputs = []
        for sums in self.input_sums(self.words.read(tokens)).unbind(dim=1):
            hidden, cell = self._advance(sums + self._context(hidden, *memory), hidden, cell)
            outputs.append(hidden)
        return self.words.score(self._emit(torch.stack(outputs, dim=1)))

    def start(self, features: Tensor) -> State:
        """Decode each aspect's caption, and initialise the state from the image; see `Captioner.start`.

        Returns
        -------
        tuple of Tensor
            Hidden and cell state, (B, H) each; what is remembered and its keys, (B, N, H) each, where N is `length`
            times the number of aspects; and (B, N) whether there is anything in the place.
        """
        memory, there = self._remember(features)
        return *super().start(features), memory, self.keys(memory), there

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one word a row; see `Captioner.step`."""
        hidden, cell, *memory = state
        sums = self.input_sums(self.words.read(tokens)) + self._context(hidden, *memory)
        hidden, cell = self._advance(sums, hidden, cell)
        return self.words.log_probabilities(self._emit(hidden)), (hidden, cell, *memory)

    @torch.no_grad()
    def _remember(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Return the states of all aspects' captions, (B, N, H), and whether each caption had not ended before."""
        states, there = [], []
        for captioner in self.aspect_captioners.values():
            state = captioner.start(features)
            words = torch.full((len(features),), BOS, device=features.device)
            going = torch.ones_like(words, dtype=torch.bool)
            for _ in range(self.length):
                scores, state = captioner.step(words, state)
                states.append(state[0])
                there.append(going)
                scores[:, [PAD, BOS]] = -torch.inf
                words = scores.argmax(dim=1)
                going = going & (words != EOS)
        return torch.stack(states, dim=1), torch.stack(there, dim=1)

    def _context(self, hidden: Tensor, memory: Tensor, keys: Tensor, there: Tensor) -> Tensor:
        """Return the part of the sums that what is remembered adds, (B, 4 H) or (B, 5 H), given the last state."""
        scores = self.weight(torch.tanh(keys + self.query(hidden).unsqueeze(1)))
        weights = torch.softmax(scores.masked_fill(~there.unsqueeze(2), -torch.inf), dim=1)
        context: Tensor = self.context_sums((weights * memory).sum(dim=1))
        return context


def build(
    config: ModelConfig, *, aspects: Sequence[str] = (), length: int = LENGTH, maxout: bool = False
) -> AspectFusion:
    """Build the model; `aspects` has no default."""
    return AspectFusion(config, aspects, length, maxout)

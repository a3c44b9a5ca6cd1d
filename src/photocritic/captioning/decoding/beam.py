"""Decoding by the strategy asked for; beam search, and diverse beam search as beams that avoid each other's words."""

import math

import torch
from torch import Tensor

from photocritic.captioning.captioner import Captioner, State
from photocritic.captioning.decoding.choice import Decoded, constrain, first_max, stable_top
from photocritic.captioning.decoding.walk import greedy, sample
from photocritic.captioning.vocabulary import BOS, EOS, PAD
from photocritic.config import Decoding


@torch.no_grad()
def decode(
    model: Captioner, features: Tensor, options: Decoding, *, seed: int = 0, keys: Tensor | None = None
) -> Decoded:
    """Decode captions of images.

    Parameters
    ----------
    model : Captioner
        In evaluation mode.
    features : Tensor
        (B, R, C) image features on the model's device.
    options : Decoding
        How.
    seed : int
        Of strategy `sample`.
    keys : Tensor, optional
        (B,) int64 number of each image, of strategy `sample`; see `sample`.

    Returns
    -------
    Decoded
        K is the number of groups for a diverse search, the best caption first, and 1 otherwise.
    """
    if options.strategy == "greedy":
        return greedy(model, features, options)
    if options.strategy == "sample":
        return sample(model, features, options, seed=seed, keys=keys)
    return search(model, features, options)


@torch.no_grad()
def search(model: Captioner, features: Tensor, options: Decoding) -> Decoded:
    """Follow the likeliest beginnings of a caption at once, in one beam or in several groups.

    A step keeps the `beam` likeliest continuations; those that end are finished and leave the beam to the likeliest
    that do not. A beam is done when no beginning can still beat its best finished caption, so that one as wide as the
    number of possible captions finds the exact optimum. A caption's rank is log p / (words + 1)^length_penalty.

    Under the strategy `diverse`, groups choose one after another at each step, and a word that earlier groups have
    just chosen loses `diversity` for each time. The loss counts in the choice of that step alone.

    Parameters
    ----------
    model, features, options
        See `decode`.

    Returns
    -------
    Decoded
        The best caption of each group, by falling rank. Among equally likely continuations the beginning with the
        higher rank, then the word with the lower number, comes first.

    References
    ----------
    Wu et al. 2016, Google's Neural Machine Translation System, section 7 (length normalisation, Eq. 14, without its
    constant and coverage). Vijayakumar et al. 2018, Diverse Beam Search, Algorithm 1 with Hamming diversity.
    """
    beams = _Beams(len(features), options, features.device)
    state = model.start(features)
    own = (True,) * len(state)
    for words in range(options.max_length + 1):
        scores, after = model.step(beams.last, state)
        own = tuple(was and new is old for was, old, new in zip(own, state, after, strict=True))
        rows = beams.advance(scores, words)
        left = beams.leave()
        if not len(left):
            break
        moved = words == 0 or len(left) < len(rows)
        state = _follow(after, rows[left].reshape(-1), own, moved)
    return beams.result()


def _follow(state: State, rows: Tensor, own: tuple[bool, ...], moved: bool) -> State:
    """Pick the rows that the beams go on from.

    What every step has handed through untouched, such as the image's regions, is the image's `own` and the same for all
    its beginnings. It stays as it is unless rows have `moved` from one image to another: regions are most of a state.
    """
    return tuple(
        part if kept and not moved else part.index_select(0, rows) for kept, part in zip(own, state, strict=True)
    )


class _Beams:
    """The beams of all images, of which those that are not done have rows in the model.

    Rows go by image, group and beginning. Before the first word one row stands for all beginnings, which are the same.
    """

    def __init__(self, images: int, options: Decoding, device: torch.device) -> None:
        self.options = options
        self.groups = options.groups if options.strategy == "diverse" else 1
        length = options.max_length
        self.images = torch.arange(images, device=device)  # those that are not done: what follows is about them
        self.last = torch.full((images,), BOS, device=device)
        self.tokens = torch.full((images, self.groups, 1, length), PAD, device=device)
        self.logprob = torch.zeros(images, self.groups, 1, device=device)
        self.best_tokens = torch.full((images, self.groups, length), PAD, device=device)  # from here on about all
        self.best_logprob = torch.full((images, self.groups), -torch.inf, device=device)
        self.best_rank = torch.full((images, self.groups), -torch.inf, device=device)

    def advance(self, scores: Tensor, words: int) -> Tensor:
        """Take a step with (rows, V) scores after so many words.

        Returns the rows that the new beginnings go on from, (images, groups * beam).
        """
        images, _, beginnings = self.logprob.shape
        vocabulary = scores.shape[1]
        total = self.logprob[..., None] + scores.view(images, -1, beginnings, vocabulary)
        constrain(total.view(-1, vocabulary), self.tokens.view(-1, self.tokens.shape[-1]), words, self.options)
        best, index = self._choose(total)
        best, parent, token = self._retire(best, index // vocabulary, index % vocabulary, words)
        self.logprob, parent, self.last = (part[..., : self.options.beam] for part in (best, parent, token))
        self.tokens = self.tokens.gather(2, parent[..., None].expand(-1, -1, -1, self.tokens.shape[-1]))
        if words < self.options.max_length:
            self.tokens[..., words] = self.last
        rows = torch.arange(len(scores), device=scores.device).view(images, -1, beginnings)[:, :, :1]
        return (rows + parent).flatten(1)

    def _retire(self, best: Tensor, parent: Tensor, token: Tensor, words: int) -> tuple[Tensor, Tensor, Tensor]:
        """Take what ends out of the (images, groups, 2 * beam) continuations: it goes behind the others, impossible."""
        ended = token == EOS
        if not bool(ended.any()):
            return best, parent, token
        self._finish(best.masked_fill(~ended, -torch.inf)[..., : self.options.beam], parent, words)
        order = ended.to(torch.int8).argsort(dim=2, stable=True)
        return best.masked_fill(ended, -torch.inf).gather(2, order), parent.gather(2, order), token.gather(2, order)

    def _choose(self, total: Tensor) -> tuple[Tensor, Tensor]:
        """Return each group's likeliest continuations and their places in its (beginnings, V).

        Both are (images, groups, 2 * beam): at most `beam` are ends, so that as many are left to go on.
        """
        width = 2 * self.options.beam
        if self.groups == 1:
            best, index = stable_top(total.flatten(1), width)
            return best[:, None], index[:, None]
        index = self._choose_in_turn(total, width)
        return total.flatten(2).gather(2, index), index

    def _choose_in_turn(self, total: Tensor, width: int) -> Tensor:
        taken = total.new_zeros(len(total), 1, total.shape[-1])
        chosen = []
        for group in total.unbind(dim=1):
            value, index = stable_top((group - self.options.diversity * taken).flatten(1), width)
            chosen.append(index)
            value, token = value[:, None, : self.options.beam], index[:, None, : self.options.beam] % taken.shape[-1]
            taken.scatter_add_(2, token, (value > -torch.inf).to(taken.dtype))
        return torch.stack(chosen, dim=1)

    def _finish(self, ended: Tensor, parent: Tensor, words: int) -> None:
        """Keep the best of the (images, groups, beam) captions that end now, where it is the best so far."""
        logprob, place = first_max(ended.flatten(0, 1))
        logprob, place = logprob.view(ended.shape[:2]), place.view(*ended.shape[:2], 1)
        rank = self._rank(logprob, words)
        image, group = (rank > self.best_rank[self.images]).nonzero(as_tuple=True)
        owner = self.images[image]
        source = parent.gather(2, place)[image, group, 0]
        self.best_tokens[owner, group] = self.tokens[image, group, source]
        self.best_logprob[owner, group] = logprob[image, group]
        self.best_rank[owner, group] = rank[image, group]

    def leave(self) -> Tensor:
        """Drop images where no beginning can beat the best caption, however long it grows; return what stays."""
        longest = self._rank(self.logprob.amax(dim=2), self.options.max_length)
        left = (longest > self.best_rank[self.images]).any(dim=1).nonzero()[:, 0]
        if len(left) < len(self.images):
            self.images, self.tokens, self.logprob = self.images[left], self.tokens[left], self.logprob[left]
            self.last = self.last[left]
        self.last = self.last.reshape(-1)
        return left

    def result(self) -> Decoded:
        """Return each group's best caption, the best of all first."""
        order = self.best_rank.argsort(dim=1, descending=True, stable=True)
        tokens = self.best_tokens.gather(1, order[..., None].expand_as(self.best_tokens))
        return Decoded(tokens, self.best_logprob.gather(1, order))

    def _rank(self, logprob: Tensor, words: int) -> Tensor:
        return logprob / math.pow(words + 1, self.options.length_penalty)

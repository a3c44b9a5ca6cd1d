"""Greedy and beam search, over many images at once."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from photocritic.captioning.models import Captioner, reorder
from photocritic.captioning.vocabulary import BOS, EOS, PAD, UNK


@dataclass(frozen=True)
class Decoded:
    """One caption an image.

    Attributes
    ----------
    tokens : Tensor
        (B, L) int64 words without `BOS` and `EOS`, filled up with `PAD`.
    logprobs : Tensor
        (B,) float32 log-probability of the whole caption, its `EOS` included.
    """

    tokens: Tensor
    logprobs: Tensor


def _allowed(scores: Tensor, words: int, max_length: int) -> Tensor:
    """Forbid what is no word, an end before the first word, and any word after the last."""
    scores = scores.clone()
    if words == max_length:
        end = scores[:, EOS].clone()
        scores.fill_(-torch.inf)
        scores[:, EOS] = end
        return scores
    scores[:, [PAD, BOS, UNK]] = -torch.inf
    if words == 0:
        scores[:, EOS] = -torch.inf
    return scores


@torch.inference_mode()
def greedy(model: Captioner, features: Tensor, max_length: int = 20) -> Decoded:
    """Say the likeliest word at every step.

    Parameters
    ----------
    model : Captioner
        In evaluation mode.
    features : Tensor
        (B, R, C) image features on the model's device.
    max_length : int
        Words in a caption, at most; at least one is said.

    Returns
    -------
    Decoded
        The captions. Among equally likely words the one with the lowest number is said.
    """
    batch = len(features)
    state = model.start(features)
    token = torch.full((batch,), BOS, device=features.device)
    tokens = torch.full((batch, max_length), PAD, device=features.device)
    total = torch.zeros(batch, device=features.device)
    done = torch.zeros(batch, dtype=torch.bool, device=features.device)
    for words in range(max_length + 1):
        scores, state = model.step(token, state)
        best, token = _first_max(_allowed(scores, words, max_length))
        total += best.masked_fill(done, 0.0)
        done |= token == EOS
        if bool(done.all()):
            break
        tokens[:, words] = token.masked_fill(done, PAD)
    return Decoded(tokens, total)


@torch.inference_mode()
def beam_search(
    model: Captioner, features: Tensor, beam: int = 3, max_length: int = 20, length_penalty: float = 0.0
) -> Decoded:
    """Follow the `beam` likeliest beginnings of a caption at once.

    A step keeps the `beam` likeliest continuations; those that end are finished and leave the beam to the likeliest
    that do not. An image is done when no beginning can still beat its best finished caption, so that a beam as wide as
    the number of possible captions finds the exact optimum. A beam of one without length penalty is `greedy`.

    Parameters
    ----------
    model, features, max_length
        As in `greedy`.
    beam : int
        Beginnings kept for each image.
    length_penalty : float
        Exponent a of the length in a caption's rank, log p / (words + 1)^a; 0 ranks by probability alone, which
        favours short captions.

    Returns
    -------
    Decoded
        The best caption found for each image. Among equally likely continuations the beginning with the higher rank,
        then the word with the lower number, comes first.

    References
    ----------
    Wu et al. 2016, Google's Neural Machine Translation System, section 7 (length normalisation, Eq. 14, without its
    constant and coverage).
    """
    search = _Search(len(features), beam, max_length, length_penalty, features.device)
    state = reorder(model.start(features), search.origin)
    for words in range(max_length + 1):
        scores, state = model.step(search.last, state)
        rows = search.advance(_allowed(scores, words, max_length), words)
        if search.is_done():
            break
        state = reorder(state, rows)
    return Decoded(search.best_tokens, search.best_logprob)


class _Search:
    """The beams of a batch: row b * beam + k is the k-th likeliest beginning for image b."""

    def __init__(self, batch: int, beam: int, max_length: int, penalty: float, device: torch.device) -> None:
        self.batch, self.beam, self.max_length, self.penalty = batch, beam, max_length, penalty
        self.origin = torch.arange(batch, device=device).repeat_interleave(beam)
        self.last = torch.full((batch * beam,), BOS, device=device)
        self.tokens = torch.full((batch, beam, max_length), PAD, device=device)
        self.logprob = torch.full((batch, beam), -torch.inf, device=device)
        self.logprob[:, 0] = 0.0  # all beginnings are the same before the first word
        self.best_tokens = torch.full((batch, max_length), PAD, device=device)
        self.best_logprob = torch.full((batch,), -torch.inf, device=device)
        self.best_rank = torch.full((batch,), -torch.inf, device=device)

    def advance(self, scores: Tensor, words: int) -> Tensor:
        """Take one step with (B * beam, V) scores after so many words; give the rows that the new beam goes on from."""
        vocabulary = scores.shape[1]
        total = (self.logprob.reshape(-1, 1) + scores).reshape(self.batch, -1)
        width = min(2 * self.beam, total.shape[1])  # at most `beam` of these can be ends
        best, index = _stable_top(total, width)
        parent, token = index // vocabulary, index % vocabulary
        ended = token == EOS
        self._finish(best.masked_fill(~ended, -torch.inf)[:, : self.beam], parent, words)
        order = ended.to(torch.int8).argsort(dim=1, stable=True)[:, : self.beam]
        live = best.masked_fill(ended, -torch.inf).gather(1, order)
        return self._continue(live, parent.gather(1, order), token.gather(1, order), words)

    def _finish(self, ended: Tensor, parent: Tensor, words: int) -> None:
        logprob, place = _first_max(ended)
        rank = self._rank(logprob, words)
        better = rank > self.best_rank
        rows = torch.arange(self.batch, device=better.device)
        finished = self.tokens[rows, parent[rows, place]]
        self.best_tokens = torch.where(better[:, None], finished, self.best_tokens)
        self.best_logprob = torch.where(better, logprob, self.best_logprob)
        self.best_rank = torch.where(better, rank, self.best_rank)

    def _continue(self, logprob: Tensor, parent: Tensor, token: Tensor, words: int) -> Tensor:
        missing = self.beam - logprob.shape[1]  # a vocabulary smaller than the beam
        if missing > 0:
            logprob = torch.nn.functional.pad(logprob, (0, missing), value=-torch.inf)
            parent, token = (torch.nn.functional.pad(part, (0, missing)) for part in (parent, token))
        self.logprob = logprob
        self.tokens = self.tokens.gather(1, parent[:, :, None].expand_as(self.tokens))
        if words < self.max_length:
            self.tokens[:, :, words] = token
        self.last = token.reshape(-1)
        first = torch.arange(self.batch, device=token.device)[:, None] * self.beam
        return (first + parent).reshape(-1)

    def is_done(self) -> bool:
        """Tell whether no beginning can still beat its image's best caption, however long it grows."""
        longest = self._rank(self.logprob.max(dim=1).values, self.max_length)
        return bool((longest <= self.best_rank).all())

    def _rank(self, logprob: Tensor, words: int) -> Tensor:
        return logprob / math.pow(words + 1, self.penalty)


def _first_max(scores: Tensor) -> tuple[Tensor, Tensor]:
    """Give each row's maximum and where it stands first, which torch.max leaves open."""
    values = scores.max(dim=1, keepdim=True).values
    first = (scores == values).to(torch.int8).argmax(dim=1)
    return values[:, 0], first


def _stable_top(scores: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Give each row's largest scores and their places, equal ones by place; torch.topk leaves that order open."""
    values, places = scores.topk(count, dim=1)
    threshold = values[:, -1:]
    if bool(((scores >= threshold).sum(dim=1) > count).any()):  # a tie at the edge: take the first of the equals
        above, level = scores > threshold, scores == threshold
        spare = count - above.sum(dim=1, keepdim=True)
        taken = above | (level & (level.cumsum(dim=1) <= spare))
        places = taken.nonzero()[:, 1].reshape(len(scores), count)
    places = places.sort(dim=1).values
    values = scores.gather(1, places)
    order = values.argsort(dim=1, descending=True, stable=True)
    return values.gather(1, order), places.gather(1, order)

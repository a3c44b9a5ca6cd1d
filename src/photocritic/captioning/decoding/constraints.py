"""Which words may come next."""

import torch
from torch import Tensor

from photocritic.captioning.vocabulary import BOS, EOS, PAD, SPECIAL, UNK
from photocritic.config import Decoding


def constrain(scores: Tensor, tokens: Tensor, words: int, options: Decoding) -> Tensor:
    """Forbid, in place, what must not come next: non-words, an end too early, words too many, repeated n-grams.

    Parameters
    ----------
    scores : Tensor
        (N, V) log-probabilities; what is forbidden becomes minus infinity.
    tokens : Tensor
        (N, L) the words so far, of which the first `words` count.
    words : int
        Words said so far.
    options : Decoding
        `min_length`, `max_length`, `no_repeat_ngram`.

    Returns
    -------
    Tensor
        The scores. A caption that can go on with no word may end, even before `min_length`.
    """
    if words == options.max_length:
        scores[:, :EOS] = -torch.inf
        scores[:, EOS + 1 :] = -torch.inf
        return scores
    for number in (PAD, BOS, UNK):
        scores[:, number] = -torch.inf
    if options.no_repeat_ngram:
        _block_ngrams(scores, tokens[:, :words], options.no_repeat_ngram)
    if words < options.min_length:
        stuck = scores[:, len(SPECIAL) :].amax(dim=1) == -torch.inf
        scores[:, EOS] = scores[:, EOS].masked_fill(~stuck, -torch.inf)
    return scores


def _block_ngrams(scores: Tensor, tokens: Tensor, size: int) -> None:
    """Forbid each word that would complete an n-gram of (N, words) tokens once more (Paulus et al. 2018, 2.5)."""
    words = tokens.shape[1]
    if words < size:
        return
    earlier = tokens.unfold(1, size, 1)
    again = (earlier[:, :, :-1] == tokens[:, None, words - size + 1 :]).all(dim=2)
    scores.scatter_(1, torch.where(again, earlier[:, :, -1], PAD), -torch.inf)  # PAD is forbidden anyway

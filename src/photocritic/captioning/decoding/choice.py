"""The choice of the next word: which ones are allowed, which are the best, and what the choices come to in the end.

Among equals the first comes first, on any device and in any batch.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from photocritic.captioning.vocabulary import BOS, EOS, PAD, SPECIAL, UNK
from photocritic.config import Decoding

CHUNK = 64  # scores of which only the maximum is looked at first


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


def constrain(scores: Tensor, tokens: Tensor, words: int, options: Decoding) -> Tensor:
    """Forbid, in place, what must not come next: non-words, an end too early, words too many, repeated n-grams.

    Parameters
    ----------
    scores : Tensor
        (N, V) log-probabilities; what is forbidden becomes minus infinity.
    tokens : Tensor
        (N, L) the words so far, of which the first `words` count.
    words : int
        Words so far.
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


def first_max(scores: Tensor) -> tuple[Tensor, Tensor]:
    """Return each row's maximum and where it stands first, which torch.max leaves open; (N, V) to (N,) and (N,)."""
    values = scores.amax(dim=1, keepdim=True)
    return values[:, 0], (scores == values).to(torch.int8).argmax(dim=1)


def stable_top(scores: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Return each row's largest scores and their places, equal ones by place; torch.topk leaves that order open.

    Parameters
    ----------
    scores : Tensor
        (N, V) scores; minus infinity is no choice at all, so that the order of such places means nothing.
    count : int
        How many; where V is less, the rest is minus infinity at place 0.

    Returns
    -------
    (Tensor, Tensor)
        (N, count) scores by falling size, and their places.
    """
    width = min(count, scores.shape[1])
    values, places = _top(scores, min(count + 1, scores.shape[1]))
    if bool(((values[:, 1:] == values[:, :-1]) & (values[:, 1:] > -torch.inf)).any()):
        values, places = _first_of_equals(scores, values[:, width - 1 : width], width)
    values, places = values[:, :width], places[:, :width]
    if width < count:
        values = torch.nn.functional.pad(values, (0, count - width), value=-torch.inf)
        places = torch.nn.functional.pad(places, (0, count - width))
    return values, places


def _top(scores: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Compute what torch.topk does, in a fraction of its time where there are many scores.

    The `count` largest scores stand in the `count` chunks with the largest maxima, or in what is left beside chunks.
    """
    chunks = scores.shape[1] // CHUNK
    if chunks < 2 * count:
        return scores.topk(count, dim=1)
    whole = scores[:, : chunks * CHUNK].view(len(scores), chunks, CHUNK)
    first = whole.amax(dim=2).topk(count, dim=1).indices * CHUNK
    inside = torch.arange(CHUNK, device=scores.device)
    beside = torch.arange(chunks * CHUNK, scores.shape[1], device=scores.device).expand(len(scores), -1)
    places = torch.cat([(first[..., None] + inside).flatten(1), beside], dim=1)
    values, found = scores.gather(1, places).topk(count, dim=1)
    return values, places.gather(1, found)


def _first_of_equals(scores: Tensor, least: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Return the `count` largest scores in a stable order, where (N, 1) `least` is the smallest of them."""
    above, level = scores > least, scores == least
    spare = count - above.sum(dim=1, keepdim=True)
    taken = above | (level & (level.cumsum(dim=1) <= spare))
    places = taken.nonzero()[:, 1].reshape(len(scores), count)
    values, order = scores.gather(1, places).sort(dim=1, descending=True, stable=True)
    return values, places.gather(1, order)

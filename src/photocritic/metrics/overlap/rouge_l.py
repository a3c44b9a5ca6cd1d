"""ROUGE-L (Lin 2004): the longest common subsequence of a caption and its references."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from photocritic.metrics.metric import Captions, Column, Floats, Metric, References, Scores
from photocritic.metrics.ngrams import Coded, Ints

BETA = 1.2  # weight of recall against precision, as in the COCO caption evaluation
_CELLS = 1 << 21  # size of one matrix of the dynamic programme; bounds the memory


class RougeL(Metric):
    """F-measure of the best precision and the best recall over an image's references.

    Precision and recall may come from different references, as in `pycocoevalcap.rouge.Rouge`, whose values these
    equal; like there, a caption without words counts as one empty word.

    References
    ----------
    Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries, Eq. 2-4.
    """

    label = "ROUGE-L"
    place = 3
    columns: ClassVar = {"rouge_l": Column(label, "longest common subsequence, F-measure with beta 1.2")}

    def _score(self, candidates: Captions, references: References) -> Scores:
        mine = candidates.against(references).coded
        theirs = references.index.coded
        common = _common_subsequence(mine, theirs, references.image)
        both_empty = (mine.lengths[references.image] == 0) & (theirs.lengths == 0)
        common = np.where(both_empty, 1, common)
        precision, recall = np.zeros(len(references)), np.zeros(len(references))
        np.maximum.at(precision, references.image, common / np.maximum(mine.lengths[references.image], 1))
        np.maximum.at(recall, references.image, common / np.maximum(theirs.lengths, 1))
        below = recall + BETA**2 * precision
        values: Floats = (1 + BETA**2) * precision * recall / np.where(below > 0, below, 1.0)
        return Scores.mean("rouge_l", values)


def _common_subsequence(mine: Coded, theirs: Coded, image: Ints) -> Ints:
    """Return the length of the longest common subsequence of each reference and its image's caption."""
    result = np.zeros(len(image), dtype=np.int64)
    by_length = np.argsort(theirs.lengths, kind="stable")[::-1]
    start = 0
    while start < len(by_length):
        longest = int(theirs.lengths[by_length[start]])
        some = by_length[start : start + max(1, _CELLS // (longest + 1))]
        result[some] = _columns(theirs.padded(some, -1), mine.padded(image[some], -2))
        start += len(some)
    return result


def _columns(left: NDArray[np.int32], right: NDArray[np.int32]) -> Ints:
    """Run the dynamic programme on the columns of two matrices of words, one row of `right` at a time."""
    narrow = np.int16 if len(left) < np.iinfo(np.int16).max else np.int32  # memory traffic is what costs here
    best = np.zeros((len(left) + 1, left.shape[1]), dtype=narrow)
    for word in right:
        extended = best[:-1] + (left == word)
        np.maximum(best[1:], extended, out=best[1:])
        np.maximum.accumulate(best, axis=0, out=best)
    length: Ints = best[-1].astype(np.int64)
    return length

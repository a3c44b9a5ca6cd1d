"""CIDEr (Vedantam et al. 2015, Eq. 3): the plain one, without clipping or length penalty."""

from typing import ClassVar

from photocritic.metrics.consensus import similarity
from photocritic.metrics.metric import Captions, Column, Metric, References, Scores


class Cider(Metric):
    """Mean cosine similarity of TF-IDF n-gram vectors, times ten; between 0 and 10.

    This is not the number that the COCO caption evaluation and most papers print as "CIDEr": that one is CIDEr-D,
    see `photocritic.metrics.overlap.cider_d`. Words are not stemmed, as in the authors' implementation.

    References
    ----------
    Vedantam et al. 2015, CIDEr: Consensus-based Image Description Evaluation, Eq. 1-3.
    """

    label = "CIDEr"
    place = 4
    columns: ClassVar = {
        "cider": Column(label, "plain CIDEr (Eq. 3 of its paper, times ten): no clipping, no length penalty")
    }

    def _score(self, candidates: Captions, references: References) -> Scores:
        return Scores.mean("cider", similarity(candidates, references, clip=False, sigma=None))

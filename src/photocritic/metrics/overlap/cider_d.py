"""CIDEr-D (Vedantam et al. 2015, section 6): CIDEr made hard to game; what most papers print as CIDEr."""

from typing import ClassVar

from photocritic.metrics.consensus import similarity
from photocritic.metrics.metric import Captions, Column, Metric, References, Scores

SIGMA = 6.0  # words; width of the length penalty in the paper and in the COCO caption evaluation


class CiderD(Metric):
    """CIDEr with clipped n-grams and a Gaussian penalty on the difference of lengths, times ten; between 0 and 10.

    Equals `pycocoevalcap.cider.Cider`, which is called CIDEr there but clips and penalises: it is CIDEr-D. The
    "CIDEr" of papers that use the COCO caption evaluation, AIC's Table 1 among them, is this number.

    References
    ----------
    Vedantam et al. 2015, CIDEr: Consensus-based Image Description Evaluation, section 6.
    """

    label = "CIDEr-D"
    place = 5
    columns: ClassVar = {
        "cider_d": Column(label, "CIDEr-D; what the COCO caption evaluation and most papers print as CIDEr")
    }

    def _score(self, candidates: Captions, references: References) -> Scores:
        return Scores.mean("cider_d", similarity(candidates, references, clip=True, sigma=SIGMA))

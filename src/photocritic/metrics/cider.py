"""CIDEr (Vedantam et al. 2015, Eq. 3): the plain one, without clipping or length penalty."""

from photocritic.metrics.consensus import similarity
from photocritic.metrics.contract import Captions, References, Scores


class Cider:
    """Mean cosine similarity of TF-IDF n-gram vectors, times ten.

    This is not the number that the COCO caption evaluation and most papers print as "CIDEr": that one is CIDEr-D,
    see `photocritic.metrics.cider_d`. Words are not stemmed, as in the authors' implementation.

    References
    ----------
    Vedantam et al. 2015, CIDEr: Consensus-based Image Description Evaluation, Eq. 1-3.
    """

    keys = ("cider",)

    def score(self, candidates: Captions, references: References) -> Scores:
        """Score captions.

        Parameters
        ----------
        candidates : Captions
            One an image.
        references : References
            Of the same images.

        Returns
        -------
        Scores
            Key cider, between 0 and 10.
        """
        return Scores.mean(self.keys[0], similarity(candidates, references, clip=False, sigma=None))

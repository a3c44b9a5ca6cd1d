"""SPICE (Anderson et al. 2016) and SPICE-1: what a caption says, compared as tuples of its scene graph."""

from importlib.util import find_spec
from typing import ClassVar

import numpy as np

from photocritic.metrics import java, spice_jars
from photocritic.metrics.metric import Captions, Column, Metric, References, Scores
from photocritic.metrics.scene_graphs import JAR, Agreement, SceneGraphs


class Spice(Metric):
    """F-measure of a caption's tuples against those of its references, with precision and recall.

    Keys spice, spice_precision and spice_recall compare with the one scene graph of all references of an image, as
    `pycocoevalcap.spice.Spice` does. Keys spice_1, spice_1_precision and spice_1_recall compare with each reference
    alone and take the one with the highest F-measure, the first of equals; AIC's tables call them S-1, P and R. Corpus
    values are means over images.

    References
    ----------
    Anderson et al. 2016, SPICE: Semantic Propositional Image Caption Evaluation, Eq. 2-4; AIC section 6.3.1 for
    SPICE-1, after Chang et al. 2017, Aesthetic Critiques Generation for Photos.
    """

    label = "SPICE"
    place = 6
    columns: ClassVar = {
        "spice": Column(
            label, "F-measure of objects, attributes and relations, against those of all references together"
        ),
        "spice_precision": Column(
            "SPICE precision", "share of the caption's tuples that the references have too", headline=False
        ),
        "spice_recall": Column(
            "SPICE recall", "share of the references' tuples that the caption has too", headline=False
        ),
        "spice_1": Column("SPICE-1", "SPICE against each reference alone, the best of an image (AIC Table 1, S-1)"),
        "spice_1_precision": Column(
            "SPICE-1 precision", "precision against that best reference (AIC Table 1 b, P)", headline=False
        ),
        "spice_1_recall": Column(
            "SPICE-1 recall", "recall against that best reference (AIC Table 1 b, R)", headline=False
        ),
    }

    @classmethod
    def missing(cls) -> str:
        """Return what has to be installed: Java, pycocoevalcap and JPype1, then the two jars."""
        if find_spec("jpype") is None or java.missing(JAR):
            return java.EXTRA
        return "" if spice_jars.present() else "make spice"

    def __init__(self) -> None:
        self._graphs: SceneGraphs | None = None

    def _score(self, candidates: Captions, references: References) -> Scores:
        if self._graphs is None:
            self._graphs = SceneGraphs()
        self._graphs.learn(words for some in references.captions for words in some)
        self._graphs.learn(candidates.tokens)
        rows = []
        for caption, some in zip(candidates.tokens, references.captions, strict=True):
            whole = self._graphs.compare(caption, some)
            best = max((self._graphs.compare(caption, [one]) for one in some), key=lambda alone: alone.f)
            rows.append([*_numbers(whole), *_numbers(best)])
        columns = np.array(rows, dtype=np.float64).reshape(-1, len(self.columns)).T
        images = dict(zip(self.columns, columns, strict=True))
        return Scores({key: float(values.mean()) if len(values) else 0.0 for key, values in images.items()}, images)

    def close(self) -> None:
        """Drop the scene graphs; Java itself ends with this process."""
        if self._graphs is not None:
            self._graphs.forget()
            self._graphs = None


def _numbers(agreement: Agreement) -> tuple[float, float, float]:
    return agreement.f, agreement.precision, agreement.recall

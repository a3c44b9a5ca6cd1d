"""Penn Treebank tags and the four coarse classes that filters ask for."""

from typing import Literal

Coarse = Literal["NOUN", "ADJ", "ADV", "OTHER"]

# Common nouns only: AIC's unigrams are NN and NNS; a proper name tells nothing about a photograph's aesthetics.
_COARSE: dict[str, Coarse] = {
    "NN": "NOUN", "NNS": "NOUN",
    "JJ": "ADJ", "JJR": "ADJ", "JJS": "ADJ",
    "RB": "ADV", "RBR": "ADV", "RBS": "ADV",
}  # fmt: skip


def coarse(tag: str) -> Coarse:
    """Give the class of a Penn Treebank tag: NOUN (common), ADJ, ADV or OTHER."""
    return _COARSE.get(tag, "OTHER")

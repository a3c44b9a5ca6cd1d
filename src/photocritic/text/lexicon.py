"""The English words that the bundled pipeline was trained on."""

from functools import cache
from pathlib import Path

from photocritic.text.folder import BUNDLED
from photocritic.text.stopwords import STOPWORDS

_FILE = "lexicon.txt"
_NOT_WORDS = ("NNP", "FW", "ADD", "GW", "SYM", "LS", "AFX", "NFP")


@cache
def known_words(pipeline: Path | None = None) -> frozenset[str]:
    """Give lower-case English word forms: common words of web texts, without names, numbers and foreign words.

    Parameters
    ----------
    pipeline : Path, optional
        A pipeline's folder; the bundled one by default.
    """
    return frozenset(((pipeline or BUNDLED) / _FILE).read_text(encoding="utf-8").split()) | STOPWORDS


def write(words: list[tuple[str, str, str]], pipeline: Path) -> None:
    """Write the word forms of (form, tag, lemma) triples beside a pipeline."""
    english = [(form, lemma) for form, tag, lemma in words if lemma and not tag.startswith(_NOT_WORDS)]
    forms = {spelling.lower() for pair in english for spelling in pair if spelling.isalpha()}
    (pipeline / _FILE).write_text("\n".join(sorted(forms)) + "\n", encoding="utf-8")

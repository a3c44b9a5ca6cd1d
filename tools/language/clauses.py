"""Train where clauses begin without punctuation: python -m tools.language.clauses EWT_FOLDER PIPELINE_FOLDER."""

import argparse
import logging
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from photocritic.core import logs
from photocritic.text import FastTagger, Tagged
from photocritic.text.clauses import ClauseWeights, clause_starts, features_at

log = logging.getLogger(__name__)
_MARKS = re.compile(r"[^\w\s']+|_")
_LEAST_SEEN = 5  # times that a feature is seen
_STRENGTH = 0.25  # inverse of that of the L1 penalty: some 800 weights are left


def train(paragraphs: list[list[str]], tagger: FastTagger) -> ClauseWeights:
    """Train on paragraphs whose sentences are known; their punctuation and capitals are taken out.

    Parameters
    ----------
    paragraphs : list of list of str
        The sentences of each.
    tagger : FastTagger
        Tags what is left of them.
    """
    rows: list[tuple[str, ...]] = []
    begins: list[bool] = []
    for (words, tags, _), starts in without_marks(paragraphs, tagger):
        rows += [features_at(words, tags, place) for place in range(1, len(words))]
        begins += [place in starts for place in range(1, len(words))]
    seen = Counter(feature for row in rows for feature in row)
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform([{one: 1 for one in row if seen[one] >= _LEAST_SEEN} for row in rows])
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    model = LogisticRegression(C=_STRENGTH, l1_ratio=1, solver="liblinear", max_iter=300, random_state=7)
    model.fit(matrix, begins)
    weights: NDArray[np.float64] = np.round(model.coef_[0], 3)
    found = dict(zip(vectorizer.feature_names_, weights.tolist(), strict=True))
    return ClauseWeights(
        round(float(model.intercept_[0]), 3), {name: weight for name, weight in sorted(found.items()) if weight}
    )


def evaluate(paragraphs: list[list[str]], tagger: FastTagger, weights: ClauseWeights) -> dict[str, float]:
    """Measure how many of the beginnings of sentences, but for the first of a paragraph, are found."""
    hits = found = wanted = 0
    for tagged, starts in without_marks(paragraphs, tagger):
        places = clause_starts(tagged, weights)
        hits, found, wanted = hits + len(starts & set(places)), found + len(places), wanted + len(starts)
    return {"precision": hits / found, "recall": hits / wanted, "f1": 2 * hits / (found + wanted)}


def without_marks(paragraphs: list[list[str]], tagger: FastTagger) -> Iterator[tuple[Tagged, set[int]]]:
    """Yield each paragraph in lower case without punctuation, tagged, and the places where its sentences begin."""
    bare = [[sentence for one in some if (sentence := _bare(one))] for some in paragraphs]
    bare = [some for some in bare if some]
    for some, tagged in zip(bare, tagger.tag([" ".join(some) for some in bare]), strict=True):
        lengths = [len(sentence.replace(" ", "")) for sentence in some]
        begins = set(np.cumsum(lengths[:-1]).tolist())
        ends = np.cumsum([len(word) for word in tagged.words]).tolist()
        yield tagged, {place for place, end in enumerate(ends[:-1], 1) if end in begins}


def _bare(sentence: str) -> str:
    return " ".join(_MARKS.sub(" ", sentence.lower()).split())


def paragraphs(path: Path) -> list[list[str]]:
    """Read the sentences of each paragraph of a CoNLL-U file."""
    found: list[list[str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(("# newdoc", "# newpar")):
            found.append([])
        elif line.startswith("# text = "):
            found[-1].append(line.removeprefix("# text = "))
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run the command line, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path, help="folder with train.conllu and test.conllu")
    parser.add_argument("pipeline", type=Path, help="folder of the trained pipeline")
    options = parser.parse_args(arguments)
    logs.setup()
    tagger = FastTagger(options.pipeline)
    weights = train(paragraphs(options.corpus / "train.conllu"), tagger)
    weights.save(options.pipeline)
    found = evaluate(paragraphs(options.corpus / "test.conllu"), tagger, weights)
    for name, value in found.items():
        log.info("%s %.4f", name, value)
    return 0


if __name__ == "__main__":
    sys.exit(main())

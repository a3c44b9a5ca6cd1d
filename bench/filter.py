"""AIC's informativeness beside the straightforward way with NLTK, on the same comments in one run.

Usage: python -m bench.filter [--toy] [--comments N]

The comments are the COCO captions that the wheel of pycocoevalcap carries. The NLTK way tokenises, tags (with the same
weights), lemmatises and counts comment by comment in dictionaries, and keeps what scores 20. Ours does the same through
the filter stage, tables, gates and files included, on one core and then on all. How it grows is measured by
`python -m bench.scale`.
"""

import argparse
import json
import math
import os
import sys
import time
import zipfile
from collections import Counter
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import corpora
from bench.measuring import Row, Size, measured, table

THRESHOLD = 20.0
COMMENTS = 150_000  # that both ways judge
_CORES = {1, len(os.sched_getaffinity(0))}
SPLITS = ("train", "val")


def coco() -> list[tuple[str, str]]:
    """Yield image and text of all COCO captions."""
    found = []
    with zipfile.ZipFile(str(files("pycocoevalcap") / "spice" / "spice-1.0.jar")) as jar:
        for split in SPLITS:
            with jar.open(f"coco/annotations/captions_{split}2014.json") as stream:
                found += [(str(row["image_id"]), row["caption"]) for row in json.load(stream)["annotations"]]
    return [(image, text) for image, text in found if text.strip()]


def write(path: Path, comments: list[tuple[str, str]]) -> None:
    """Write a comments table."""
    import pyarrow as pa

    from photocritic import tables

    images, texts = zip(*comments, strict=True)
    blank = pa.nulls(len(texts), pa.string())
    columns = [
        pa.array([f"c{row}" for row in range(len(texts))]), pa.array(images), blank, pa.array(texts), blank,
        pa.array(["coco"] * len(texts)),
    ]  # fmt: skip
    tables.save("comments", path, pa.table(columns, tables.schema("comments").names))


def nltk_way(texts: list[str]) -> tuple[list[bool], float]:
    """Keep informative comments as one would with NLTK; return what is kept, and the seconds."""
    from nltk.tag.perceptron import PerceptronTagger
    from nltk.tokenize import NLTKWordTokenizer

    from photocritic.text import STOPWORDS, FastTagger, american
    from photocritic.text.lemmas import Lemmatizer
    from photocritic.text.words import BUNDLED

    weights, tagdict, classes = FastTagger().as_dicts()
    tagger = PerceptronTagger(load=False)
    tagger.model.weights, tagger.tagdict, tagger.classes = weights, tagdict, set(classes)
    tagger.model.classes = set(classes)
    lemma = Lemmatizer.load(BUNDLED)._lemma
    tokenizer = NLTKWordTokenizer()
    first, second = ("NN", "NNS", "JJ", "JJR", "JJS", "RB", "RBR", "RBS"), ("NN", "NNS", "JJ", "JJR", "JJS")
    began = time.perf_counter()
    counts: Counter[str] = Counter()
    totals: Counter[bool] = Counter()
    found = []
    for text in texts:
        tagged = tagger.tag(tokenizer.tokenize(text))
        content = [
            (american(lemma(word, tag)), tag)
            for word, tag in tagged
            if word.lower() not in STOPWORDS and any(letter.isalnum() for letter in word)
        ]
        ngrams = [word for word, tag in content if tag in {"NN", "NNS"}]
        ngrams += [f"{one}_{two}" for (one, a), (two, b) in pairwise(content) if a in first and b in second]
        counts.update(ngrams)
        totals.update("_" in ngram for ngram in ngrams)
        found.append(ngrams)
    kept = [
        -0.5 * sum(math.log(counts[ngram] / totals["_" in ngram]) for ngram in ngrams) >= THRESHOLD for ngrams in found
    ]
    return kept, time.perf_counter() - began


def our_way(folder: Path) -> None:
    """Run the filter stage in this process, on the cores that it may use; return the seconds."""
    import great_expectations.expectations  # noqa: F401 - what every stage pays once is not the filter's speed

    from photocritic.config import FilterParams, LanguageParams
    from photocritic.filtering.filter_comments import filter_comments

    began = time.perf_counter()
    filter_comments(
        folder / "comments.parquet", None, folder / "captions.parquet", folder / "ngrams.parquet",
        FilterParams(chain=["score"], threshold=THRESHOLD), LanguageParams(), folder / "work",
    )  # fmt: skip
    sys.stdout.write(f"{time.perf_counter() - began}\n")


def stage(folder: Path, cores: int) -> dict[str, float]:
    """Run `our_way` in a process of its own on some of the cores."""
    allowed = ",".join(map(str, sorted(os.sched_getaffinity(0))[:cores]))
    used = measured(["taskset", "-c", allowed, sys.executable, "-m", "bench.filter", "--stage", str(folder)])
    return {"seconds": float(used.output.splitlines()[-1]), "memory": used.memory}


def run(size: Size) -> list[Row]:
    """Compare both ways on COCO's captions, or on a few made comments."""
    if size == "toy":
        return compare([(image, text) for image, _, text in corpora.made(600, 60, seed=7)], {1})
    return compare(coco()[:COMMENTS], _CORES)


def compare(comments: list[tuple[str, str]], of_cores: set[int]) -> list[Row]:
    """Measure both speeds, their ratio, and how far the kept comments agree."""
    from photocritic import tables

    wanted, seconds = nltk_way([text for _, text in comments])
    rows = [Row("filter by NLTK, 1 core", len(comments) / seconds, "comments/s")]
    with TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "comments.parquet", comments)
        for cores in sorted(of_cores):
            found = stage(folder, cores)
            ratio = f"{seconds / found['seconds']:.1f} times NLTK; at most {found['memory']:.2f} GiB"
            rows.append(Row(f"filter, cores: {cores}", len(comments) / found["seconds"], "comments/s", ratio))
        kept = tables.load("captions", folder / "captions.parquet").column("kept").to_pylist()
    differ = sum(one != other for one, other in zip(kept, wanted, strict=True))
    against = f"kept {sum(kept):,}, NLTK {sum(wanted):,}"
    return [*rows, Row("filter: judged otherwise than by NLTK", 100 * differ / len(kept), "% of comments", against)]


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--toy", action="store_true", help="on as little as shows that it works")
    parser.add_argument("--comments", type=int, default=COMMENTS, help="how many comments both ways judge")
    parser.add_argument("--stage", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stage is not None:
        our_way(options.stage)
        return
    sys.stdout.write(table(run("toy") if options.toy else compare(coco()[: options.comments], _CORES)))


if __name__ == "__main__":
    main()

"""AIC's informativeness beside the straightforward way with NLTK, on the same comments in one run.

Usage: python bench/filter.py [--comments N] [--all]

The comments are the COCO captions that the wheel of pycocoevalcap carries. The NLTK way tokenises, tags (with the same
weights), lemmatises and counts comment by comment in dictionaries, and keeps what scores 20. Ours does the same through
the filter stage, tables, gates and files included, on one core and then on all. With --all the stage then runs over
all 616,767 captions and over twice as many, and tells the most memory that its processes had.
"""

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import time
import zipfile
from collections import Counter
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

THRESHOLD = 20.0
SPLITS = ("train", "val")


def coco() -> list[tuple[str, str]]:
    """Give image and text of all COCO captions."""
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
    tables.save("comments", path, pa.table(columns, tables.expected("comments", pa.schema([])).names))


def nltk_way(texts: list[str]) -> tuple[list[bool], float]:
    """Keep informative comments as one would with NLTK; gives what is kept, and the seconds."""
    from nltk.tag.perceptron import PerceptronTagger
    from nltk.tokenize import NLTKWordTokenizer

    from photocritic.language import STOPWORDS, FastTagger, american
    from photocritic.language.folder import BUNDLED
    from photocritic.language.lemmas import Lemmatizer

    weights, tagdict, classes = FastTagger().as_dicts()
    tagger = PerceptronTagger(load=False)
    tagger.model.weights, tagger.tagdict, tagger.classes = weights, tagdict, set(classes)
    tagger.model.classes = set(classes)
    lemma = Lemmatizer.read(BUNDLED)._lemma
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
    """Run the filter stage in this process, on the cores that it may use; tells seconds and the most memory."""
    import great_expectations.expectations  # noqa: F401 - what every stage pays once is not the filter's speed

    from photocritic.filtering.run import filter_comments
    from photocritic.params import FilterParams, LanguageParams

    began = time.perf_counter()
    filter_comments(
        folder / "comments.parquet", None, folder / "captions.parquet", folder / "ngrams.parquet",
        FilterParams(chain=["score"], threshold=THRESHOLD), LanguageParams(), folder / "work",
    )  # fmt: skip
    took = time.perf_counter() - began
    memory = [resource.getrusage(who).ru_maxrss / 2**20 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    sys.stdout.write(json.dumps({"seconds": took, "memory": max(memory)}) + "\n")


def measured(folder: Path, cores: int) -> dict[str, float]:
    """Run `our_way` in a process of its own on some of the cores."""
    allowed = ",".join(map(str, sorted(os.sched_getaffinity(0))[:cores]))
    command = ["taskset", "-c", allowed, sys.executable, __file__, "--stage", str(folder)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def compare(comments: list[tuple[str, str]], folder: Path) -> None:
    """Print both speeds, their ratio, and how far the kept comments agree."""
    from photocritic import tables

    write(folder / "comments.parquet", comments)
    wanted, seconds = nltk_way([text for _, text in comments])
    say(f"NLTK                 {len(comments) / seconds:10,.0f} comments/s")
    for cores in sorted({1, len(os.sched_getaffinity(0))}):
        run = measured(folder, cores)
        say(
            f"photocritic, {cores} core{'s' * (cores > 1):<1} {len(comments) / run['seconds']:12,.0f} comments/s"
            f"   {seconds / run['seconds']:5.1f} times NLTK   {run['memory']:.2f} GiB"
        )
    kept = tables.load("captions", folder / "captions.parquet").column("kept").to_pylist()
    differ = sum(one != other for one, other in zip(kept, wanted, strict=True))
    say(f"kept {sum(kept):,} and {sum(wanted):,}; {differ / len(kept):.2%} of the comments are judged otherwise")


def scale(comments: list[tuple[str, str]], folder: Path) -> None:
    """Print speed and memory on the whole corpus, and on twice as many comments."""
    for times in (1, 2):
        write(folder / "comments.parquet", comments * times)
        run = measured(folder, len(os.sched_getaffinity(0)))
        count = len(comments) * times
        say(f"{count:,} comments: {count / run['seconds']:,.0f} comments/s, at most {run['memory']:.2f} GiB a process")


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--comments", type=int, default=150_000, help="how many comments both ways judge")
    parser.add_argument("--all", action="store_true", help="then all captions, and twice as many")
    parser.add_argument("--stage", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stage is not None:
        our_way(options.stage)
        return
    comments = coco()
    with TemporaryDirectory() as folder:
        compare(comments[: options.comments], Path(folder))
        if options.all:
            scale(comments, Path(folder))


if __name__ == "__main__":
    main()

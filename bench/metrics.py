"""Caption metrics against pycocoevalcap: one caption of each image against its others, timed in one run.

Usage: python -m bench.metrics [--toy] [--images N] [captions.csv]

The CSV has the columns image and caption. Without one, the captions are those of COCO that pycocoevalcap's wheel
carries. Times are of the processor, Java's included, so that whatever else the machine does matters little.
"""

import argparse
import csv
import json
import os
import resource
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.meteor.meteor import Meteor
from pycocoevalcap.rouge.rouge import Rouge

from bench.measuring import Row, Size, table
from photocritic.metrics import Captions, References, Suite, diversity, java, missing, score
from photocritic.text import caption_tokens

NAMES = ["bleu", "rouge_l", "cider_d"]
IMAGES = 5000
VARIANTS = 3  # captioners that are compared, as AIC does
GENERATED = 9362  # captions whose diversity is measured, as many as AIC's validation images
Words = list[list[list[str]]]


def read(path: Path | None, images: int) -> Words:
    """Return the words of the captions of so many images that have five."""
    found: dict[str, list[str]] = {}
    for image, caption in _rows(path):
        found.setdefault(image, []).append(caption)
    return [list(map(caption_tokens, some)) for some in found.values() if len(some) >= 5][:images]


def _rows(path: Path | None) -> list[tuple[str, str]]:
    if path is not None:
        with path.open(encoding="utf-8", newline="") as stream:
            return [(row["image"], row["caption"]) for row in csv.DictReader(stream)]
    with zipfile.ZipFile(java.programs("spice/spice-1.0.jar")[0]) as jar:
        annotations = json.loads(jar.read("coco/annotations/captions_val2014.json"))["annotations"]
    return [(str(row["image_id"]), row["caption"]) for row in annotations]


def texts(candidates: Sequence[list[str]], references: Words) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """Write references and captions as pycocoevalcap takes them."""
    return (
        {number: [" ".join(words) for words in some] for number, some in enumerate(references)},
        {number: [" ".join(words)] for number, words in enumerate(candidates)},
    )


def reference(candidates: Sequence[list[str]], references: Words) -> dict[str, float]:
    """Score with pycocoevalcap."""
    pair = texts(candidates, references)
    bleu = Bleu(4).compute_score(*pair, verbose=0)[0]
    values = dict(zip([f"bleu_{order}" for order in range(1, 5)], bleu, strict=True))
    values["rouge_l"] = float(Rouge().compute_score(*pair)[0])
    values["cider_d"] = float(Cider().compute_score(*pair)[0])
    return values


def reference_meteor(variants: Sequence[list[list[str]]], references: Words) -> list[float]:
    """Score each variant with METEOR as pycocoevalcap does: a process each, ended as the object is."""
    found = []
    for candidates in variants:
        meteor = Meteor()
        found.append(float(meteor.compute_score(*texts(candidates, references))[0]))
        meteor.meteor_p.communicate()  # counts its processor time in
    return found


def our_meteor(variants: Sequence[list[list[str]]], references: Words) -> list[float]:
    """Score each variant with one process for all."""
    with Suite(["meteor"]) as suite:
        prepared = References(references)
        return [suite.score(Captions(some), prepared).corpus["meteor"] for some in variants]


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Run something and return its result and its processor seconds, ended processes' included."""
    start = _seconds()
    return work(), _seconds() - start


def _seconds() -> float:
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def overlap(images: Words) -> Row:
    """Compare BLEU, ROUGE-L and CIDEr-D."""
    candidates, references = [some[0] for some in images], [some[1:] for some in images]
    score(Captions(candidates[:10]), References(references[:10]), NAMES)  # imports are not what is measured
    theirs, slow = timed(lambda: reference(candidates, references))
    ours, fast = timed(lambda: score(Captions(candidates), References(references), NAMES).corpus)
    difference = max(abs(theirs[key] - ours[key]) for key in theirs)
    return Row("BLEU, ROUGE-L, CIDEr-D", fast, "s", f"{_against(slow, fast)}, largest difference {difference:.1e}")


def meteor(images: Words) -> Row:
    """Compare METEOR for several variants."""
    if hint := missing("meteor"):
        return Row("METEOR", "not installed", "", hint)
    os.environ["PATH"] = f"{java.find().executable.parent}:{os.environ['PATH']}"  # both run the same Java
    variants, references = [[some[k] for some in images] for k in range(VARIANTS)], [some[VARIANTS:] for some in images]
    ours, fast = timed(lambda: our_meteor(variants, references))
    theirs, slow = timed(lambda: reference_meteor(variants, references))
    against = f"{_against(slow, fast)}, {'equal' if ours == theirs else 'NOT EQUAL'}"
    return Row(f"METEOR of {VARIANTS} variants", fast, "s", against)


def varied(images: Words) -> Row:
    """Time the diversity of many captions."""
    captions = [words for some in images for words in some][:GENERATED]
    diversity.summary(captions[:10])  # imports are not what is measured
    _, took = timed(lambda: (diversity.summary(captions), diversity.unique_by_position(captions)))
    return Row(f"diversity of {len(captions):,} captions", took, "s")


def _against(slow: float, fast: float) -> str:
    return f"{slow / fast:.1f} times pycocoevalcap, which takes {slow:.2f} s"


def run(size: Size) -> list[Row]:
    """Compare on COCO's captions; on a few without METEOR, which takes seconds to begin."""
    return compare(read(None, 20), (varied, overlap)) if size == "toy" else compare(read(None, IMAGES))


def compare(images: Words, parts: Sequence[Callable[[Words], Row]] = (varied, overlap, meteor)) -> list[Row]:
    """Measure the parts; what they take is processor seconds."""
    return [part(images) for part in parts]


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("captions", type=Path, nargs="?")
    parser.add_argument("--toy", action="store_true", help="on as little as shows that it works")
    parser.add_argument("--images", type=int, default=IMAGES)
    given = parser.parse_args()
    sys.stdout.write(table(run("toy") if given.toy else compare(read(given.captions, given.images))))


if __name__ == "__main__":
    main()

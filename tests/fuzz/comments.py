"""Damaged comments through the whole filter: `python -m tests.fuzz.comments --inputs 200000 --seed 1`.

Comments of the sample are damaged as chance wills, and those that ingest would admit are judged by every score, whole
and sentence by sentence. Each must come out again, kept or with a reason, and its sentences must make up what was
written.
"""

import argparse
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, get_args

from photocritic import tables
from photocritic.config import FilterParams, LanguageParams
from photocritic.filtering.comment_sentences import Unit
from photocritic.filtering.filter_comments import filter_comments
from photocritic.ingest.admission import flaw_in_text
from photocritic.sample.scene_plan import plan
from photocritic.sample.text.comments import comments

CHAIN = ["clean", "spelling", "empty", "english", "length", {"contest": {"words": "authors"}}, "well_formed", "score"]
SCORES = ["informativeness", "agreement", "specificity", "learned"]
_BATCH = 10_000
_ODD = [  # what splitters, taggers and cleaners stumble over
    "...", "!!!", "?!", " .", ". ", ".\n", "\n\n", "\r\n", "\t", "\u00a0", "\u2028", "\u200b", "\u202e", "\ufeff",
    "e.g. ", "Mr. ", "2. ", "(", ")", "[", "]", '"', "“", "”", "'", "’", "*", "_", "&amp;", "<b>", "</", "@a", "#b",
    "http://x.y/z?a=b", ":-)", "<3", "😀", "👩\u200d👧", "e\u0301", "ﬁ", "İ", "ß", "中文字", "عربى", "𝔘𝔫𝔦",
    "-" * 50, "a" * 3_000, "no! " * 300, "1" * 40,
]  # fmt: skip


def damaged(text: str, rng: random.Random, others: list[str]) -> str:
    """Damage a text at up to six places."""
    for _ in range(rng.choice((0, 1, 1, 2, 3, 6))):
        place, length = rng.randrange(len(text) + 1), rng.choice((1, 1, 2, 4, 16, 64))
        begin, end = text[:place], text[place:]
        match rng.randrange(7):
            case 0:
                text = begin + chr(rng.choice((rng.randrange(1, 128), rng.randrange(1, 0xD800)))) + end
            case 1 | 2:
                text = begin + rng.choice(_ODD) + end
            case 3:
                text = begin + end[length:]
            case 4:
                text = begin + end[:length] * rng.choice((2, 3, 40)) + end
            case 5:
                text = begin + rng.choice(others) + end
            case _:
                text = (begin + " " + end).upper() if rng.random() < 0.5 else begin.replace(".", "")
    return text


def inputs_of(seed: int, inputs: int) -> Iterator[dict[str, Any]]:
    """Yield rows of the comments table, four on each image; those that ingest would refuse are left out."""
    written = (one.text for index in range(100) for one in comments(plan(seed, index), f"i{index}", seed, index))
    known = list(written)
    drawn = random.Random(seed)
    for number in range(inputs):
        text = damaged(drawn.choice(known), drawn, known)
        if not flaw_in_text(text):
            row = {"comment_id": f"c{number}", "image_id": f"i{number // 4}", "author_id": None}
            yield row | {"text": text, "style": None, "source": "fuzz"}


def fuzz(inputs: int, seed: int, unit: Unit, folder: Path) -> tuple[Counter[str], list[str]]:
    """Filter damaged comments.

    Returns
    -------
    tuple
        How many rows were kept and rejected, by reason; and what is wrong with the rows of which comments.
    """
    rows = inputs_of(seed, inputs)
    batches = (tables.from_rows("comments", batch) for batch in iter(lambda: list(islice(rows, _BATCH)), []))
    tables.save("comments", folder / "comments.parquet", batches)
    filter_comments(
        folder / "comments.parquet",
        None,
        folder / "captions.parquet",
        folder / "ngrams.parquet",
        FilterParams.model_validate({"unit": unit, "chain": CHAIN, "score": SCORES, "threshold": "auto"}),
        LanguageParams(),
        folder / "work",
    )
    return _look(folder, unit)


def _look(folder: Path, unit: Unit) -> tuple[Counter[str], list[str]]:
    """Compare the captions with the comments that they are of, both in their order."""
    counts: Counter[str] = Counter()
    problems = []
    captions = groupby(_rows("captions", folder, ["comment_id", "text", "kept", "reason"]), itemgetter("comment_id"))
    for comment in _rows("comments", folder, ["comment_id", "text"]):
        name, of_comment = next(captions, ("nothing", iter(())))
        found = list(of_comment)
        counts.update(row["reason"] or "kept" for row in found)
        if name != comment["comment_id"]:
            problems.append(f"{comment['comment_id']}: {name} in its place")
            break
        if "".join("".join(row["text"] for row in found).split()) != "".join(comment["text"].split()):
            problems.append(f"{name}: {[row['text'] for row in found]} of {comment['text']!r}")
        if any(row["kept"] == bool(row["reason"]) for row in found) or (unit == "comment" and len(found) != 1):
            problems.append(f"{name}: {found}")
    return counts, problems + [f"{name}: of no comment" for name, _ in captions]


def _rows(table: str, folder: Path, columns: list[str]) -> Iterator[dict[str, Any]]:
    for batch in tables.scan(table, folder / f"{table}.parquet", columns):
        yield from batch.to_pylist()


def main(report: Callable[[str], None] = print) -> int:
    """Fuzz as the command line says, and print counts and rate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong = 0
    for unit in get_args(Unit):
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            counts, problems = fuzz(options.inputs, options.seed, unit, Path(folder))
        took = time.monotonic() - began
        report(f"{options.inputs} comments by {unit} in {took:.0f} s, {options.inputs / took:.0f} a second")
        for reason, count in counts.most_common():
            report(f"{count:>9} {reason}")
        for problem in problems[:20]:
            report(f"seed {options.seed}: {problem}")
        wrong += len(problems)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())

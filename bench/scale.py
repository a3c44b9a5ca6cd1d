"""The stages ingest, filter, associate and lda, and the command `photocritic filter`, on made corpora of growing size.

Usage: python -m bench.scale [--toy] [--comments 100000 1000000] [--parts ingest filter sentences] [--passes 100]

Each part is a process. Its rate is in comments by second of a core (all processes together), so that what else the
machine does matters little; its memory is the most that all its processes had together. An image has 12 comments, as in
AVA, and no picture. `sentences` is the filter with `unit: sentence`, `learned` that of the preset critique. LDA is
tomotopy's with K=200.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import corpora
from bench.measuring import Row, Size, measured, table

PER_IMAGE = 12
PARTS = ("ingest", "filter", "associate", "sentences", "learned", "lda", "command")
_TOY = {"topics": 4, "passes": 10}
_FULL = {"topics": 200, "passes": 100}
_CHANGES = {
    "sentences": {"unit": "sentence"},
    "learned": {"chain": ["clean", "empty", "score"], "score": "learned", "threshold": "auto"},
}
_COMMAND = "import sys; from photocritic.cli import main; sys.exit(main())"


def run(size: Size) -> list[Row]:
    """Measure all parts, at 100,000 and a million comments."""
    if size == "toy":
        return compare([1_200], PARTS[:-1], **_TOY)
    return compare([100_000, 1_000_000], PARTS, **_FULL)


def compare(counts: Sequence[int], parts: Sequence[str], topics: int, passes: int) -> list[Row]:
    """Measure parts at several sizes, each rate beside that of the first."""
    rows: list[Row] = []
    first: dict[str, float] = {}
    for count in counts:
        with TemporaryDirectory(prefix="photocritic-bench-") as name:
            folder = Path(name)
            corpora.write(folder / "corpus.csv", count, max(1, count // PER_IMAGE))
            for part in parts:
                rows += _measure(part, folder, count, topics, passes, first)
                sys.stderr.write(table(rows[-3:]))
    return rows


def _measure(part: str, folder: Path, count: int, topics: int, passes: int, first: dict[str, float]) -> list[Row]:
    what, began = f"{part}, {count:,} comments", time.time()
    if part == "command":
        out = str(folder / "command" / "captions.parquet")
        command = [sys.executable, "-c", _COMMAND, "filter", str(folder / "corpus.csv"), "--out", out]
    else:
        command = [sys.executable, "-m", "bench.scale", "--part", part, str(folder), str(topics), str(passes)]
    used = measured(command)
    rate = count / used.processor
    against = f"{rate / first[part]:.2f} times the first size" if part in first else ""
    first.setdefault(part, rate)
    written = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and path.stat().st_mtime > began)
    return [
        Row(f"{what}: rate", rate, "comments/s a core", against),
        Row(f"{what}: time", used.seconds, "s"),
        Row(f"{what}: memory, disk", f"{used.memory:.2f}, {written / 2**30:.2f}", "GiB"),
    ]


def work(part: str, folder: Path, topics: int, passes: int) -> None:
    """Do a stage's work in this process, on the tables of the stages before."""
    from photocritic import config

    chosen = config.load(Path(__file__).parents[1] / "presets" / "sample.yaml")
    images, captions = folder / "ingest" / "images.parquet", folder / "filter" / "captions.parquet"
    ngrams = folder / "filter" / "ngrams.parquet"
    if part == "ingest":
        from photocritic.ingest import ingest

        read = chosen.ingest.model_copy(update={"reader": "folder", "source": str(folder / "corpus.csv")})
        ingest(read, folder / "ingest")
    elif part in {"filter", "sentences", "learned"}:
        from photocritic.filtering.dataset_statistics import dataset_statistics
        from photocritic.filtering.filter_comments import filter_comments

        comments, left = folder / "ingest" / "comments.parquet", folder / "filter" / "work"
        by = chosen.filter
        if part != "filter":
            captions, ngrams = (folder / part / path.name for path in (captions, ngrams))
            by = by.model_copy(update=_CHANGES[part])
        filter_comments(comments, images, captions, ngrams, by, chosen.language, left)
        dataset_statistics(captions, images)
    elif part == "associate":
        from photocritic.filtering.association import GraphFiles, associate

        graph = GraphFiles.within(folder / "associate")
        associate(captions, images, graph, chosen.associate, chosen.language)
    else:
        from photocritic.topics import train_lda

        lda = chosen.lda.model_copy(update={"engine": "tomotopy", "topics": topics, "passes": passes})
        out = folder / "lda"
        train_lda(images, captions, ngrams, out / "topics.parquet", out / "words.parquet", out / "model", lda, 7)


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--toy", action="store_true", help="on as little as shows that it works")
    parser.add_argument("--comments", type=int, nargs="+", default=[100_000, 1_000_000], help="sizes")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--topics", type=int, default=_FULL["topics"])
    parser.add_argument("--passes", type=int, default=_FULL["passes"])
    parser.add_argument("--part", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        part, folder, topics, passes = given.part
        work(part, Path(folder), int(topics), int(passes))
        return
    rows = run("toy") if given.toy else compare(given.comments, given.parts, given.topics, given.passes)
    sys.stdout.write(table(rows))


if __name__ == "__main__":
    main()

"""LDA by each engine and for several K, on the kept comments of corpora: coherence, time and memory.

Usage: python -m bench.topics [READER=SOURCE ...] [--topics 10 20 50 100] [--engines gensim tomotopy] [--seed 7]
       python -m bench.topics --documents 230000 --topics 200 [--passes 100]

A corpus is named as in params.yaml, such as dpc=../corpora/dpc; several are put together. They are read and filtered
with the parameters of preset `sample`. With --documents they are made: each of some 40 terms from up to four of 200
topics, whose terms follow Zipf's law over a vocabulary of 25,000. Every fit is a process of its own. Without a corpus
it takes the bundled sample.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from bench.measuring import ROOT, Row, Size, measured, table

if TYPE_CHECKING:
    from photocritic.config import LdaParams
    from photocritic.topics.document_terms import Documents

ENGINES = ("gensim", "tomotopy")
TRUE_TOPICS, TERMS, OF_A_TOPIC, LENGTH = 200, 25_000, 2_000, 40  # of made documents


def prepare(corpora: list[str], folder: Path) -> None:
    """Read the corpora, put their tables together, and filter their comments."""
    from photocritic import config, tables
    from photocritic.filtering.filter_comments import filter_comments
    from photocritic.ingest import ingest

    chosen = config.load(ROOT / "presets" / "sample.yaml")
    parts = []
    for number, corpus in enumerate(corpora):
        reader, _, source = corpus.partition("=")
        read = chosen.ingest.model_copy(update={"reader": reader, "source": source} if source else {})
        parts.append(folder / str(number))
        ingest(read, parts[-1])
    for name in ("images", "comments"):
        whole = [_renamed(tables.load(name, part / f"{name}.parquet"), number) for number, part in enumerate(parts)]
        tables.save(name, folder / f"{name}.parquet", pa.concat_tables(whole))
    filter_comments(
        folder / "comments.parquet", folder / "images.parquet", folder / "captions.parquet", folder / "ngrams.parquet",
        chosen.filter, chosen.language, folder / "work",
    )  # fmt: skip


def _renamed(table: pa.Table, number: int) -> pa.Table:
    """Prefix the corpora's images and comments with the corpus's number."""
    for name in {"image_id", "comment_id"} & set(table.column_names):
        column = pa.array([f"{number}/{one}" for one in table.column(name).to_pylist()])
        table = table.set_column(table.column_names.index(name), table.schema.field(name), column)
    return table


def made(count: int, seed: int) -> "Documents":
    """Draw documents as LDA supposes that they come about."""
    from scipy import sparse

    from photocritic.topics.document_terms import Documents

    rng = np.random.default_rng(seed)
    terms_of = np.array([rng.choice(TERMS, OF_A_TOPIC, replace=False) for _ in range(TRUE_TOPICS)])
    shares = np.cumsum(1 / np.arange(1, OF_A_TOPIC + 1))
    rows = np.repeat(np.arange(count), np.maximum(rng.poisson(LENGTH, count), 1))
    topics = rng.integers(TRUE_TOPICS, size=(count, 4))[rows, rng.integers(4, size=len(rows))]
    ranks = np.searchsorted(shares, rng.random(len(rows)) * shares[-1])
    columns = terms_of[topics, ranks]
    counts = sparse.coo_array((np.ones(len(rows), np.int64), (rows, columns)), (count, TERMS)).tocsr()
    counts.sum_duplicates()
    terms = [f"term{term}" for term in range(TERMS)]
    found = Documents([f"{row:07d}" for row in range(count)], terms, counts)
    return found.columns([term for term, used in zip(terms, found.frequencies(), strict=True) if used])


def fit(source: str, engine: str, topics: int, passes: str, seed: int) -> None:
    """Fit in this process to a folder's captions, or to so many made documents; return measures, time and memory."""
    from photocritic import config
    from photocritic.topics import engines, quality

    chosen = config.load(ROOT / "presets" / "sample.yaml").lda
    given = {"engine": engine, "topics": topics, "passes": passes if passes == "auto" else int(passes)}
    chosen = chosen.model_copy(update=given)
    documents = made(int(source), seed) if source.isdigit() else _collected(Path(source), chosen)
    __import__(engine)  # what a library takes to be loaded is not the fit's speed
    before, began, processor = _memory("VmRSS"), time.perf_counter(), time.process_time()
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    model = engines.fit(documents, chosen, seed)
    measures = {
        "seconds": time.perf_counter() - began,
        "processor": time.process_time() - processor,
        "memory": _memory("VmHWM") - before,
        "u_mass": quality.u_mass(model.terms, documents.counts).mean(),
        "npmi": quality.npmi(model.terms, documents.counts).mean(),
        "c_v": -1.0 if source.isdigit() else _c_v(Path(source), documents, model.terms),
        "diversity": quality.diversity(model.terms),
        "documents": len(documents.image_ids),
        "terms": len(documents.terms),
        "tokens": int(documents.counts.sum()),
    }
    sys.stdout.write(json.dumps(measures) + "\n")


def _collected(folder: Path, chosen: "LdaParams") -> "Documents":
    from photocritic.topics.document_terms import collect, comment_shares
    from photocritic.topics.term_selection import topic_terms

    captions = folder / "captions.parquet"
    documents = collect(captions, "ngrams", bool)
    shares = comment_shares(captions, "ngrams", documents)
    return documents.columns(topic_terms(documents, chosen.vocabulary, chosen.min_documents, chosen.max_share, shares))


def _c_v(folder: Path, documents: "Documents", terms: np.ndarray) -> float:
    from photocritic.topics import quality
    from photocritic.topics.c_v import c_v
    from photocritic.topics.document_terms import texts

    return float(c_v(quality.best(terms), texts(folder / "captions.parquet", "ngrams", documents)).mean())


def _memory(kind: str) -> float:
    """Read this process's memory from Linux: VmRSS, the present one, or VmHWM, the peak, in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 2**10 for line in lines if line.startswith(kind))


def compare(source: str, engines: Sequence[str], topics: Sequence[int], passes: str, seed: int) -> list[Row]:
    """Fit by each engine for each K; the libraries' own threads are one, tomotopy's parts and our inference use all."""
    rows, environment = [], {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    for count in topics:
        for engine in engines:
            command = [sys.executable, "-m", "bench.topics", "--fit", source, engine, str(count), passes, str(seed)]
            run = json.loads(measured(command, env=environment).output.splitlines()[-1])
            coherence = f", C_V {run['c_v']:.3f}" if run["c_v"] >= 0 else ""
            against = (
                f"{run['processor']:.0f} s of processors, {run['memory']:.0f} MiB; NPMI {run['npmi']:.3f}{coherence}, "
                f"u_mass {run['u_mass']:.2f}, diversity {run['diversity']:.2f}"
            )
            size = f"{run['documents']:,} documents, {run['terms']:,} terms, {run['tokens']:,} tokens"
            rows.append(Row(f"LDA K={count} by {engine}, {size}", run["seconds"], "s", against))
            sys.stderr.write(table(rows[-1:]))
    return rows


def run(size: Size) -> list[Row]:
    """Compare on the bundled sample, or on a few made documents."""
    return (
        compare("200", ENGINES, [4], "10", 7) if size == "toy" else _on_corpora(["sample"], ENGINES, [20, 50, 100], 7)
    )


def _on_corpora(corpora: list[str], engines: Sequence[str], topics: Sequence[int], seed: int) -> list[Row]:
    with TemporaryDirectory() as folder:
        prepare(corpora, Path(folder))
        return compare(folder, engines, topics, "auto", seed)


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", default=["sample"], help="READER=SOURCE")
    parser.add_argument("--toy", action="store_true", help="on as little as shows that it works")
    parser.add_argument("--documents", type=int, help="make so many instead")
    parser.add_argument("--topics", type=int, nargs="+", default=[10, 20, 50, 100], help="values of K")
    parser.add_argument("--passes", default="auto", help="over made documents: auto, or a number")
    parser.add_argument("--engines", nargs="+", default=ENGINES)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--fit", nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.fit is not None:
        source, engine, topics, passes, seed = options.fit
        fit(source, engine, int(topics), passes, int(seed))
    elif options.toy:
        sys.stdout.write(table(run("toy")))
    elif options.documents:
        sources = (str(options.documents), options.engines, options.topics, options.passes, options.seed)
        sys.stdout.write(table(compare(*sources)))
    else:
        sys.stdout.write(table(_on_corpora(options.corpora, options.engines, options.topics, options.seed)))


if __name__ == "__main__":
    main()

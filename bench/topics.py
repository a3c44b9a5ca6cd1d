"""LDA by each engine and for several K, on the kept comments of corpora: coherence, processor time and memory.

Usage: python bench/topics.py READER=SOURCE ... [--topics 10 20 50 100] [--engines gensim tomotopy] [--seed 7]

A corpus is named as in params.yaml, such as dpc=../corpora/dpc; several are put together. They are read and filtered
with the parameters of preset `sample`, and every fit is a process of its own, on one core. Without a corpus it takes
the bundled sample.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa


def prepare(corpora: list[str], folder: Path) -> None:
    """Read the corpora, put their tables together, and filter their comments."""
    from photocritic import params, tables
    from photocritic.corpus import ingest
    from photocritic.filtering.run import filter_comments

    chosen = params.load(Path(__file__).parents[1] / "presets" / "sample.yaml")
    parts = []
    for number, corpus in enumerate(corpora):
        reader, _, source = corpus.partition("=")
        read = chosen.ingest.model_copy(update={"reader": reader, "source": source} if source else {})
        parts.append(folder / str(number))
        ingest(read, chosen.seed, parts[-1])
    for name in ("images", "comments"):
        whole = [_renamed(tables.load(name, part / f"{name}.parquet"), number) for number, part in enumerate(parts)]
        tables.save(name, folder / f"{name}.parquet", pa.concat_tables(whole))
    filter_comments(
        folder / "comments.parquet", folder / "images.parquet", folder / "captions.parquet", folder / "ngrams.parquet",
        chosen.filter, chosen.language, folder / "work",
    )  # fmt: skip


def _renamed(table: pa.Table, number: int) -> pa.Table:
    """Tell the corpora's images and comments apart."""
    for name in {"image_id", "comment_id"} & set(table.column_names):
        column = pa.array([f"{number}/{one}" for one in table.column(name).to_pylist()])
        table = table.set_column(table.column_names.index(name), table.schema.field(name), column)
    return table


def fit(folder: Path, engine: str, topics: int, seed: int) -> None:
    """Fit in this process; tells the measures, its processor time, and by how much it raised the memory."""
    from photocritic import params
    from photocritic.topics import engines, quality
    from photocritic.topics.c_v import c_v
    from photocritic.topics.documents import collect, texts
    from photocritic.topics.vocabulary import topic_terms

    chosen = params.load(Path(__file__).parents[1] / "presets" / "sample.yaml").lda
    chosen = chosen.model_copy(update={"engine": engine, "topics": topics})
    documents = collect(folder / "captions.parquet", "ngrams")
    terms = topic_terms(
        documents, set(documents.terms), chosen.vocabulary, chosen.min_documents, chosen.max_document_share
    )
    documents = documents.columns(terms)
    __import__(engine)  # what a library takes to be loaded is not the fit's speed
    before, began = _memory("VmRSS"), time.process_time()
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    model = engines.fit(documents, chosen, seed)
    seconds, memory = time.process_time() - began, _memory("VmHWM") - before
    measures = {
        "u_mass": quality.u_mass(model.terms, documents.counts).mean(),
        "c_v": c_v(quality.best(model.terms), texts(folder / "captions.parquet", "ngrams", documents)).mean(),
        "npmi": quality.npmi(model.terms, documents.counts).mean(),
        "diversity": quality.diversity(model.terms),
        "seconds": seconds,
        "memory": memory,
        "documents": len(documents.image_ids),
        "terms": len(terms),
        "tokens": int(documents.counts.sum()),
    }
    say(json.dumps(measures))


def _memory(kind: str) -> float:
    """Read this process's memory from Linux: VmRSS, the present one, or VmHWM, the peak, in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 2**10 for line in lines if line.startswith(kind))


def measured(folder: Path, engine: str, topics: int, seed: int) -> dict[str, float]:
    """Run `fit` in a process of its own, on one core."""
    command = [sys.executable, __file__, "--fit", str(folder), engine, str(topics), str(seed)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def compare(folder: Path, engines: list[str], topics: list[int], seed: int) -> None:
    """Print a table in Markdown."""
    say("| K | engine | u_mass | c_v | NPMI | diversity | CPU seconds | MiB |")
    say("|---|---|---|---|---|---|---|---|")
    for count in topics:
        for engine in engines:
            run = measured(folder, engine, count, seed)
            say(
                f"| {count} | {engine} | {run['u_mass']:.2f} | {run['c_v']:.3f} | {run['npmi']:.3f} "
                f"| {run['diversity']:.2f} | {run['seconds']:.1f} | {run['memory']:.0f} |"
            )
    say(f"\n{run['documents']:,} documents, {run['terms']:,} terms, {run['tokens']:,} tokens")


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", default=["sample"], help="READER=SOURCE")
    parser.add_argument("--topics", type=int, nargs="+", default=[10, 20, 50, 100], help="values of K")
    parser.add_argument("--engines", nargs="+", default=["gensim", "tomotopy"])
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--fit", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.fit is not None:
        folder, engine, topics, seed = options.fit
        fit(Path(folder), engine, int(topics), int(seed))
        return
    with TemporaryDirectory() as folder:
        prepare(options.corpora, Path(folder))
        compare(Path(folder), options.engines, options.topics, options.seed)


if __name__ == "__main__":
    main()

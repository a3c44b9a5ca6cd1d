"""Damaged texts through the real readers: `python -m tests.fuzz.texts --inputs 200000 --seed 1`.

Valid files of every format are damaged as chance wills and read in worker processes of bounded memory. Each must end in
records or in a CorpusError; anything else counts as a failure and is named by its number, which makes it again.
"""

import argparse
import io
import json
import multiprocessing
import os
import random
import shutil
import signal
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from photocritic.config import IngestParams
from photocritic.core import limits
from photocritic.core.errors import CorpusError
from photocritic.ingest import readers
from photocritic.ingest.admission import flaw_in_text
from photocritic.ingest.records import Comment, Rejected, pack

SECONDS = 20  # that one input may take
_CHUNK = 500  # inputs a task

_ODD = [  # what parsers stumble over
    b'"', b'""', b"\\", b"\\ud83d", b"\\u0000", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\n", b"\r", b",",
    b"\t", b"#", b"[" * 70, b"{" * 70, b"]", b"}", b"null", b"NaN", b"1e999", b"9" * 5_000, b"-1", b"../", b"\xff\xfe",
    b"\x1b[31m", b"=1+1", b"'", b":", b'{"image":', b"x" * 30_000, "é".encode(), "e\u0301".encode(), b"PAR1", b"\x7f",
]  # fmt: skip


def _tar(members: list[tuple[str, bytes]], form: int) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as tar:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def _parquet(columns: dict[str, Any], **options: Any) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer, **options)
    return buffer.getvalue()


def seeds() -> list[tuple[str, str, bytes]]:
    """List valid files: the reader, the file's name, and its content."""
    texts = ["Lovely light, and “soft”.", "Too dark\nat the edges", 'He said "nice"', "café 😀"]
    rows = [{"image": f"{n}.jpg", "text": t, "author": "a", "comment_id": f"c{n}"} for n, t in enumerate(texts)]
    table = "image,text,author,split\n" + "".join(
        f'{n}.jpg,"{t.replace(chr(34), chr(34) * 2)}",a,train\n' for n, t in enumerate(texts)
    )
    lines = "\n".join(json.dumps(row, ensure_ascii=n % 2 == 0) for n, row in enumerate(rows))
    images = [{"id": n, "file_name": f"{n}.jpg"} for n in range(4)]
    notes = [{"id": n, "image_id": n, "caption": t} for n, t in enumerate(texts)]
    spoken = [{"filename": f"{n}.jpg", "split": "val", "sentences": [{"raw": t}]} for n, t in enumerate(texts)]
    critiques = [{"title": f"{n}", "image_url": f"http://x/{n}.jpg", "composition": t} for n, t in enumerate(texts)]
    named = {f"{n}.jpg": texts for n in range(3)}
    numbers = "\n".join(f"{n} {n}" + " 1" * 12 + " 9" for n in range(4))
    crawled = "\n".join(f"{n}#{n}#lovely#too dark" for n in range(4))
    addresses = "caption\turl\n" + "\n".join(f"text {n}\thttp://x/{n}" for n in range(4))
    members = [(f"{n}.{end}", data) for n in range(2) for end, data in (("jpg", b"\xff\xd8x"), ("txt", b"hm"))]
    members += [("2.jpg", b"\xff\xd8"), ("2.json", b'{"caption": "from json"}'), ("é" * 60 + ".jpg", b"long")]
    pictured = {"key": ["0", "1"], "caption": ["a", "b"], "jpg": [b"\xff\xd8", b"\xff"], "status": ["success", "x"]}
    nested = {"image": [{"bytes": b"\xff", "path": "a"}] * 2, "text": ["a", "a"]}

    def document(value: Any) -> bytes:
        return json.dumps(value, ensure_ascii=False).encode()

    return [
        ("folder", "comments.csv", table.encode()),
        ("folder", "comments.tsv", table.replace(",", "\t").encode()),
        ("folder", "comments.jsonl", lines.encode()),
        ("folder", "comments.ndjson", lines.encode()),
        ("dpc", "comments.json", document(named)),
        ("pccd", "comments.json", document(critiques)),
        ("coco", "comments.json", document({"images": images, "annotations": notes})),
        ("coco", "comments.json", document({"images": spoken})),
        ("ava", "AVA.txt", numbers.encode()),
        ("ava", "comments.txt", crawled.encode()),
        ("ava", "comments.json", document(named)),
        ("ava", "comments.json", document({"images": spoken})),
        ("conceptual", "c.tsv", addresses.encode()),
        ("conceptual", "c.parquet", _parquet({"caption": texts, "url": ["u"] * 4})),
        ("conceptual", "c.parquet", _parquet(pictured)),
        ("conceptual", "c.parquet", _parquet(nested, use_dictionary=False, compression="zstd")),
        ("conceptual", "c.tar", _tar(members, tarfile.PAX_FORMAT)),
        ("conceptual", "c.tar", _tar(members, tarfile.GNU_FORMAT)),
        ("conceptual", "0.json", b'{"caption": "loose"}'),
        ("conceptual", "0.txt", b"loose"),
    ]


def damaged(data: bytes, rng: random.Random, others: list[bytes]) -> bytes:
    """Damage a file at one to eight places."""
    content = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        place, length = rng.randrange(len(content) + 1), rng.choice((1, 1, 2, 4, 16, 64))
        match rng.randrange(8):
            case 0:
                content[place : place + 1] = bytes([rng.randrange(256)])
            case 1 | 2:
                content[place:place] = rng.choice(_ODD)
            case 3:
                del content[place : place + length]
            case 4:
                content[place:place] = content[place : place + length] * rng.choice((1, 2, 40))
            case 5:
                if place < len(content):
                    content[place] ^= 1 << rng.randrange(8)
            case 6:
                other = rng.choice(others)
                start = rng.randrange(len(other) + 1)
                content[place : place + length] = other[start : start + length]
            case _:
                del content[rng.choice((place, len(content))) :]
    return bytes(content)


def attempt(reader: str, folder: Path) -> str:
    """Read a folder, send its records as ingest does, and return what came of it: a kind of outcome, or a failure."""
    params = IngestParams.model_validate({"reader": reader, "source": str(folder)})
    outcome = "nothing"
    try:
        for record in readers.get(reader).read(folder, params, 7):
            pack([record])
            outcome = "rejected" if isinstance(record, Rejected) or outcome == "rejected" else "records"
            if isinstance(record, Comment):
                flaw_in_text(record.text)
    except CorpusError:
        return "CorpusError"
    except Exception as error:
        return f"FAILED {type(error).__name__}: {error}"
    return outcome


def _prepare(folder: Path, reader: str, name: str, content: bytes) -> None:
    if reader == "ava":
        (folder / "AVA.txt").write_text("1 1" + " 1" * 12 + " 9\n")
        (folder / "comments.txt").write_text("1#1#fine\n")
        if name.endswith(".json"):
            (folder / "comments.txt").unlink()
    if name.startswith("0."):
        (folder / "0.jpg").write_bytes(b"\xff\xd8")
    (folder / name).write_bytes(content)


def _chunk(task: tuple[int, int, int]) -> tuple[Counter[str], list[tuple[int, str]], int]:
    """Try the inputs of a range, each of which depends on the seed and its own number alone."""
    seed, begin, end = task
    counts: Counter[str] = Counter()
    failures: list[tuple[int, str]] = []
    known = seeds()
    others = [content for _, _, content in known]
    base = Path(tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    try:
        for number in range(begin, end):
            rng = random.Random(f"{seed}:{number}")
            reader, name, content = known[number % len(known)]
            folder = base / str(number)
            folder.mkdir()
            _prepare(folder, reader, name, damaged(content, rng, others))
            signal.alarm(SECONDS)  # ends this process, which the parent counts
            outcome = attempt(reader, folder)
            signal.alarm(0)
            counts[outcome.split(":")[0] if outcome.startswith("FAILED") else outcome] += 1
            if outcome.startswith("FAILED"):
                failures.append((number, outcome))
            shutil.rmtree(folder)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return counts, failures, _most_memory()


def _most_memory() -> int:
    """Return the most KiB that this process has held; its resource usage would count what its parent held."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0])


def fuzz(inputs: int, seed: int, processes: int = 1) -> tuple[Counter[str], list[tuple[int, str]], int]:
    """Try inputs in processes of bounded memory.

    Returns
    -------
    tuple
        Outcomes by kind, the numbers of the inputs that failed with what happened, and the most memory that a process
        took, in KiB.
    """
    tasks = [(seed, begin, min(begin + _CHUNK, inputs)) for begin in range(0, inputs, _CHUNK)]
    counts: Counter[str] = Counter()
    failures: list[tuple[int, str]] = []
    most = 0
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=limits.confine) as pool:
        futures = [pool.submit(_chunk, task) for task in tasks]
        for task, future in zip(tasks, futures, strict=True):
            try:
                found, wrong, memory = future.result()
            except BrokenProcessPool:
                counts["FAILED crash or hang"] += 1
                failures.append((task[1], f"a process died within inputs {task[1]} to {task[2]}"))
                break
            counts += found
            failures += wrong
            most = max(most, memory)
    return counts, failures, most


def main(report: Callable[[str], None] = print) -> int:
    """Fuzz as the command line says, and print counts, rate and peak memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    counts, failures, memory = fuzz(options.inputs, options.seed, options.processes)
    took = time.monotonic() - began
    report(f"{counts.total()} inputs in {took:.0f} s, {counts.total() / took:.0f} a second, {memory >> 10} MiB at most")
    for kind, count in counts.most_common():
        report(f"{count:>9} {kind}")
    for number, what in failures[:20]:
        report(f"input {number} of seed {options.seed}: {what}")
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())

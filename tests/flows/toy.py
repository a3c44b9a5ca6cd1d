"""Two stages that take a second each: words are counted, and a number is "trained" from them, epoch by epoch."""

import hashlib
import json
import os
import signal
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from ruamel.yaml import YAML

from photocritic.core.results import recorded, write_progress

WORDS, MODEL, CHECKPOINT = Path("data/words.json"), Path("data/model.json"), Path("checkpoints/toy.json")
PARAMS = YAML(typ="safe").load(Path("params.yaml"))
TEXTS = ("image_id", "variant", "metric")
SCORES = pa.schema([*(pa.field(name, pa.string(), False) for name in TEXTS), pa.field("score", pa.float64(), False)])
INTERVAL = {"mean": 0.0, "low": 0.0, "high": 0.0, "behind_low": 0.0, "behind_high": 0.0}
NAMES = [*PARAMS["variants"], *PARAMS["retrievers"]]
SOURCE = Path(PARAMS["ingest"]["source"])
PAUSE = SOURCE.with_suffix(".pause")  # a named pipe at which training stands still until somebody ends it


def words() -> None:
    rows = (SOURCE / "comments.jsonl").read_text().splitlines()
    WORDS.parent.mkdir(parents=True, exist_ok=True)
    WORDS.write_text(json.dumps(sorted(word for row in rows for word in json.loads(row)["text"].split())))


def model() -> None:
    epoch, weight = json.loads(CHECKPOINT.read_text()) if CHECKPOINT.exists() else (0, "")
    sys.stdout.write(f"resuming at epoch {epoch}\n" if epoch else "")
    while epoch < PARAMS["cnn_pretrain"]["epochs"]:
        epoch, weight = epoch + 1, hashlib.sha256(f"{weight}{WORDS.read_text()}".encode()).hexdigest()
        CHECKPOINT.parent.mkdir(exist_ok=True)
        CHECKPOINT.write_text(json.dumps([epoch, weight]))
        write_progress("model", epoch, PARAMS["cnn_pretrain"]["epochs"])
        if PAUSE.exists():
            PAUSE.write_text(str(os.getpid()))  # waits until somebody reads it
            signal.pause()
    MODEL.write_text(weight)
    score = int(weight[:4], 16) / 65536 - 1.0  # never so good that a model is registered
    one = {"corpus": {"cider_d": score}, "interval": INTERVAL, "positions": {}, "attributes": None}
    findings = {"measures": dict.fromkeys(NAMES, one), "differences": [], "transfer": None, "styles": None}
    Path("data/evaluate").mkdir(exist_ok=True)
    Path("data/evaluate/findings.json").write_text(json.dumps(findings))
    rows = [{"image_id": "photograph", "variant": name, "metric": "cider_d", "score": score} for name in NAMES]
    pq.write_table(pa.Table.from_pylist(rows, SCORES), "data/evaluate/scores.parquet")
    Path("reports/metrics").mkdir(parents=True, exist_ok=True)
    Path("reports/metrics/evaluate.json").write_text(json.dumps({f"{name}.cider_d": score for name in NAMES}))
    Path("reports/report.html").write_text(weight)
    CHECKPOINT.unlink()


if __name__ == "__main__":
    with recorded(sys.argv[1]):
        {"words": words, "model": model}[sys.argv[1]]()

"""The pipeline as a whole: run it with DVC, promote its best variant, and summarise its results."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from photocritic.cli.champion_choice import chosen_variant
from photocritic.config import HOME, load, presets
from photocritic.core import extras, snapshot
from photocritic.core.environment import REPRODUCTION, environment
from photocritic.core.errors import CorpusError, ParamsError, PhotocriticError
from photocritic.core.generation import recover_all
from photocritic.core.lock import alone
from photocritic.core.paths import (
    CAPTIONS,
    EVALUATE,
    GENERATIONS,
    IMAGES,
    METRICS,
    PREDICT,
    REFERENCES,
    REPORT,
    SHARDS,
    TOPIC_MODEL,
)

logger = logging.getLogger(__name__)


def run(preset: str = "", corpus: str = "", jobs: int = 1) -> None:
    """Run every stage that is not up to date, on a preset's parameters and a corpus, or on params.yaml as it is.

    No other run starts in this folder before it is done. The stages use the parameters as they are when it begins.

    Parameters
    ----------
    preset, corpus : str
        As in `presets.apply`; empty: as params.yaml says.
    jobs : int
        Stages that may run at once. Each has its share of the cores, as threads of several processes on one core wait
        for each other; other numbers of threads round otherwise.

    Raises
    ------
    ParamsError, CorpusError
        The parameters are impossible, or a corpus is not there.
    PhotocriticError
        Another run is in progress in this folder, a stage failed (its message is above), or DVC is not installed.
    """
    if not Path("dvc.yaml").is_file():
        raise ParamsError("dvc.yaml: no such file; run inside the project's folder")
    extras.refuse_without("dvc")
    with alone() as lock:
        if preset or corpus:
            presets.apply(preset or None, corpus or None)
        with prepared_run():
            command = [sys.executable, *REPRODUCTION, "--jobs", str(jobs), "repro"]
            share = {"OMP_NUM_THREADS": str(max(1, len(os.sched_getaffinity(0)) // jobs))} if jobs > 1 else {}
            done = subprocess.run(command, env=share | environment(), check=False, pass_fds=[lock])
            if done.returncode != 0:
                raise PhotocriticError("the pipeline stopped: a stage failed, and its message is above")
            promote()


@contextmanager
def prepared_run() -> Iterator[None]:
    """Check the parameters, clean up after killed runs, and keep the parameters of now for the whole run.

    Call it under the lock. What is started within the block reads a snapshot of the parameters.

    Raises
    ------
    ParamsError, CorpusError
        The parameters are impossible, or a corpus is not there.
    """
    params = load()
    source = Path(params.ingest.source)
    if not source.exists():
        raise CorpusError(f"ingest.source: {source} does not exist; set it in params.yaml or give CORPUS=<folder>")
    if params.predict.on != HOME and not params.predict.on.is_dir():
        raise CorpusError(f"predict.on: {params.predict.on} does not exist; write it with `photocritic ingest`")
    recover_all(GENERATIONS, within=Path())
    with snapshot.taken():
        yield
        if not snapshot.PARAMS.exists() or snapshot.path().read_bytes() != snapshot.PARAMS.read_bytes():
            logger.warning("params.yaml was changed during this run, which used the old values; run it again")


def promote(anew: bool = False) -> str:
    """Register the variant that the rule `promote` chooses, and make it the champion where it earns that.

    What has been promoted already is not looked at again: a restored run promotes as one that ran.

    Parameters
    ----------
    anew : bool
        Look again also where nothing has changed.

    Returns
    -------
    str
        The verdict and its reason, in one line.

    Raises
    ------
    PhotocriticError
        The pipeline has not run to its end yet.
    """
    findings = EVALUATE / "findings.json"
    if not findings.exists():
        raise PhotocriticError(f"no {findings} yet: run `make run` first")
    from photocritic.core.files import atomic_file, sha256
    from photocritic.tracking.mlflow_store import STORE, is_there, uri
    from photocritic.tracking.provenance import LOCK

    params = load(snapshot.path())
    made = [sha256(path) for path in (findings, LOCK) if path.exists()]  # the numbers, and what they are about
    rule = json.dumps([params.promote.model_dump(mode="json"), uri(), made], sort_keys=True)
    stamp = STORE / ".promoted.json"
    known = _read_stamp(stamp) if is_there() else {}
    if not anew and known.get("rule") == rule:
        return str(known["verdict"])
    from photocritic import tracking
    from photocritic.evaluation.findings import load_findings
    from photocritic.serving.promotion import Trained, register_and_promote

    tags = {"preset": params.preset, **tracking.corpus_tags(params.ingest.reader, params.ingest.source)}
    trained = Trained(PREDICT, TOPIC_MODEL / "topics.json", IMAGES, CAPTIONS, REFERENCES, SHARDS)
    read = {"promote": params.promote.model_dump(mode="json")}
    try:
        with tracking.stage_run("promote", read, [findings], tags) as run:
            verdict = register_and_promote(params, load_findings(EVALUATE).numbers(), run, trained)
    except PhotocriticError:
        raise
    except Exception as error:
        if not (message := tracking.unavailable(error)):
            raise
        raise PhotocriticError(f"promote: {message}") from error
    with atomic_file(stamp) as temporary:
        temporary.write_text(json.dumps({"rule": rule, "verdict": verdict}) + "\n", encoding="utf-8")
    return verdict


def _read_stamp(path: Path) -> dict[str, str]:
    try:
        found: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def summary() -> str:
    """Return the headline metrics, where the report is, and what to do next.

    Raises
    ------
    PhotocriticError
        The pipeline has not run to its end yet.
    """
    if not METRICS.exists() or not REPORT.exists():
        raise PhotocriticError(f"no {METRICS} and {REPORT} yet: run `make run` first")
    from photocritic.metrics.columns import headline

    metrics: dict[str, float] = json.loads(METRICS.read_text(encoding="utf-8"))
    known = headline()
    variants = sorted({key.partition(".")[0] for key in metrics if key.partition(".")[2] in known})
    columns = [name for name in known if f"{variants[0]}.{name}" in metrics]  # those that were measured
    lines = ["", "variant    " + "".join(f"{name:>{_width(name)}}" for name in columns)]
    for variant in variants:
        numbers = "".join(f"{metrics[f'{variant}.{name}']:{_width(name)}.3f}" for name in columns)
        lines.append(f"{variant:<11}{numbers}")
    best = chosen_variant() or max(variants, key=lambda variant: metrics.get(f"{variant}.cider_d", 0.0))
    lines += [
        "",
        f"report: {REPORT.absolute().as_uri()}",
        "",
        "next:",
        f"  .venv/bin/photocritic caption <folder of photographs> --variant {best} --out captions.jsonl",
        "  make ui                                  # compare runs in MLflow",
        "  make run CORPUS=<folder>                 # your own photographs and comments (docs/data.md)",
    ]
    return "\n".join(lines)


def _width(name: str) -> int:
    return max(9, len(name) + 2)

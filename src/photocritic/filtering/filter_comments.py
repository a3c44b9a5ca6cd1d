"""The filter stage: comments in, every one of them out again, kept or with the first reason that rejected it."""

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from photocritic import tables, validation
from photocritic.config import FilterParams, LanguageParams
from photocritic.core import files, logs
from photocritic.core.outcome import Outcome
from photocritic.filtering import out_of_core
from photocritic.filtering.comment_batch import Annotator, CommentBatch, ImageTable
from photocritic.filtering.filters.score import COUNTS, Score
from photocritic.filtering.informativeness import Vocabulary
from photocritic.filtering.near_misses import NearMisses
from photocritic.filtering.out_of_core import count_values, merge_counts, read_arrow
from photocritic.filtering.passes import Job, WorkerPool
from photocritic.filtering.summary import Summary
from photocritic.validation import Failure

log = logging.getLogger(__name__)

_FEW = 10  # batches a process that are worth starting it


def filter_comments(
    comments: Path,
    images: Path | None,
    captions: Path,
    ngrams: Path,
    params: FilterParams,
    language: LanguageParams,
    work: Path,
    asked: Sequence[str] = (),
) -> Outcome:
    """Run every comment through the chain of filters.

    Batches of comments stream through all cores, once for every filter that must see the whole corpus and once more;
    memory is bounded by a batch and the corpus's vocabulary. What is done is kept in `work`: a run that was killed goes
    on at the last finished batch and ends with the same bytes.

    Parameters
    ----------
    comments : Path
        The comments table.
    images : Path or None
        The images table, for filters that ask about photographs.
    captions : Path
        The captions table to write: every comment in its order, or every sentence of each (`params.unit`), kept or with
        its reason; `text` stays as it was, `cleaned` is what the filters made of it, and `tokens` and `ngrams` come
        from that.
    ngrams : Path
        The table of n-grams and their probabilities to write (AIC Eq. 1), those seen at least `params.min_count` times
        in unstyled comments, kept or rejected.
    params : FilterParams
        The chain, and the score's threshold.
    language : LanguageParams
        The pipeline that tags and parses.
    work : Path
        A folder for what is left between the passes; removed after success.
    asked : sequence of str
        Ids of comments whose scores are explained, beside those nearest to the threshold.

    Returns
    -------
    Outcome
        Counts by reason, kept share, mean score, threshold; the funnel, the scores' distribution and what each
        threshold keeps as plots; examples by reason and by score, and what makes up scores near the threshold, as
        tables.

    Raises
    ------
    ParamsError
        The chain names an unknown filter or option, `language.model` cannot be loaded, or no comment has an id of
        `asked`.
    TableError, GateFailed
        The comments table, or what was written, does not pass its gate.
    """
    total = tables.count(comments)
    tables.check("comments", comments)
    job = Job(comments, images, params, language, work / _key(comments, images, params, language))
    job.chain  # noqa: B018 - a mistake in the chain is found before any work
    shards = list(range(-(-total // out_of_core.SHARD)))
    with WorkerPool(job, min(len(os.sched_getaffinity(0)), len(shards) // _FEW)) as pool:
        for number in range(len(job.passes)):
            _run_pass(job, pool, number, shards, total)
    last = len(job.passes) - 1
    summary = Summary(job.chain, _threshold(job), params.unit)
    judged = (read_arrow(job.output(last, shard)) for shard in shards)
    near = NearMisses(_threshold(job), Score.reasons[:1], asked)
    watched = near.watch(summary.watch(_accounted(judged, captions, total)))
    rows = tables.save("captions", captions, watched)
    vocabulary = Vocabulary(_counts(job, captions))
    tables.save("ngrams", ngrams, vocabulary.table(params.min_count))
    outcome = summary.outcome(rows, vocabulary)
    outcome.tables["near_misses"] = outcome.plots["near_misses"] = _explained(job, near.rows())
    shutil.rmtree(work)
    return outcome


def _run_pass(job: Job, pool: WorkerPool, number: int, shards: list[int], total: int) -> None:
    """Do what is still to be done of a pass."""
    _, observer = job.passes[number]
    if job.fitted(number).exists():
        return
    waiting = [shard for shard in shards if not job.output(number, shard).exists()]
    label = f"filtering, pass {number + 1} of {len(job.passes)}"
    if len(waiting) < len(shards):
        log.info("%s: going on after %d of %d batches", label, len(shards) - len(waiting), len(shards))
    with logs.counter(label, total, total - min(total, len(waiting) * out_of_core.SHARD)) as advance:
        for done in pool.run(number, waiting):
            advance(done)
    if observer is not None:
        with files.atomic_dir(job.fitted(number)) as folder:
            observer.combine([job.observed(number, shard) for shard in shards], folder)
        shutil.rmtree(job.work / f"observed-{number}")
    shutil.rmtree(job.work / f"pass-{number - 1}", ignore_errors=True)


def _accounted(judged: Iterable[pa.Table], captions: Path, total: int) -> Iterator[pa.Table]:
    """Yield captions; raises GateFailed where they are not those of as many comments as went in."""
    comments = 0
    for table in judged:
        comments += pc.sum(pc.equal(table.column("sentence"), 0)).as_py()
        yield table
    if comments != total:
        failure = Failure(f"captions of {total} comments, as many as went in", "comment_id", str(comments))
        validation.refuse("captions", captions, [failure])


def _key(comments: Path, images: Path | None, params: FilterParams, language: LanguageParams) -> str:
    """Return a name of the work folder by all that its contents depend on: inputs, parameters, and this library."""
    digest = hashlib.sha256(files.sha256(comments).encode())
    digest.update(files.sha256(images).encode() if images is not None else b"")
    digest.update(json.dumps([params.model_dump(mode="json"), language.model_dump(mode="json")]).encode())
    room = Path(__file__).parent
    own = [params.model_path] if params.model_path is not None and params.model_path.is_file() else []
    code = sorted([*room.rglob("*.py"), *room.rglob("*.safetensors"), *(room.parent / "text").rglob("*.py")])
    for source in [*code, *own]:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _scored_in(job: Job) -> Path | None:
    """Return the folder of the fitted filter `score`, where the chain has it."""
    for number, (_, observer) in enumerate(job.passes):
        if isinstance(observer, Score):
            return job.fitted(number)
    return None


def _explained(job: Job, shown: list[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return a row for each share in the scores of some comments."""
    folder = _scored_in(job)
    if folder is None or not shown:
        return []
    rows = [row for _, row in shown]
    comments = pa.Table.from_pylist(rows, tables.schema("comments"))
    texts, scores = [row["cleaned"] for row in rows], [row["score"] for row in rows]
    batch = CommentBatch(0, comments, Annotator(job.language), ImageTable(job.images), texts, [""] * len(rows))
    (score,) = (rule for rule in job.chain if isinstance(rule, Score))
    return [
        {
            "comment_id": row["comment_id"], "sentence": row["sentence"], "side": side, "score": round(row["score"], 2),
            "text": row["text"], "signal": signal, "share": round(share, 3),
        }
        for (side, row), shares in zip(shown, score.explain(batch, scores, folder), strict=True)
        for signal, share in shares.items()
    ]  # fmt: skip


def _threshold(job: Job) -> float | None:
    folder = _scored_in(job)
    return None if folder is None else float(json.loads((folder / "threshold.json").read_text()))


def _counts(job: Job, captions: Path) -> pa.Table:
    """Return the corpus's n-gram counts: those that the score was made from, else those of all unstyled captions."""
    folder = _scored_in(job)
    if folder is not None:
        return read_arrow(folder / COUNTS)
    learned = tables.UNSTYLED
    if job.params.fit == "train" and job.images is not None:
        learned &= tables.of_split("train", job.images)
    return merge_counts(_unstyled_counts(captions, learned), "ngram")


def _unstyled_counts(captions: Path, learned: tables.TableView) -> Iterator[pa.Table]:
    for batch in tables.scan("captions", captions, ["ngrams"], learned):
        yield count_values(pc.list_flatten(batch.column("ngrams")), "ngram")

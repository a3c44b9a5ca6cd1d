"""MLflow's own page compares the variants and pipelines by what was recorded, in a real browser."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from mlflow import MlflowClient

from photocritic import tracking
from photocritic.core.outcome import Outcome
from tests import file_watch
from tests.browser import browser, find

pytestmark = pytest.mark.xdist_group("compared")  # one server and one browser for all of them
NUMBERS = {
    "ns": {"bleu_4": 0.144123, "cider_d": 0.274569},
    "cs": {"bleu_4": 0.160999, "cider_d": 0.303874},
    "cws": {"bleu_4": 0.166555, "cider_d": 0.308236},
}
BESIDE = """(key => {
    const middle = box => box.top + box.height / 2;
    const link = [...document.querySelectorAll("a")].find(link => link.innerText.trim() === key);
    const name = link.getBoundingClientRect();
    return [...document.querySelectorAll("*")]
        .filter(part => !part.children.length && /^[0-9.]+$/.test(part.textContent.trim()))
        .map(part => [part.getBoundingClientRect(), Number(part.textContent)])
        .filter(([box]) => Math.abs(middle(box) - middle(name)) < 6 && box.left > name.right)
        .sort(([one], [other]) => one.left - other.left)
        .map(([, number]) => number);
})"""  # the numbers that stand on the page to the right of a metric's name, whatever they are laid out with
QUIET = {"MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}  # else a dozen workers start beside it


@contextmanager
def served(folder):
    """Serve a store on a free port of this machine; gives the address."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = str(one.getsockname()[1])
    words = ["-m", "mlflow", "server", "--backend-store-uri", tracking.uri(), "--host", "127.0.0.1", "--port", port]
    log = (folder / "server.log").open("wb")
    process = subprocess.Popen(
        [sys.executable, *words, "--workers", "1"],
        stdout=log,
        stderr=log,
        cwd=folder,
        env=os.environ | QUIET,
        start_new_session=True,
    )
    try:
        yield process, f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # with its worker
        process.wait()
        log.close()


@pytest.fixture(scope="module")
def store(tmp_path_factory, empty_store):
    """Record an evaluation of three variants in each of two pipelines; gives the folder and the runs' ids by name."""
    folder = tmp_path_factory.mktemp("compared")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        patch.setattr(tracking.mlflow_store, "STORE", folder / "mlruns")
        shutil.copytree(empty_store, folder / "mlruns")
        pq.write_table(pa.table({"image_id": ["a", "b"], "split": ["train", "test"]}), folder / "images.parquet")
        for seed in (7, 8):
            (folder / "params.yaml").write_text(f"preset: sample\nseed: {seed}\nlda:\n  topics: 3\n")
            evaluate(folder, seed)
        client = MlflowClient(tracking_uri=tracking.uri())
        experiment = client.get_experiment_by_name(tracking.EXPERIMENT).experiment_id
        found = client.search_runs([experiment], order_by=["attributes.start_time"])
        yield folder, found, experiment


def evaluate(folder, seed):
    with tracking.stage_run("evaluate", {}, [folder / "images.parquet"], {"preset": "sample"}, "evaluation") as run:
        for name, numbers in NUMBERS.items():
            rows = [{"image_id": "a", "variant": name, "caption": "a dog", **numbers}]
            run.add_child(name, {"captions": "raw"}, Outcome(numbers, tables={"captions": rows}), {"variant": name})
        run.log_headline({f"chosen.{key}": value * seed / 10 for key, value in NUMBERS["cws"].items()})


@pytest.fixture(scope="module")
def pages(store):
    """Open the store's pages; gives the tab, the address, the runs and the experiment."""
    folder, found, experiment = store
    find()  # before the server is started for nothing
    with served(folder) as (process, address), browser(folder) as tab:
        file_watch.until_serving(folder / "server.log", process.pid, "Uvicorn running on")
        tab.size(1400, 1600)
        yield tab, address, found, experiment


def compare(pages, ids):
    tab, address, _, experiment = pages
    tab.open("about:blank")  # else the page stays and compares what it has compared before
    wanted = json.dumps(ids, separators=(",", ":"))
    tab.open(f'{address}/#/compare-runs?runs={wanted}&experiments=["{experiment}"]')


def beside(tab, key, count):
    """Wait for a row of as many numbers and read it."""
    numbers = f"{BESIDE}({json.dumps(key)})"
    tab.until(f"{numbers}.length === {count}")
    return tab.run(numbers)


def test_the_compare_page_shows_the_variants_numbers_side_by_side(pages):
    tab, _, found, _ = pages
    latest = {run.info.run_name: run.info.run_id for run in found}
    compare(pages, [latest[name] for name in NUMBERS])
    for key in ("bleu_4", "cider_d"):
        assert beside(tab, key, 3) == [round(numbers[key], 3) for numbers in NUMBERS.values()]
    tab.until("document.body.innerText.includes('captions.json')")
    assert all(name in tab.run("document.body.innerText") for name in NUMBERS)


def test_two_pipelines_compare_on_one_page_by_headline_numbers_parameters_and_tags(pages):
    tab, _, found, _ = pages
    pipelines = [run.info.run_id for run in found if run.info.run_name.startswith("pipeline-")]
    compare(pages, pipelines)
    assert beside(tab, "chosen.cider_d", 2) == [round(0.308236 * seed / 10, 3) for seed in (7, 8)]
    text = tab.run("document.body.innerText").replace("\t", " ")
    assert "seed 7 8" in text
    assert "lda.topics 3 3" in text
    assert "preset sample sample" in text


def test_a_runs_page_shows_the_dataset_that_it_read(pages):
    tab, address, found, experiment = pages
    run = next(run for run in found if run.info.run_name == "evaluate")
    [read] = run.inputs.dataset_inputs
    tab.open(f"{address}/#/experiments/{experiment}/runs/{run.info.run_id}")
    tab.until(f"document.body.innerText.includes({json.dumps(read.dataset.digest)})")
    assert "/images (" in tab.run("document.body.innerText")

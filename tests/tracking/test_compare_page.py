"""MLflow's own page compares the variants by the numbers that were recorded, in a real browser."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest
from mlflow import MlflowClient

from photocritic import tracking
from photocritic.outcome import Outcome
from tests.browser import browser, find

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


@pytest.fixture
def variants(tmp_path, monkeypatch, empty_store):
    """Record an evaluation of three variants; gives their runs by name, and the experiment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.setattr(tracking.runs, "STORE", tmp_path / "mlruns")
    shutil.copytree(empty_store, tmp_path / "mlruns")
    with tracking.stage_run("evaluate", {}, []) as run:
        for name, numbers in NUMBERS.items():
            rows = [{"image_id": "a", "variant": name, "caption": "a dog", **numbers}]
            run.add_child(name, {"captions": "raw"}, Outcome(numbers, tables={"captions": rows}), {"variant": name})
    client = MlflowClient(tracking_uri=tracking.uri())
    experiment = client.get_experiment_by_name(tracking.EXPERIMENT).experiment_id
    return {run.info.run_name: run.info.run_id for run in client.search_runs([experiment])}, experiment


def beside(tab, key):
    """Wait for a metric's row and read it."""
    numbers = f"{BESIDE}({json.dumps(key)})"
    tab.until(f"{numbers}.length === {len(NUMBERS)}")
    return tab.run(numbers)


def test_the_compare_page_shows_the_variants_numbers_side_by_side(variants, tmp_path):
    runs, experiment = variants
    find()  # before the server is started for nothing
    with served(tmp_path) as (process, address), browser(tmp_path) as tab:
        while process.poll() is None:
            try:
                assert httpx.get(f"{address}/health", timeout=5).text == "OK"
                break
            except httpx.TransportError:
                tab.run("new Promise(done => requestAnimationFrame(done))")
        assert process.poll() is None, (tmp_path / "server.log").read_text()
        tab.size(1400, 1600)
        ids = json.dumps([runs[name] for name in NUMBERS], separators=(",", ":"))
        tab.open(f'{address}/#/compare-runs?runs={ids}&experiments=["{experiment}"]')
        for key in ("bleu_4", "cider_d"):
            assert beside(tab, key) == [round(numbers[key], 3) for numbers in NUMBERS.values()]
        tab.until("document.body.innerText.includes('captions.json')")
        assert all(name in tab.run("document.body.innerText") for name in NUMBERS)

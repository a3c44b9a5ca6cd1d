"""The champion behind `mlflow models serve`, a real process: what it answers, what it refuses, and that it lives."""

import base64
import io
import json
import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import psutil
import pytest
import torch
from PIL import Image

from photocritic import config, tracking
from photocritic.core import limits
from photocritic.serving.bundle import pack
from photocritic.serving.pyfunc import ARTIFACT, CODE, example, signature
from photocritic.serving.requests import Limits
from photocritic.tracking import model_registry as registry
from photocritic.vision.network import Network, NetworkConfig
from tests import file_watch
from tests.browser import browser
from tests.evaluation.conftest import write_json
from tests.origins import attacked, evil_page, refused_for_others
from tests.serving.conftest import write_speaker

pytestmark = pytest.mark.xdist_group("served")
JSON = {"content-type": "application/json"}
MEGABYTES = 50 * 10**6
CHANNELS = 512  # of a ResNet-18's last layer
LIMITS = Limits(max_images=100)


@pytest.fixture(scope="module", autouse=True)
def patched():
    """Leave the networks as they are: another process reads them."""


@pytest.fixture(scope="module")
def store(tmp_path_factory, patched):
    """Register a champion that says white of every image; gives the folder that its store lies in."""
    folder = tmp_path_factory.mktemp("served")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        patch.setattr(tracking.mlflow_store, "STORE", folder / "mlruns")
        torch.manual_seed(2)
        Network(NetworkConfig("weak", "resnet18", 32, 1, {"topics": 2}, [])).save(folder / "weak")
        write_speaker(folder / "white", "white", CHANNELS)
        write_json(folder / "topics.json", [{"topic": t, "terms": [["dusk", 0.1]]} for t in (0, 1)])
        variants = {"white": {"captions": "raw", "features": "weak"}}
        chosen = config.check({"variants": variants, "predict": {"max_length": 1}})
        packed = pack(folder / "it", "white", chosen, folder / "white", folder / "weak", folder / "topics.json")
        with tracking.stage_run("evaluate", {}, []) as run:
            model = registry.Model(CODE, {ARTIFACT: packed}, signature(), example(), LIMITS.model_dump())
            registry.point(registry.CHAMPION, registry.add(run, model, {}, ""))
    return folder


@pytest.fixture(scope="module")
def server(store):
    """Serve the champion on a free port; gives the address and the process that answers there."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    words = ["-m", "mlflow", "models", "serve", "-m", "models:/photocritic@champion", "--env-manager", "local"]
    environment = os.environ | {
        "MLFLOW_TRACKING_URI": f"sqlite:///{store}/mlruns/mlflow.db",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",  # MLflow looks for uvicorn there
    }
    with (store / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, *words, "--port", str(port)],
            stdout=log,
            stderr=log,
            cwd=store,
            env=environment,
            start_new_session=True,
        )
    try:
        file_watch.until_serving(store / "server.log", process.pid)
        yield f"http://127.0.0.1:{port}", psutil.Process(process.pid).children()[0]
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # with the process that answers
        process.wait()


@pytest.fixture
def ask(server):
    """Give a function that posts a body; the server must still give the same answer to a good request after it."""
    address, _ = server
    with httpx.Client(base_url=address, timeout=60) as client:

        def post(body, headers=JSON):
            content = body if isinstance(body, str | bytes) else json.dumps(body)
            return client.post("/invocations", content=content, headers=headers)

        before = post(rows(photograph())).json()
        yield post
        assert before["predictions"][0]["caption"] == "white"
        assert post(rows(photograph())).json() == before


def file(kind="JPEG", mode="RGB", size=(48, 32), **options):
    """Give an image file's content."""
    buffer = io.BytesIO()
    drawn = Image.linear_gradient("L").resize(size)
    (drawn if mode == "L" else drawn.convert(mode)).save(buffer, kind, **options)
    return buffer.getvalue()


def text(content):
    return base64.b64encode(content).decode()


def photograph(kind="JPEG", mode="RGB", **options):
    return text(file(kind, mode, **options))


def blank(side):
    """Give a square without anything on it: a small file of many pixels."""
    buffer = io.BytesIO()
    Image.new("1", (side, side)).save(buffer, "PNG")
    return text(buffer.getvalue())


def rows(*texts):
    return {"dataframe_records": [{"image": one} for one in texts]}


def turned():
    orientation = Image.Exif()
    orientation[0x0112] = 6
    return photograph(exif=orientation)


def refused(answer, status, words):
    """Check that an answer is an error that tells what was wrong, and neither more of the server nor the request."""
    assert answer.status_code == status, answer.text
    told = answer.json()
    assert set(told) == {"error_code", "message"}
    assert words in told["message"]
    assert "Traceback" not in told["message"]
    assert len(told["message"]) < 300


FORMS = {
    "split": lambda one: {"dataframe_split": {"columns": ["image"], "data": [[one], [one]]}},
    "split with more": lambda one: {
        "dataframe_split": {"index": [5, 6], "columns": ["id", "image"], "data": [[1, one], [2, one]]}
    },
    "records": lambda one: rows(one, one),
    "inputs by column": lambda one: {"inputs": {"image": [one, one]}},
    "inputs as texts": lambda one: {"inputs": [one, one]},
    "instances": lambda one: {"instances": [{"image": one}, {"image": one}]},
    "in lines": lambda one: rows(*["\n".join(one[at : at + 76] for at in range(0, len(one), 76))] * 2),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_that_mlflow_knows_is_answered_with_captions_topics_and_scores(ask, form):
    answer = ask(FORMS[form](photograph()), {"content-type": "application/json; charset=utf-8"})
    assert answer.status_code == 200, answer.text
    told = answer.json()["predictions"]
    assert len(told) == 2
    assert [one["caption"] for one in told] == ["white"] * 2
    assert told[0]["topics"] == told[1]["topics"]
    assert told[0]["logprob"] <= 0.0
    assert sum(one["share"] for one in told[0]["topics"]) == pytest.approx(1.0, abs=1e-3)
    assert {one["terms"] for one in told[0]["topics"]} == {"dusk"}


def test_many_images_of_many_formats_are_answered_in_their_order(ask):
    kinds = [
        photograph("PNG", "L"),
        photograph("PNG", "I;16"),
        photograph("PNG", "RGBA"),
        photograph("GIF", "P"),
        photograph("WEBP"),
        photograph("TIFF"),
        photograph("BMP"),
        photograph("JPEG", "CMYK"),
        turned(),
    ]
    answer = ask(rows(*kinds, *[photograph()] * 23))
    assert answer.status_code == 200, answer.text
    alone = [ask(rows(kind)).json()["predictions"][0]["topics"][0]["share"] for kind in kinds]
    assert [one["topics"][0]["share"] for one in answer.json()["predictions"]][:9] == pytest.approx(alone, abs=2e-4)


def test_requests_at_the_same_time_do_not_disturb_each_other(ask):
    kinds = [photograph(size=(32 + 16 * n, 32)) for n in range(4)]
    one_by_one = [ask(rows(kind)).json() for kind in kinds]
    with ThreadPoolExecutor(4) as pool:
        at_once = [answer.json() for answer in pool.map(lambda n: ask(rows(kinds[n % 4])), range(12))]
    assert at_once == one_by_one * 3


IMAGES = {
    "no base64": ("@@@@", "not base64"),
    "an incomplete one": (photograph()[:-3], "not base64"),
    "a data address": ("data:image/jpeg;base64," + photograph(), "not base64"),
    "a truncated file": (text(file()[:-40]), "unreadable image: "),
    "a text": (text(b"a text"), "unreadable image: not a known image format"),
    "an empty text": ("", "unreadable image: empty file"),
    "a program": (text(file("EPS")), "unreadable image: not a known image format (known are JPEG, "),
    "too many pixels": (blank(9000), "9000 x 9000 pixels are more than 64,000,000"),
    "a bomb": (blank(20_000), "image too large: more than 89,000,000 pixels"),
    "null": (None, "null where base64 text is wanted"),
    "a number": (7, "a number where"),
    "a list": ([photograph()], "a list where"),
    "an object": ({"b64": photograph()}, "an object where"),
    "other letters": ("ü", "not base64"),
    "half a character": ("\ud800", "not base64"),
}


@pytest.mark.parametrize("kind", IMAGES)
def test_a_broken_image_is_named(ask, kind):
    content, words = IMAGES[kind]
    refused(ask(rows(photograph(), content, photograph())), 400, "image 2 of 3: ")
    refused(ask({"inputs": {"image": [content]}}), 400, words)


BODIES = {
    "no images": (rows(), 400, "no image in the request"),
    "no images in a column": ({"inputs": {"image": []}}, 400, "no image in the request"),
    "another column": ({"dataframe_records": [{"picture": "AAAA"}]}, 400, "no column 'image'; it has 'picture'"),
    "a row without": ({"dataframe_records": [{"image": "AAAA"}, {}]}, 400, "row 2 of 2: no column 'image'"),
    "rows that are texts": ({"dataframe_records": ["AAAA"]}, 400, "row 1 of 1: not an object"),
    "no rows": ({"dataframe_records": 5}, 400, "dataframe_records must be a list"),
    "another column, split": ({"dataframe_split": {"columns": ["a"], "data": [["AAAA"]]}}, 400, "it has 'a'"),
    "a row too long": (
        {"dataframe_split": {"columns": ["image"], "data": [["AAAA", 1]]}},
        400,
        "row 1 of 1: not a list of 1",
    ),
    "no data": ({"dataframe_split": {"columns": ["image"]}}, 400, "dataframe_split must be"),
    "no split": ({"dataframe_split": "AAAA"}, 400, "dataframe_split must be"),
    "other inputs": ({"inputs": {"picture": ["AAAA"]}}, 400, "inputs has no column 'image'"),
    "null": ({"inputs": None}, 400, "inputs must be a list, a row an image; it is null"),
    "nothing": ({}, 400, "with one of dataframe_split, dataframe_records, inputs, instances; it has nothing"),
    "two forms": ({"inputs": ["AAAA"], "instances": ["AAAA"]}, 400, "it has 'inputs', 'instances'"),
    "an unknown key": ({"inputs": ["AAAA"], "beam": 9}, 400, "'beam' beside 'inputs'"),
    "params": ({"inputs": ["AAAA"], "params": {"beam": 9}}, 400, "takes no params"),
    "a list": (["AAAA"], 400, "must be a JSON object"),
    "not a number": ('{"inputs": [NaN]}', 400, "NaN is no JSON value"),
    "half of JSON": (
        '{"inputs": ["AA',
        400,
        "the body is not JSON: Unterminated string starting at (line 1, column 13)",
    ),
    "no JSON": ("a text", 400, "the body is not JSON"),
    "no body": ("", 400, "the body is not JSON"),
    "no UTF-8": (b'{"inputs": ["\xff"]}', 400, "the body is not JSON: not UTF-8"),
    "nested": ("[" * 1500, 400, "the body is nested too deeply: send JSON of at most 64 levels"),
    "nested a little too deeply": ('{"inputs":' + "[" * 64 + "]" * 64 + "}", 400, "the body is nested too deeply"),
    "nested as deeply as may be": ('{"inputs":' + "[" * 63 + "]" * 63 + "}", 400, "image 1 of 1: a list where base64"),
    "nested deeply": ('{"inputs":' + "[" * 9**5, 413, "far more values than images"),
    "too many images": (rows(*["AAAA"] * 101), 413, "101 images: send at most 100 images a request"),
    "very many images": (rows(*["AAAA"] * 10**5), 413, "far more values than images"),
}


@pytest.mark.parametrize("kind", BODIES)
def test_what_is_not_asked_as_it_should_be_is_told_so(ask, kind):
    body, status, words = BODIES[kind]
    refused(ask(body), status, words)


KINDS = {
    "none": {},
    "text": {"content-type": "text/plain"},
    "CSV": {"content-type": "text/csv"},
    "Parquet": {"content-type": "application/vnd.apache.parquet"},
    "an image": {"content-type": "image/jpeg"},
    "a form": {"content-type": "multipart/form-data; boundary=x"},
    "Latin-1": {"content-type": "application/json; charset=latin-1"},
    "packed": {"content-type": "application/json", "content-encoding": "gzip"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_another_kind_of_body_is_refused(ask, kind):
    refused(ask("a text file,\nwhatever its name is\n", KINDS[kind]), 415, "")


def test_a_large_body_is_refused_without_being_held_in_memory(ask, server):
    bodies = [
        {"inputs": {"image": ["A" * MEGABYTES]}},
        b"\xff" * MEGABYTES,
        b"[{," * (MEGABYTES // 3),
    ]
    before = peak(server[1])
    for body in bodies:
        refused(ask(body), 413, "a body of more than 33,554,432 bytes")
        refused(ask(body, {"content-type": "text/plain"}), 413, "a body of more than 33,554,432 bytes")
    with httpx.Client(base_url=server[0]) as client:
        pieces = (b"0" * 10**5 for _ in range(MEGABYTES // 10**5))  # whose sum is told by nobody beforehand
        refused(client.post("/invocations", content=pieces, headers=JSON), 413, "a body of more than")
    assert peak(server[1]) - before < 2 * MEGABYTES


def peak(process):
    """Give the most memory that a process has ever held, in bytes."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def test_who_asks_before_sending_a_large_body_is_told_at_once(ask, server):
    place = httpx.URL(server[0])
    with socket.create_connection((place.host, place.port), timeout=60) as line:
        told = f"Content-Type: application/json\r\nContent-Length: {MEGABYTES}\r\nExpect: 100-continue\r\n\r\n"
        line.sendall(f"POST /invocations HTTP/1.1\r\nHost: {place.host}\r\n{told}".encode())
        assert line.recv(20).startswith(b"HTTP/1.1 413")


def test_only_this_origins_pages_are_answered(ask, server):
    refused_for_others(server[0], "POST", "/invocations", rows(photograph()))
    refused_for_others(server[0], "GET", "/version")


def test_a_page_of_another_origin_in_a_browser_is_answered_nothing(server, store, tmp_path):
    log = store / "server.log"
    with evil_page() as page, browser(tmp_path) as tab:
        before = log.read_text().count('POST /invocations HTTP/1.1" 200')
        told = attacked(tab, page, f"{server[0]}/invocations", rows(photograph()))
    assert set(told) <= {"unread", "TypeError"}
    assert log.read_text().count('POST /invocations HTTP/1.1" 200') == before
    assert log.read_text().count('POST /invocations HTTP/1.1" 403') > 3


def test_thirty_unfinished_bodies_hold_no_memory_and_let_others_be_answered(ask, server):
    """M17: 30 bodies that end nowhere were kept for ever, as many bytes as had come."""
    place, before = httpx.URL(server[0]), peak(server[1])
    told = "Content-Type: application/json\r\nContent-Length: 30000000\r\n\r\n"
    with ExitStack() as lines, ThreadPoolExecutor(8) as pool:

        def begin(_):
            line = lines.enter_context(socket.create_connection((place.host, place.port), timeout=60))
            with suppress(OSError):  # it has had to give way
                line.sendall(f"POST /invocations HTTP/1.1\r\nHost: {place.host}\r\n{told}".encode() + b" " * 10**7)

        list(pool.map(begin, range(30)))
        assert ask(rows(photograph())).status_code == 200
    assert peak(server[1]) - before < limits.BODIES_BYTES + 2 * MEGABYTES


def test_a_small_request_is_answered_before_large_ones_that_came_first(ask):
    """M17: a good request behind ten of 64 megapixels waited for all of them."""
    large, ended = rows(blank(7900)), []

    def post(name, body):
        assert ask(body).status_code == 200
        ended.append(name)

    with ThreadPoolExecutor(6) as pool:
        sent = [pool.submit(post, "large", large) for _ in range(5)]
        wait(sent, return_when=FIRST_COMPLETED)
        sent.append(pool.submit(post, "small", rows(photograph())))
        for one in sent:
            one.result()
    assert ended.index("small") < 4


def test_who_goes_away_amid_a_body_leaves_the_server_as_it_was(ask, server):
    place = httpx.URL(server[0])
    with socket.create_connection((place.host, place.port), timeout=60) as line:
        told = "Content-Type: application/json\r\nContent-Length: 900\r\n\r\n"
        line.sendall(f"POST /invocations HTTP/1.1\r\nHost: {place.host}\r\n{told}".encode() + b"{")
    with httpx.Client(base_url=server[0]) as client:
        assert client.get("/health").status_code == 200
        assert client.get("/version").status_code == 200
        assert client.get("/invocations").status_code == 405
        assert client.post("/elsewhere").status_code == 404


def test_nothing_of_it_all_was_an_error_of_the_servers(ask, store):
    assert "Traceback" not in (store / "server.log").read_text()

"""A real Chromium without a window, told what to do over its DevTools protocol."""

import base64
import itertools
import json
import os
import shutil
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from websockets.sync.client import connect

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--mute-audio",
)
FLAGS += ("--no-first-run", "--disable-extensions", "--disable-background-networking", "--remote-debugging-port=0")
WAIT = 60  # seconds for any one command
CODES = {
    "Enter": 13,
    "Backspace": 8,
    "Tab": 9,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    " ": 32,
}


class Browser:
    """One tab; `send` speaks the protocol, the rest is what tests need of it."""

    def __init__(self, socket):
        self.socket, self.numbers, self.session, self.events = socket, itertools.count(1), None, []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        self.socket.send(json.dumps(message | ({"sessionId": self.session} if self.session else {})))
        while True:
            answer = json.loads(self.socket.recv(timeout=WAIT))
            if answer.get("id") == number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self.events.append(answer)

    def size(self, width, height):
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def open(self, url):
        self.send("Page.navigate", url=url)

    def run(self, script):
        """Evaluate an expression; a promise is awaited."""
        done = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def until(self, condition):
        """Wait until an expression is true; one that fails, as on a page that is still being read, is not."""
        script = f"""new Promise((done, fail) => {{
            const end = performance.now() + {WAIT - 10} * 1000;
            const holds = () => {{ try {{ return {condition}; }} catch {{ return false; }} }};
            const look = () => {{
                if (holds()) done(true);
                else if (performance.now() > end) fail(new Error("never: " + {json.dumps(condition)}));
                else setTimeout(look, 10);
            }};
            look();
        }})"""
        return self.run(script)

    def press(self, key):
        """Press and release a key as a keyboard does."""
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        code = CODES.get(key, ord(key.upper()) if len(key) == 1 else 0)
        event = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **event)
        self.send("Input.dispatchKeyEvent", type="keyUp", **event)

    def type(self, text):
        for letter in text:
            self.press(letter)

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))

    def requested(self):
        """Give the addresses that the page has asked for."""
        sent = [event for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]

    def complaints(self):
        """Give errors of scripts and of the browser about the page."""
        found = [event["params"] for event in self.events if event.get("method") == "Runtime.exceptionThrown"]
        logged = [event["params"]["entry"] for event in self.events if event.get("method") == "Log.entryAdded"]
        return found + [entry for entry in logged if entry["level"] == "error"]


def find():
    """Give the browser's path: PHOTOCRITIC_CHROMIUM, or one on the path; skips the test where there is none."""
    named = os.environ.get("PHOTOCRITIC_CHROMIUM", "")
    found = named or next(filter(None, map(shutil.which, NAMES)), "")
    if not found:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} on the path, and PHOTOCRITIC_CHROMIUM is not set")
    return found


@contextmanager
def browser(folder: Path):
    """Start a browser with a profile of its own in a folder, and end it."""
    command = [find(), *FLAGS, f"--user-data-dir={folder / 'profile'}", "about:blank"]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True, cwd=folder
    )
    try:
        told = next((line for line in process.stderr if b"DevTools listening on " in line), None)
        assert told, "the browser ended before it listened"
        Thread(target=process.stderr.read, daemon=True).start()  # a full pipe would stop it
        with connect(told.split()[-1].decode(), max_size=None, ping_interval=None, compression=None) as socket:
            yield Browser(socket)
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # with its renderers
        process.wait()

"""A project with small parameters and everything `make server` starts, driven through Prefect's API over HTTP."""

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import psutil
from prefect.events.clients import get_events_subscriber
from prefect.logging.clients import get_logs_subscriber
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings

FINAL = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}
DEPLOYMENTS = {
    "pipeline": "pipeline/pools",
    "retrain": "retrain/nightly",
    "sweep": "sweep/pools",
    "stage": "stage/cpu",
}


# What production takes longer for: workers ask for work every ten seconds, and a run is lost after two minutes.
QUICK = {
    "PREFECT_WORKER_QUERY_SECONDS": "1",
    "PREFECT_SERVER_EVENTS_PROACTIVE_GRANULARITY": "PT1S",
    "PREFECT_SERVER_LOGS_STREAM_PUBLISHING_ENABLED": "true",  # so that a test need not ask again and again
    "PREFECT_SERVER_LOGS_STREAM_OUT_ENABLED": "true",
    "PHOTOCRITIC_RETRY_DELAYS": "2 30 90",
}
HEARTBEAT_TIMEOUT = "45"


class Team:
    """Servers and workers of a workspace.

    Parameters
    ----------
    workspace : Workspace
        The project, with small parameters; it is committed first, for workers get their code from git.
    """

    def __init__(self, workspace):
        self.workspace = workspace
        self.folder = workspace.folder
        self.ports = {name: _free() for name in ("prefect", "mlflow")}
        self.address = f"http://127.0.0.1:{self.ports['prefect']}/api"
        self.clients = {}
        self.git("checkout", "-q", "-B", "main")
        self.commit("Begin")

    def git(self, *arguments):
        identity = ["-c", "user.name=test", "-c", "user.email=test"]
        command = ["git", *identity, *arguments]
        return subprocess.run(command, cwd=self.folder, check=True, capture_output=True, text=True).stdout

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def branch(self, name, change):
        """Commit what `change` does to the folder as a branch of its own."""
        self.git("checkout", "-q", "-b", name)
        change(self.folder)
        self.commit(f"Begin {name}")
        self.git("checkout", "-q", "main")

    def up(self):
        """Start what does not run, as `make server` does."""
        ports = [word for name, port in self.ports.items() for word in (f"--{name}-port", str(port))]
        self.run("-m", "flows.servers", "start", *ports, **QUICK)

    def deploy(self):
        """Deploy the flows, as `make deploy` does."""
        self.run("-m", "flows.deploy", "--heartbeat-timeout", HEARTBEAT_TIMEOUT, PREFECT_API_URL=self.address)

    def down(self):
        return self.run("-m", "flows.servers", "stop")

    def run(self, *command, **variables):
        """Run a command of the project; the message of a failure has its output."""
        environment = os.environ | {"PREFECT_HOME": str(self.folder / ".prefect")}
        environment |= {"PYTHONHASHSEED": "0"} | variables
        done = subprocess.run(
            [sys.executable, *command], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def password(self):
        """Return the user and the password of Prefect's server, as `make server` keeps them."""
        lines = (self.folder / ".prefect/servers/access.env").read_text(encoding="utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines)["PREFECT_API_AUTH_STRING"]

    def client(self):
        """Return a client that Prefect's server knows, by password and by token."""
        auth = tuple(self.password().split(":"))
        if auth not in self.clients:
            client = httpx.Client(base_url=self.address, auth=auth, timeout=60)
            token = client.get("csrf-token", params={"client": "tests"}).raise_for_status().json()["token"]
            client.headers.update({"Prefect-Csrf-Client": "tests", "Prefect-Csrf-Token": token})
            self.clients[auth] = client
        return self.clients[auth]

    def ask(self, method, path, **body):
        for _ in range(10):
            answer = self.client().request(method, path, json=body or None)
            if answer.status_code == httpx.codes.FORBIDDEN:  # the token is an hour old
                self.clients.clear()
            elif answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:  # it has waited for its database in vain
                break
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def start(self, flow, **parameters):
        """Start a run of a deployment through the API; return its id."""
        deployment = self.ask("GET", f"deployments/name/{DEPLOYMENTS[flow]}")["id"]
        return self.ask("POST", f"deployments/{deployment}/create_flow_run", parameters=parameters)["id"]

    def state(self, run):
        return self.ask("GET", f"flow_runs/{run}")["state"]

    def ended(self, run):
        """Wait for the end of a run; return its state."""
        return self.until(lambda: (state := self.state(run))["type"] in FINAL and state)

    def until(self, found, patience=1200):
        """Return what is there at last, looked for whenever Prefect's server reports an event."""
        return self._followed(get_events_subscriber, found, patience)

    def until_logged(self, text, *runs, patience=1200):
        """Wait until one of some runs has logged a text, and return it."""

        def has_logged():
            return next((run for run in runs if any(text in line for line in self.logs(run))), None)

        return self._followed(get_logs_subscriber, has_logged, patience)

    def _followed(self, subscribe, found, patience):
        async def follow():
            async with asyncio.timeout(patience), subscribe() as news:
                if thing := found():
                    return thing
                async for _ in news:
                    if thing := found():
                        return thing
            return None

        access = {PREFECT_API_URL: self.address, PREFECT_API_AUTH_STRING: self.password()}
        with temporary_settings(access), contextlib.suppress(TimeoutError):
            if thing := asyncio.run(follow()):
                return thing
        raise AssertionError(f"not within {patience} seconds; runs: {self.summary()}")

    def runs(self, **only):
        """List all flow runs, newest first, or those of which a field has a value."""
        found = self.ask("POST", "flow_runs/filter", sort="START_TIME_DESC", limit=200)
        return [run for run in found if all(run[field] == value for field, value in only.items())]

    def below(self, run):
        """Give the stages' runs that a pipeline's run has started, by name."""
        parent = {"flow_runs": {"parent_flow_run_id": {"any_": [run]}}}
        return {one["name"]: one for one in self.ask("POST", "flow_runs/filter", sort="START_TIME_ASC", **parent)}

    def logs(self, run):
        only = {"flow_run_id": {"any_": [run]}}
        return [line["message"] for line in self.ask("POST", "logs/filter", logs=only, sort="TIMESTAMP_ASC", limit=200)]

    def artifacts(self):
        return self.ask("POST", "artifacts/latest/filter", limit=200)

    def summary(self):
        """Return the states of all runs, for the message of a test that failed."""
        return [(run["name"], run["state_name"], (run["state"] or {}).get("message")) for run in self.runs()]

    def clone(self, pool):
        """Return the folder of a worker's clone."""
        return Path(self.folder, ".prefect/workers", pool)

    def process(self, name):
        """Return one of the processes that `make server` has started."""
        return psutil.Process(json.loads((self.folder / f".prefect/servers/{name}.json").read_text())["pid"])

    def kill(self, name):
        """Kill one of them, with all that it has started, as if its machine had gone."""
        process = self.process(name)
        family = [process, *process.children(recursive=True)]
        for one in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.kill()
        psutil.wait_procs(family, timeout=30)


def _free():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]

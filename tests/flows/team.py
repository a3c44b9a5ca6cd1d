"""A project with small parameters and everything `make server` starts, driven through Prefect's API over HTTP."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time

import httpx
import psutil

FINAL = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}
DEPLOYMENTS = {
    "pipeline": "pipeline/pools",
    "retrain": "retrain/nightly",
    "sweep": "sweep/pools",
    "stage": "stage/cpu",
}


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
        self.commit("Begin")

    def commit(self, message):
        for arguments in (["checkout", "-q", "-B", "main"], ["add", "-A"], ["commit", "-q", "-m", message]):
            identity = ["-c", "user.name=test", "-c", "user.email=test"]
            subprocess.run(["git", *identity, *arguments], cwd=self.folder, check=True, capture_output=True)

    def up(self):
        """Start what does not run, as `make server` does."""
        ports = [word for name, port in self.ports.items() for word in (f"--{name}-port", str(port))]
        self.run("-m", "flows.servers", "start", *ports)

    def deploy(self):
        self.run("-m", "flows.deploy", PREFECT_API_URL=self.address)  # as make deploy does

    def down(self):
        return self.run("-m", "flows.servers", "stop")

    def run(self, *command, **variables):
        """Run a command of the project, which tells the test's output why it failed."""
        environment = os.environ | {"PREFECT_HOME": str(self.folder / ".prefect")}
        environment |= {"PYTHONHASHSEED": "0"} | variables
        done = subprocess.run(
            [sys.executable, *command], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def password(self):
        """Give the user and the password of Prefect's server, as `make server` keeps them."""
        lines = (self.folder / ".prefect/servers/access.env").read_text(encoding="utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines)["PREFECT_API_AUTH_STRING"]

    def client(self):
        """Give a client that Prefect's server knows, by password and by token."""
        auth = tuple(self.password().split(":"))
        if auth not in self.clients:
            client = httpx.Client(base_url=self.address, auth=auth, timeout=60)
            token = client.get("csrf-token", params={"client": "tests"}).raise_for_status().json()["token"]
            client.headers.update({"Prefect-Csrf-Client": "tests", "Prefect-Csrf-Token": token})
            self.clients[auth] = client
        return self.clients[auth]

    def ask(self, method, path, **body):
        answer = self.client().request(method, path, json=body or None)
        if answer.status_code == httpx.codes.FORBIDDEN:  # the token is an hour old
            self.clients.clear()
            answer = self.client().request(method, path, json=body or None)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def start(self, flow, **parameters):
        """Start a run of a deployment through the API; give its id."""
        deployment = self.ask("GET", f"deployments/name/{DEPLOYMENTS[flow]}")["id"]
        return self.ask("POST", f"deployments/{deployment}/create_flow_run", parameters=parameters)["id"]

    def state(self, run):
        return self.ask("GET", f"flow_runs/{run}")["state"]

    def ended(self, run):
        """Give the state in which a run has ended."""
        return self.until(lambda: (state := self.state(run))["type"] in FINAL and state)

    def until(self, found, patience=1200):
        """Look again and again until something is there; give it."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            with contextlib.suppress(httpx.TransportError):
                if thing := found():
                    return thing
            time.sleep(1)
        raise AssertionError(f"not within {patience} seconds; runs: {self.told()}")

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

    def told(self):
        """Tell how all runs stand, for the message of a test that failed."""
        return [(run["name"], run["state_name"], (run["state"] or {}).get("message")) for run in self.runs()]

    def process(self, name):
        """Give one of the processes that `make server` has started."""
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

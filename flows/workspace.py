"""A worker's folder: a clone of its own, which gets code through git and data through the DVC remote alone."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

from flows import process
from flows.dvc_api import push_metrics, set_remote
from photocritic.core.environment import environment
from photocritic.core.errors import ParamsError, PhotocriticError
from photocritic.core.lock import alone
from photocritic.core.paths import METRICS
from photocritic.core.redaction import redacted

FOLDER = "PHOTOCRITIC_WORKSPACE"  # where a worker's clone stands
REMOTE = "PHOTOCRITIC_REMOTE"  # what data is exchanged through: a folder, or any address that DVC knows
_AUTHOR = "photocritic"  # of the commits that keep what runs have made
# What DVC commits an experiment as; a machine may have no identity of its own.
_IDENTITY = {f"GIT_{role}_{part}": _AUTHOR for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
_NAME = "exchange"  # of the DVC remote
_LOGINS = frozenset({"http", "https", "webdav", "webdavs", "ssh"})  # addresses for which DVC takes a user apart
RUNS = "runs/"  # with which the name of every branch begins that runs push

logger = logging.getLogger(__name__)


class Workspace:
    """A clone of the project.

    Parameters
    ----------
    folder : Path
        Its root.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.locks: list[int] = []  # file descriptors, which what runs in the clone holds as well

    @classmethod
    def here(cls) -> "Workspace":
        """Return the workspace of the worker that runs this process.

        Raises
        ------
        PhotocriticError
            The worker was started without one.
        """
        folder = os.environ.get(FOLDER)
        if not folder:
            raise PhotocriticError(f"{FOLDER} is not set: start workers with `make server`")
        return cls(Path(folder))

    @contextmanager
    def at(self, revision: str, params: str) -> Iterator[None]:
        """Lock the workspace, at a revision and with a params.yaml; wait for others to leave it.

        Parameters
        ----------
        revision : str
            A commit, branch or tag that the clone's origin has.
        params : str
            What params.yaml holds.

        Raises
        ------
        PhotocriticError
            The revision is not there.
        """
        with alone(self.folder, wait=True) as lock:
            self.locks = [lock]
            self.git("fetch", "--quiet", "--prune", "origin")
            self.git("checkout", "--quiet", "--force", "--detach", self.commit(revision))
            (self.folder / "params.yaml").write_text(params, encoding="utf-8")
            self.use_remote(os.environ.get(REMOTE, ""), default=True)
            try:
                yield
            finally:
                self.locks = []

    def commit(self, revision: str) -> str:
        """Return the commit that a branch of the origin, a tag or an abbreviation stands for."""
        for name in (f"origin/{revision}", revision):
            done = self._git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
            if done.returncode == 0:
                return done.stdout.strip()
        raise PhotocriticError(f"{self.folder}: its origin has no revision '{revision}'; push it there first")

    def fetch(self, revision: str) -> str:
        """Fetch from the origin; return the commit of a revision, or of its main branch where that is empty."""
        self.git("fetch", "--quiet", "--prune", "origin")
        return self.commit(revision or "HEAD")

    def share(self, stage: str, on_line: Callable[[str], None] = logger.info) -> None:
        """Push what a stage has written, and the record of its run, by which other clones find it.

        Raises
        ------
        OSError
            The remote did not take it.
        """
        status, message = self.dvc("push", "--run-cache", stage, on_line=on_line)
        if status:
            raise OSError(f"{stage}: its outputs could not be pushed:\n{message}")
        push_metrics(stage, self.folder)

    def changes_since(self, branch: str) -> list[str]:
        """Return the stages that are out of date against what a branch of the origin keeps; all where there is none."""
        if self._git("checkout", "--quiet", f"origin/{branch}", "--", "dvc.lock").returncode:
            return [f"{branch} is not there yet"]
        lines: list[str] = []
        status, message = self.dvc("status", "--json", on_line=lines.append)
        if status:
            raise PhotocriticError(f"dvc status in {self.folder}: {message}")
        found = json.loads("\n".join(lines))
        # Outputs that are not as the lock says are put back from the cache: nothing has to run for them.
        return [name for name, why in found.items() if any(set(one) != {"changed outs"} for one in why)]

    def numbers(self) -> dict[str, float]:
        """Return the metrics of the last evaluation here."""
        found: dict[str, float] = json.loads((self.folder / METRICS).read_text(encoding="utf-8"))
        return found

    def keep_experiment(self, name: str) -> None:
        """Save what is in the clone as a DVC experiment, and push it."""
        checked_name(name)
        for arguments in (("save", "--force", "--name", name), ("push", "origin", name)):
            status, message = self.dvc("exp", *arguments)
            if status:
                raise PhotocriticError(f"dvc exp {arguments[0]} {name}: {message}")

    def git(self, *arguments: str) -> str:
        """Run git in the clone and return what it prints.

        Raises
        ------
        PhotocriticError
            It failed.
        """
        done = self._git(*arguments)
        if done.returncode:
            raise PhotocriticError(f"git {arguments[0]} in {self.folder}: {redacted(' '.join(done.stderr.split()))}")
        return done.stdout.strip()

    def keep(self, branch: str, message: str) -> None:
        """Commit params.yaml, dvc.lock and the metrics, which are git's, and push them to the origin as a branch.

        Raises
        ------
        PhotocriticError
            The branch is not one of runs, or somebody has pushed to it since this clone has looked at the origin.
        """
        checked_name(branch, RUNS)
        self.git("checkout", "--quiet", "-B", branch)
        self.git("add", "--all")
        self.git(
            "-c", f"user.name={_AUTHOR}", "-c", f"user.email={_AUTHOR}", "commit", "-q", "--allow-empty", "-m", message
        )
        target = f"refs/heads/{branch}"
        known = self._git("rev-parse", "--verify", "--quiet", f"refs/remotes/origin/{branch}").stdout.strip()
        self.git("push", "--quiet", f"--force-with-lease={target}:{known}", "origin", f"HEAD:{target}")

    def dvc(self, *arguments: str, on_line: Callable[[str], None] = logger.info) -> tuple[int, str]:
        """Run DVC in the clone; return its exit status and last lines."""
        command = [sys.executable, "-m", "dvc", *arguments]
        return process.run(command, on_line, self.folder, environment() | _IDENTITY, self.locks)

    def use_remote(self, remote: str, default: bool = False) -> None:
        """Set the DVC remote of this clone, and of no other, to the one that data is exchanged through.

        A user and a password in its address are kept apart from it, where DVC takes them so: then no list of remotes
        shows them. The file is its owner's alone.

        Parameters
        ----------
        remote : str
            A folder, or any address that DVC knows.
        default : bool
            Use it where no other is named.

        Raises
        ------
        PhotocriticError
            There is none, or DVC does not take its address.
        """
        if not remote:
            raise PhotocriticError(f"{REMOTE} is not set: say what data is exchanged through, a folder or s3://...")
        kept = self.folder / ".dvc/config.local"
        kept.touch(mode=0o600)
        kept.chmod(0o600)
        try:
            set_remote(_NAME, _options(remote), self.folder, default)
        except ValueError as error:
            raise PhotocriticError(redacted(f"{REMOTE}={remote}: {' '.join(str(error).split())}")) from None

    def _git(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["git", *arguments], cwd=self.folder, capture_output=True, text=True, check=False)


def checked_name(name: str, prefix: str = "") -> str:
    """Return a name that git takes for a branch.

    Parameters
    ----------
    name : str
        Of a branch or an experiment.
    prefix : str
        With which it must begin.

    Raises
    ------
    ParamsError
        It is none.
    """
    command = ["git", "check-ref-format", f"refs/heads/{name}"]
    begins = name.startswith(prefix) and not name.startswith("-") and name.isprintable()
    if not begins or subprocess.run(command, capture_output=True, check=False).returncode:
        raise ParamsError(
            f"{name!r:.80} cannot name what a run keeps: use {prefix}<name> with letters, digits and dashes"
        )
    return name


def _options(remote: str) -> dict[str, str]:
    """Return a remote's settings: its address, and who asks there apart from it."""
    try:
        parts = urlsplit(remote)
        user, password = parts.username, parts.password
    except ValueError as error:
        raise PhotocriticError(redacted(f"{REMOTE}={remote}: {error}")) from None
    if parts.scheme not in _LOGINS or not (user or password):
        return {"url": remote}
    found = {"url": parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl(), "user": unquote(user or "")}
    if parts.scheme.startswith("http"):
        found["auth"] = "basic"
    return found | ({"password": unquote(password)} if password else {})

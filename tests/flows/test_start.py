"""deploy/start: a machine of a cluster gets a clone at the origin's newest commit before its command runs."""

import os
import subprocess

import pytest

SAYS = 'pwd; git rev-parse HEAD; readlink .venv; echo "$PYTHONPATH"; git status --porcelain'


def git(folder, *arguments):
    identity = ("-c", "user.name=tester", "-c", "user.email=tester@example.org")
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def origin(tmp_path):
    """Give a repository with one commit."""
    origin = tmp_path / "origin"
    git(tmp_path, "init", "--quiet", str(origin))
    (origin / ".gitignore").write_text("/.venv\n")
    git(origin, "add", "--all")
    git(origin, "commit", "--quiet", "--message", "first")
    return origin


def start(root, *command, **variables):
    done = subprocess.run(
        [root / "deploy" / "start", *command], env=os.environ | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def test_each_start_brings_the_clone_to_the_origins_newest_commit(root, origin, tmp_path):
    clone = tmp_path / "clone"
    variables = {"ORIGIN": str(origin), "PHOTOCRITIC_WORKSPACE": str(clone)}
    said = [str(clone), git(origin, "rev-parse", "HEAD"), f"{root}/.venv", f"{clone}/src:{clone}"]
    assert start(root, "sh", "-c", SAYS, **variables) == said
    git(origin, "commit", "--quiet", "--allow-empty", "--message", "second")
    (clone / ".gitignore").write_text("changed by a run that was killed\n")
    said[1] = git(origin, "rev-parse", "HEAD")
    assert start(root, "sh", "-c", SAYS, **variables) == said


def test_without_an_origin_a_command_runs_with_the_projects_environment(root, tmp_path):
    said = start(root, "sh", "-c", 'echo "${PATH%%:*}"', ORIGIN="")
    assert said == [f"{root}/.venv/bin"]


def test_secrets_come_from_files(root, tmp_path):
    for name in ("prefect", "postgres"):
        (tmp_path / name).write_text(f"of-{name}\n")
    files = {"PREFECT_PASSWORD_FILE": str(tmp_path / "prefect"), "POSTGRES_PASSWORD_FILE": str(tmp_path / "postgres")}
    names = ("PREFECT_API_AUTH_STRING", "PREFECT_API_DATABASE_CONNECTION_URL", "MLFLOW_BACKEND_STORE_URI")
    said = start(root, "printenv", *names, ORIGIN="", POSTGRES_HOST="db", **files)
    assert said == [
        "admin:of-prefect",
        "postgresql+asyncpg://photocritic:of-postgres@db/prefect",
        "postgresql://photocritic:of-postgres@db/mlflow",
    ]


def test_a_mirror_has_the_origins_branches_and_keeps_what_runs_have_pushed(root, origin, tmp_path):
    mirror = tmp_path / "mirror"
    start(root, "mirror", str(origin), str(mirror), ORIGIN="")
    git(mirror, "branch", "runs/one")
    git(origin, "commit", "--quiet", "--allow-empty", "--message", "second")
    start(root, "mirror", str(origin), str(mirror), ORIGIN="")
    assert git(mirror, "rev-parse", "HEAD") == git(origin, "rev-parse", "HEAD")
    assert git(mirror, "rev-parse", "runs/one") == git(origin, "rev-parse", "HEAD~1")


def test_prefects_server_does_not_start_without_a_password(root):
    done = subprocess.run(
        [root / "deploy" / "start", "prefect-server"],
        env={"PATH": os.environ["PATH"], "ORIGIN": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "PREFECT_API_AUTH_STRING" in done.stderr

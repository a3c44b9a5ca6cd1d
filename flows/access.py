"""Access to Prefect's server: a password that its owner's processes alone know, and that nobody has to invent."""

import os
import secrets
from pathlib import Path

from photocritic.core.files import atomic_file

FILE = Path(".prefect/servers/access.env")  # as a shell reads it, for the owner alone
API, PASSWORD = "PREFECT_API_URL", "PREFECT_API_AUTH_STRING"
GUARDED = "photocritic.web:GuardedProtocol"  # what uvicorn is to speak HTTP by


def create(api: str, password: str = "") -> dict[str, str]:
    """Return what clients of a server must find in their environment.

    Parameters
    ----------
    api : str
        The server's address.
    password : str, optional
        A user and a password with a colon between; a new one by default.
    """
    password = password or f"admin:{secrets.token_urlsafe(24)}"
    return {API: api, PASSWORD: password, "PREFECT_CLIENT_CSRF_SUPPORT_ENABLED": "true"}


def required(client: dict[str, str]) -> dict[str, str]:
    """Return what the server must find in its environment to want what these clients have."""
    return {
        "PREFECT_SERVER_API_AUTH_STRING": client[PASSWORD],
        "PREFECT_SERVER_CSRF_PROTECTION_ENABLED": "true",
        "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": client[API].removesuffix("/api"),  # its own pages
        "PREFECT__SERVER_FINAL": "1",
    }


def command(host: str, port: int, *options: str) -> list[str]:
    """Return the arguments with which Python runs the server, as `prefect server start` does, behind the guard."""
    app = ["--factory", "prefect.server.api.server:create_app", "--http", GUARDED, "--lifespan", "on"]
    return ["-m", "uvicorn", *app, "--host", host, "--port", str(port), "--no-access-log", *options]


def keep(api: str) -> dict[str, str]:
    """Return the access to this folder's server, made the first time and kept for its owner alone."""
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.parent.parent.chmod(0o700)  # the server's database and its workers' logs stand there too
    client = create(api, read().get(PASSWORD, ""))
    with atomic_file(FILE) as temporary:
        temporary.touch(mode=0o600)
        temporary.write_text("".join(f"{name}={value}\n" for name, value in client.items()), encoding="utf-8")
    return client


def read() -> dict[str, str]:
    """Return the access that `keep` has kept in this folder; empty where there is none."""
    if not FILE.is_file():
        return {}
    pairs = [line.partition("=") for line in FILE.read_text(encoding="utf-8", errors="replace").splitlines()]
    found = {name: value for name, _, value in pairs}
    return found if {API, PASSWORD} <= found.keys() else {}


def use() -> None:
    """Set the access to this folder's server in the environment, where PREFECT_API_URL names that one and no other."""
    if PASSWORD not in os.environ and os.environ.get(API) and (found := read()).get(API) == os.environ[API]:
        os.environ.update(found)

"""The password of Prefect's server: made once, its owner's alone, and given to no other server."""

import os

import pytest

from flows import access

API = "http://127.0.0.1:4200/api"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Run in an empty folder, without a server in the environment."""
    monkeypatch.chdir(tmp_path)
    for name in (access.API, access.PASSWORD, "PREFECT_CLIENT_CSRF_SUPPORT_ENABLED"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    return tmp_path


def test_a_password_is_made_once_and_kept_for_its_owner_alone(folder):
    made = access.keep(API)
    assert access.keep("http://127.0.0.1:4201/api")[access.PASSWORD] == made[access.PASSWORD]
    assert access.read()[access.API] == "http://127.0.0.1:4201/api"
    assert (folder / access.FILE).stat().st_mode & 0o777 == 0o600
    assert (folder / ".prefect").stat().st_mode & 0o777 == 0o700
    user, _, password = made[access.PASSWORD].partition(":")
    assert user == "admin"
    assert len(password) >= 32
    assert access.create(API)[access.PASSWORD] != access.create(API)[access.PASSWORD]


@pytest.mark.parametrize("content", ["", "PREFECT_API_URL=x\n", "\x00\xff"])
def test_a_file_that_is_not_whole_is_none(folder, content):
    access.keep(API)
    access.FILE.write_text(content, encoding="latin-1")
    assert access.read() == {}


def test_a_process_takes_the_password_for_this_folders_server_alone(folder, monkeypatch):
    made = access.keep(API)
    for other in ("", "http://prefect.example.org:4200/api", "http://127.0.0.1:4201/api"):
        monkeypatch.setenv(access.API, other)
        access.use()
        assert access.PASSWORD not in os.environ
    monkeypatch.setenv(access.API, API)
    access.use()
    assert os.environ[access.PASSWORD] == made[access.PASSWORD]


def test_the_server_wants_what_its_clients_have_and_knows_its_own_pages_alone():
    client = access.create(API)
    wanted = access.required(client)
    assert wanted["PREFECT_SERVER_API_AUTH_STRING"] == client[access.PASSWORD]
    assert wanted["PREFECT_SERVER_CORS_ALLOWED_ORIGINS"] == "http://127.0.0.1:4200"
    assert access.GUARDED in access.command("127.0.0.1", 4200)

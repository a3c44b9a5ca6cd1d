"""Passwords do not reach messages, logs and links."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic.core.redaction import redacted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://user:secret@host/x", "https://host/x"),
        ("fatal: 'https://ghp_token@github.com/a/b.git/': 403", "fatal: 'https://github.com/a/b.git/': 403"),
        ("postgresql+asyncpg://u:p@ss@db:5432/x", "postgresql+asyncpg://db:5432/x"),
        ("ssh://user:a/b@host/x", "ssh://host/x"),
        ("http://127.0.0.1:5000/#/experiments/1", "http://127.0.0.1:5000/#/experiments/1"),
        ("http://host:80/x@1", "http://host:80/x@1"),
        ("s3://bucket/a@b", "s3://bucket/a@b"),
        ("git@github.com:a/b.git and a@b.c", "git@github.com:a/b.git and a@b.c"),
        ("azure://c/x?sv=1&sig=abc%2F&se=2", "azure://c/x?sv=1&sig=***&se=2"),
        ("https://h/?access_token=abc", "https://h/?access_token=***"),
        ("two: http://a:b@c and http://d:e@f", "two: http://c and http://f"),
    ],
)
def test_what_is_secret_in_an_address_is_left_out(text, shown):
    """L13"""
    assert redacted(text) == shown
    assert redacted(shown) == shown


SAFE = st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="'\"<>@/?#"), min_size=1)


@given(SAFE, SAFE)
def test_no_password_is_left(user, password):
    assert redacted(f"at https://{user}:{password}@host.example/path now") == "at https://host.example/path now"

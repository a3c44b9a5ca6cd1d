"""Servers and workers for the tests that need them."""

import pytest

from tests.flows.team import Team


@pytest.fixture(scope="module")
def team(fresh):
    """Give servers and workers beside a small project."""
    team = Team(fresh())
    team.up()
    team.deploy()
    yield team
    team.down()

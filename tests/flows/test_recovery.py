"""What Prefect's server watches runs by."""

from datetime import timedelta

import pytest
from ruamel.yaml import YAML

from flows.recovery import HEARTBEAT_TIMEOUT, PARTS, TOP_LEVEL, automations


def test_a_run_is_lost_after_four_heartbeats_that_did_not_come(root):
    environment = YAML(typ="safe").load(root / "prefect.yaml")["definitions"]["environment"]["env"]
    assert 4 * float(environment["PREFECT_FLOWS_HEARTBEAT_FREQUENCY"]) == HEARTBEAT_TIMEOUT == 120


@pytest.mark.parametrize(("options", "seconds"), [((), 120), ((45,), 45)])
def test_silence_makes_parts_crash_and_starts_the_others_again(options, seconds):
    silent_part, silent, crashed = automations(*options)
    assert silent_part.trigger.within == silent.trigger.within == timedelta(seconds=seconds)
    assert silent_part.actions[0].name == "Crashed"
    assert f"{seconds} seconds" in silent_part.actions[0].message
    assert silent.actions[0].name == crashed.actions[0].name == "AwaitingRetry"
    assert silent_part.trigger.match_related["prefect.resource.name"] == PARTS
    assert silent.trigger.match_related["prefect.resource.name"] == TOP_LEVEL

"""How deep JSON is nested."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from photocritic.core.limits import JSON_DEPTH
from photocritic.core.nesting import is_too_deep

quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)


@quick
@given(
    st.recursive(
        st.one_of(st.none(), st.text(), st.sampled_from(['"', "\\", "[{", '\\"[', "\ud83d", "😀"])),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    )
)
def test_depth_is_that_of_the_value(value: Any) -> None:
    def depth(part: Any) -> int:
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        return max(map(depth, inner), default=0) + isinstance(part, dict | list)

    levels = JSON_DEPTH - depth(value)
    text = json.dumps(value)
    assert not is_too_deep("[" * levels + text + "]" * levels)
    assert is_too_deep("[" * (levels + 1) + text + "]" * (levels + 1))

"""The Data Docs page of a failed table, on which nothing of the data runs and for which nothing is fetched."""

import html
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from great_expectations.core import ExpectationSuiteValidationResult

# The page's own styles may stand in it; nothing else is loaded, run or sent, whatever the data holds.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }
table { border-collapse: collapse; } td, th { border: 1px solid #bbb; padding: .3em .6em; text-align: left; }
td, th { overflow-wrap: anywhere; vertical-align: top; } .modal, .ge-navigation-sidebar-container { display: none; }
"""
_ACTIVE = re.compile(
    r"<script\b.*?</script\s*>|<(?:link|img|iframe|object|embed|base|meta)\b[^>]*>", re.DOTALL | re.IGNORECASE
)
_LINK = re.compile(
    r"""<a\b[^>]*\bhref=(?:"[^"#][^"]*"|'[^'#][^']*')[^>]*>""", re.IGNORECASE
)  # to pages that are not made
_HANDLER = re.compile(r"""\son[a-z]+\s*=\s*(?:"[^"]*"|'[^']*')""", re.IGNORECASE)


def render(result: "ExpectationSuiteValidationResult") -> str:
    """Render what a suite found as Great Expectations' page, made safe to open.

    Great Expectations writes some values into the page as they are, and loads scripts and styles from six other hosts.
    Here values are escaped before it gets them, its own scripts and links are taken out, and a content security policy
    forbids whatever is left.

    Parameters
    ----------
    result : ExpectationSuiteValidationResult
        What the suite found, with values of the data in it; they are escaped in place.

    Returns
    -------
    str
        The page, which needs no other file.
    """
    from great_expectations.render.renderer import ValidationResultsPageRenderer
    from great_expectations.render.view import DefaultJinjaPageView

    for item in result.results:
        # With the places of all unexpected values the page lists none where there are more than a few.
        item.result = _escaped({key: value for key, value in item.result.items() if key != "unexpected_index_list"})
        item.exception_info = _escaped(item.exception_info)
        item.expectation_config.kwargs.update(_escaped(dict(item.expectation_config.kwargs)))
    page = str(DefaultJinjaPageView().render(ValidationResultsPageRenderer().render(result)))
    policy = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    head = f"<!DOCTYPE html>\n{policy}<style>{STYLE}</style>\n"
    return head + _HANDLER.sub("", _LINK.sub("<a>", _ACTIVE.sub("", page))).replace("<!DOCTYPE html>", "", 1)


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return html.escape(value)
    if isinstance(value, dict):
        return {_escaped(key): _escaped(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_escaped(one) for one in value]
    return value

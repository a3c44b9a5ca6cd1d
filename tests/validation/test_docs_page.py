"""The Data Docs page of a failed gate: nothing of the data runs, nothing is fetched; messages name nobody (H3)."""

from html.parser import HTMLParser

import pandas as pd
import pytest

from photocritic import tables
from photocritic.core.errors import GateFailed
from photocritic.validation import checks, gate
from tests.browser import browser

ATTACKS = (
    "<svg/onload=document.title='PWNED'>",
    "<script>document.title='PWNED'</script>",
    "</td></table><img src=x onerror=document.title='PWNED'>",
    "<iframe srcdoc='<script>parent.document.title=1</script>'></iframe>",
    '"><a href="javascript:document.title=\'PWNED\'">x</a>',
    "<link rel=stylesheet href=//example.org/x.css>",
    "<meta http-equiv=refresh content='0;url=http://example.org'>",
    "$column {{ 7*7 }} ${jndi:x} <style>@import '//example.org'</style>",
)


class Active(HTMLParser):
    """Lists what could run or be fetched."""

    def __init__(self):
        super().__init__()
        self.found, self.policy = [], ""

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag == "meta" and values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]
            return
        handlers = [name for name in values if name.startswith("on")]
        loaded = [name for name in ("src", "srcdoc", "action", "data") if name in values]
        links = [value for value in (values.get("href"),) if value and not value.startswith("#")]
        if tag in {"script", "link", "iframe", "object", "embed", "base", "img", "svg"} or handlers or loaded or links:
            self.found.append((tag, attrs))
        if tag == "meta" and "http-equiv" in values:
            self.found.append((tag, attrs))


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Let a gate fail on hostile texts, in cells of several columns."""
    folder = tmp_path_factory.mktemp("docs")
    text = {"image_id": "i", "author_id": "jane_doe_1984", "style": None}
    rows = [text | {"comment_id": attack, "text": attack, "source": attack} for attack in ATTACKS for _ in range(2)]
    rows += [text | {"comment_id": "twice", "text": "Jane Doe of Main Street 7", "source": "s"}] * 2
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        with pytest.raises(GateFailed) as refusal:
            tables.save("comments", folder / "data" / "comments.parquet", tables.from_rows("comments", rows))
    return folder / gate.DATA_DOCS / "data-comments" / "index.html", str(refusal.value)


def test_nothing_on_the_page_can_run_or_load(page):
    content = page[0].read_text(encoding="utf-8")
    active = Active()
    active.feed(content)
    assert active.found == []
    assert active.policy.startswith("default-src 'none'")
    assert content.index("Content-Security-Policy") < content.index("&lt;svg")
    assert "expect" in content.lower() or "unexpected" in content.lower()


def test_a_browser_runs_and_fetches_nothing(page, tmp_path):
    with browser(tmp_path) as tab:
        tab.open(page[0].as_uri())
        tab.until("document.readyState === 'complete' && document.body.innerText.includes('svg/onload')")
        assert "PWNED" not in tab.run("document.title")
        assert {url.partition("?")[0] for url in tab.requested()} <= {page[0].as_uri()}


def test_the_message_shows_row_numbers_and_no_words_or_authors(page):
    message = page[1]
    assert "comment_id: expected no value twice" in message
    assert "row 0; " in message
    for private in ("svg", "PWNED", "jane_doe", "Jane", "Main Street"):
        assert private not in message


def test_names_of_columns_are_escaped_as_well(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"image_id": ["a", "b"], ATTACKS[0]: [None, 1.0]})
    result = gate._validate("images", frame, [checks.filled(ATTACKS[0])])
    gate._render(result, tmp_path / "site")
    active = Active()
    active.feed((tmp_path / "site" / "index.html").read_text(encoding="utf-8"))
    assert active.found == []


def test_a_swapped_column_shows_no_texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    row = {"image_id": "a", "comment_id": "i", "author_id": "jane", "style": None, "source": "s"}
    rows = [row | {"image_id": "what Jane Doe wrote", "text": f"{number}.jpg"} for number in range(4)]
    with pytest.raises(GateFailed) as refusal:
        tables.save("comments", tmp_path / "comments.parquet", tables.from_rows("comments", rows))
    assert "Jane" not in str(refusal.value)
    assert "jane" not in str(refusal.value)

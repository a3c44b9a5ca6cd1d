"""The report in a real browser: a thousand photographs searched, chosen, sorted and read, by keyboard."""

import io
import re
from base64 import b64encode

import numpy as np
import pytest
from PIL import Image

from photocritic.report.blocks import Report, Section, write
from photocritic.report.cards import Card, Gallery, ScoredCaption
from tests.browser import browser

NASTY = "<b id=injected>bold</b> & </script><img src=x onerror='document.title=1'> \"q\" [a-"
COLOURS = {"ns": "#3b82f6", "cws": "#f59e0b"}
TOPICS = {number: f"{number}: light, soft light, name{number}" for number in range(5)}
SCORES = np.random.default_rng(0).random((1000, 2, 2)).round(3)
CARDS = "[...document.querySelectorAll('.cards article')]"
NAMES = CARDS + ".map(card => card.querySelector('img').alt.split(' ')[1])"


def photograph(number):
    """Make a small JPEG of a colour of its own."""
    buffer = io.BytesIO()
    Image.new("RGB", (32, 24), (number % 256, number // 4, 100)).save(buffer, "JPEG")
    return f"data:image/jpeg;base64,{b64encode(buffer.getvalue()).decode()}"


def card(number):
    """Describe photograph `number`: every seventh caption of ns has a dog, every tenth reference a lamp."""
    animal = "Dog" if number % 7 == 0 else "cat"
    spoken = [
        ScoredCaption("ns", f"a {animal} in the park", -9.5, SCORES[number, 0].tolist()),
        ScoredCaption(
            "cws", NASTY if number == 3 else f"soft light on number{number}", -12.0, SCORES[number, 1].tolist()
        ),
    ]
    references = [f"It stands {number}", *(["A glowing lamp"] if number % 10 == 0 else []), "Five", "of", "them"]
    return Card(f"image{number:04}", photograph(number), spoken, references, ["outdoor"], [(number % 5, 0.75)])


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    """Give a tab that has opened a report with a thousand photographs from its file."""
    folder = tmp_path_factory.mktemp("report")
    gallery = Gallery(COLOURS, {"cider_d": "CIDEr-D", "bleu_4": "BLEU-4"}, [card(n) for n in range(1000)], TOPICS)
    few = Gallery(COLOURS, {"cider_d": "CIDEr-D", "bleu_4": "BLEU-4"}, [card(3)], TOPICS, "Best", tools=False)
    sections = [Section("Best and worst", [few]), Section("Gallery", [gallery])]
    write(Report("A thousand", "Side by side.", sections=sections), folder / "report.html")
    with browser(folder) as one:
        one.path = folder / "report.html"
        one.size(1280, 900)
        yield one


@pytest.fixture
def page(tab):
    """Give the tab with the page opened anew."""
    tab.open("about:blank")
    tab.open(tab.path.as_uri())
    tab.until("document.readyState === 'complete' && document.querySelector('.tools output').value")
    return tab


def gallery_names(page):
    """Name the drawn photographs of the gallery, without the one above it."""
    return page.run(NAMES)[1:]


def said(page):
    return page.run("document.querySelector('.tools output').value")


def choose(page, name, key, times=1):
    """Change a list by keyboard."""
    page.run(f"document.querySelector('select[name={name}]').focus()")
    for _ in range(times):
        page.press(key)


def test_it_opens_from_a_file_and_asks_for_nothing(page):
    assert page.run("document.title") == "A thousand · photocritic"
    assert said(page) == "1,000 photographs"
    assert {url.partition(":")[0] for url in page.requested()} <= {"file", "data", "about"}
    assert [url for url in page.requested() if url.startswith("file")][-1] == page.path.as_uri()
    assert not page.complaints()


def test_a_search_finds_what_it_should_whatever_it_is_written_in(page):
    page.press("/")
    assert page.run("document.activeElement.name") == "words"
    page.type("dog")
    assert said(page) == f"{len(range(0, 1000, 7))} photographs"
    assert page.run("[...new Set([...document.querySelectorAll('mark')].map(m => m.innerText))]") == ["Dog"]
    page.type(" lamp")
    assert said(page) == f"{len(range(0, 1000, 70))} photographs"
    assert gallery_names(page) == [f"image{number:04}" for number in range(0, 1000, 70)]
    summary = page.run(f"{CARDS}[1].querySelector('summary').innerText")
    assert summary == "5 references · 1 match"
    page.run("document.querySelector('[name=words]').select()")
    page.type("[a-")  # means something in patterns
    assert (said(page), gallery_names(page)) == ("1 photograph", ["image0003"])
    page.type("no such thing")
    assert (said(page), gallery_names(page)) == ("0 photographs", [])


def test_what_was_written_stays_text(page):
    assert not page.run("document.getElementById('injected')")
    assert page.run(f"{CARDS}[0].querySelectorAll('ul p')[1].textContent") == NASTY
    assert not page.complaints()


def test_photographs_are_sorted_by_any_variant_and_metric_from_the_keyboard(page):
    choose(page, "order", "ArrowDown")
    best = np.argsort(-SCORES[:, 0, 0], kind="stable")
    assert gallery_names(page)[:10] == [f"image{number:04}" for number in best[:10]]
    assert page.run(f"{CARDS}[1].querySelector('.numbers').innerText") == f"{SCORES[best[0], 0, 0]:.2f} · -9.5"
    choose(page, "variant", "ArrowDown")
    choose(page, "metric", "ArrowDown")
    choose(page, "order", "ArrowDown")
    worst = np.argsort(SCORES[:, 1, 1], kind="stable")
    assert gallery_names(page)[:10] == [f"image{number:04}" for number in worst[:10]]
    shown = page.run(f"[...{CARDS}[1].querySelectorAll('.numbers')].map(n => n.innerText.split(' ')[0])")
    assert shown == [f"{score:.2f}" for score in SCORES[worst[0], :, 1]]
    choose(page, "order", "ArrowDown")
    apart = np.abs(SCORES[:, 0, 1] - SCORES[:, 1, 1])
    assert gallery_names(page)[0] == f"image{int(apart.argmax()):04}"
    choose(page, "order", "ArrowUp", 3)
    assert gallery_names(page)[:2] == ["image0000", "image0001"]


def test_a_topic_is_chosen_on_a_card_or_in_the_list(page):
    chips = f"{CARDS}[1].querySelector('.labels button')"
    assert page.run(f"{chips}.title") == "topic 0: light, soft light, name0; 75% of what people wrote"
    page.run(f"{chips}.focus()")
    page.press("Enter")
    assert said(page) == "200 photographs"
    assert page.run("document.activeElement.name") == "topic"
    page.press("ArrowDown")
    assert gallery_names(page)[:3] == ["image0001", "image0006", "image0011"]
    page.press("/")
    page.type("name1 dog")
    assert said(page) == f"{len([n for n in range(0, 1000, 7) if n % 5 == 1])} photographs"


def test_all_scores_and_references_open_by_keyboard(page):
    page.run(f"{CARDS}[1].querySelectorAll('summary')[1].focus()")
    page.press("Enter")
    page.until(f"{CARDS}[1].querySelector('table')")
    cells = page.run(f"[...{CARDS}[1].querySelectorAll('tbody tr')].map(r => [...r.children].map(c => c.innerText))")
    expected = [
        [name, *(f"{score:.3f}" for score in SCORES[0, :, at])] for at, name in enumerate(("CIDEr-D", "BLEU-4"))
    ]
    assert cells == expected
    assert page.run(f"[...{CARDS}[1].querySelectorAll('thead th')].map(h => h.textContent)") == list(COLOURS)
    page.run(f"{CARDS}[1].querySelector('summary').focus()")
    page.press("Enter")
    page.until(f"{CARDS}[1].querySelector('ol')")
    listed = page.run(f"[...{CARDS}[1].querySelectorAll('ol li')].map(item => item.textContent)")
    assert listed == ["It stands 0", "A glowing lamp", "Five", "of", "them"]


def test_few_cards_are_drawn_until_one_goes_on(page):
    first = len(gallery_names(page))
    assert 12 <= first < 100
    page.run("document.querySelector('.more').scrollIntoView()")
    page.until(f"{CARDS}.length > {first + 1}")
    page.press("/")
    page.type("dog")
    while page.run("!document.querySelector('.more').hidden"):
        page.run("document.querySelector('.more').click()")
    assert gallery_names(page) == [f"image{number:04}" for number in range(0, 1000, 7)]


def test_every_control_has_a_name(page):
    nameless = (
        "[...document.querySelectorAll('input, select, button')].filter(e => !e.ariaLabel && !e.closest('label') "
    )
    assert page.run(nameless + "&& !e.innerText.trim()).length") == 0
    assert page.run("[...document.querySelectorAll('.tools label')].map(l => l.firstChild.data.trim())") == [
        "Topic",
        "Order",
        "Variant",
        "Metric",
    ]


def luminance(colour):
    """Give the relative luminance of `rgb(r, g, b)` (WCAG 2)."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_is_legible_in_light_and_dark_on_a_phone_and_a_screen(page, scheme, width):
    page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    page.size(width, 844)
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
    for what in ("body", ".numbers", ".labels button", "summary", ".tools select"):
        style = f"getComputedStyle(document.querySelector('{what}'))"
        page_or_card = "body" if what == "body" else ".cards article"
        behind = page.run(f"getComputedStyle(document.querySelector('{page_or_card}')).backgroundColor")
        bright, dim = sorted((luminance(page.run(f"{style}.color")), luminance(behind)), reverse=True)
        assert (bright + 0.05) / (dim + 0.05) >= 4.5, what
        assert (luminance(behind) > 0.5) == (scheme == "light")
    page.size(1280, 900)

"""The report: one file, complete, and safe whatever people wrote."""

import io
import json
import re
from base64 import b64decode
from html.parser import HTMLParser

import numpy as np
import pytest
from PIL import Image

from photocritic.config import FilterParams
from photocritic.core.errors import PhotocriticError
from photocritic.report import earlier_stages, figures
from photocritic.report.blocks import (
    Cell,
    Fact,
    Group,
    Picture,
    Report,
    Row,
    Section,
    Table,
    Terms,
    Thumbnail,
    markdown,
    render,
    write,
)
from photocritic.report.cards import Card, Gallery, ScoredCaption
from photocritic.report.gallery import thumbnail
from tests.evaluation.conftest import vectors, write_json

NASTY = "<script>alert('x')</script> \"onload=\"& ünï 日本 {{ 7*7 }}"


VOID = {"meta", "img", "input", "br", "link"}


class Reader(HTMLParser):
    """Collects a page's tags, attributes and text, and checks that tags close in order."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text, self.open = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def read(page):
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert not reader.open
    return reader


def cards(page):
    """Give the data of each of a page's galleries."""
    return [json.loads(data) for data in re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)]


def everything(text):
    """Make a report that says a text in every place that a text can have."""
    card = Card(text, "data:image/jpeg;base64,", [ScoredCaption(text, text, -1.5, [0.25])], [text], [text], [(1, 0.5)])
    blocks = [
        Table([(text, text)], [Row(text, [Cell(text, True, text, 0.5)])], text),
        Picture("<svg></svg>", text),
        Terms([Group(text, text, [(text, 1.0)], [Thumbnail("data:image/jpeg;base64,", text)])]),
        Gallery({text: "#123456"}, {"cider_d": text}, [card], {1: text}, text),
    ]
    return Report(text, text, [Fact(text, text)], [Section(text, blocks, text)], text)


def test_whatever_people_write_stays_text():
    reader, plain = read(render(everything(NASTY))), read(render(everything("plain")))
    assert reader.tags == plain.tags
    assert [name for name, _ in reader.attributes] == [name for name, _ in plain.attributes]
    assert "".join(reader.text).count(NASTY) >= 14
    card = cards(render(everything(NASTY)))[0]["cards"][0]
    assert [card["id"], *card["spoken"][0][:1], *card["references"], *card["labels"]] == [NASTY] * 4


def test_nothing_is_loaded_from_elsewhere(finished):
    world, _ = finished
    page = world.page.read_text(encoding="utf-8")
    reader = read(page)
    links = [value for name, value in reader.attributes if name in {"src", "href", "xlink:href", "action", "data"}]
    assert links
    assert all(value.startswith(("#", "data:image/")) for value in links)
    assert not re.findall(r"@import|url\((?!#)", page)
    assert not {"link", "iframe", "object"} & set(reader.tags)


def test_the_report_shows_what_was_found(finished):
    world, outcome = finished
    text = " ".join("".join(read(world.page.read_text(encoding="utf-8")).text).split())
    assert "cws reaches CIDEr-D 10.000 (95% interval 10.000 to 10.000) on test photographs." in text
    assert (
        "The rule chooses cws: CIDEr-D 10.000 on test photographs (no validation photograph has a reference)," in text
    )
    chosen = "best of 1 that pass the gate (most_frequent_share at most 0.5)"
    assert f"{chosen}; not eligible: ns: most_frequent_share 1.000 is above 0.5." in text
    assert f"{outcome.metrics['ns.rouge_l']:.3f}" in text
    for expected in ("AIC CWS", "0.535", "soft light", "The dog stands in soft light!", "uninformative", "lstm_train"):
        assert expected in text


def test_sections_of_missing_stages_are_left_out(world):
    world.training = {}
    world.run(topics=None, topic_model=None, stage_metrics=None, stage_plots=None)
    page = world.page.read_text(encoding="utf-8")
    assert 'id="metrics"' in page
    for anchor in ("topics", "training", "all-numbers"):
        assert f'id="{anchor}"' not in page


def test_the_funnel_and_the_scores_stand_beside_the_reasons(finished):
    world, _ = finished
    page = world.page.read_text(encoding="utf-8")
    section = page[page.index('<section id="comments"') : page.index('<section id="topics"')]
    funnel, scores = section.split("<svg")[1:]
    assert section.index("<svg") < section.index("<table")
    for expected in (">read<", ">length<", ">score<", ">36<", ">24<", "currentColor"):
        assert expected in funnel
    assert "informativeness" in scores
    assert "threshold 20" in scores


def test_filter_pictures_are_drawn_from_what_the_stage_left(tmp_path):
    plots, metrics, chosen = tmp_path / "plots", tmp_path / "metrics", FilterParams()
    assert (
        earlier_stages.filter_pictures(None, None, chosen)
        == earlier_stages.filter_pictures(plots, metrics, chosen)
        == []
    )
    write_json(plots / "filter" / "funnel.json", [{"filter": "a <b> & $c$", "rejected": 0, "left": 0}])
    write_json(plots / "filter" / "scores.json", [{"score": 0, "kept": 0, "rejected": 0, "share_above": 0.0}])
    write_json(metrics / "filter.json", {"kept": 0})
    (funnel,) = earlier_stages.filter_pictures(plots, metrics, chosen)  # no threshold: no score decided
    assert "a &lt;b&gt; &amp; $c$" in funnel.svg
    (plots / "filter" / "funnel.json").write_text("{", encoding="utf-8")
    with pytest.raises(PhotocriticError, match=r"funnel\.json"):
        earlier_stages.filter_pictures(plots, metrics, chosen)


def test_near_misses_are_shown_with_the_largest_shares_of_their_scores(tmp_path):
    assert earlier_stages.near_misses_section(None) is None
    assert earlier_stages.near_misses_section(tmp_path) is None
    own = {"comment_id": "c", "sentence": 0, "side": "below", "score": 19.5, "text": "a boat <b>"}
    shares = [own | {"signal": f"word{place}", "share": 9 - place} for place in range(8)]
    write_json(tmp_path / "filter" / "near_misses.json", [*shares, shares[0] | {"comment_id": "d", "side": "above"}])
    section = earlier_stages.near_misses_section(tmp_path)
    (table,) = section.blocks
    assert [row.name for row in table.rows] == ["19.5, below", "19.5, above"]
    assert table.rows[0].cells[1].text.count("word") == 6
    assert "word0 +9.00" in table.rows[0].cells[1].text


def test_the_gallery_spreads_over_the_images_and_keeps_their_shape(finished):
    world, _ = finished
    *_, gallery = cards(world.page.read_text(encoding="utf-8"))
    assert [card["id"] for card in gallery["cards"]] == ["image00", "image02", "image06", "image08"]
    sources = [card["image"] for card in gallery["cards"]]
    assert len(set(sources)) == 4
    with Image.open(io.BytesIO(b64decode(sources[0].partition(",")[2]))) as image:
        assert image.size == (256, 128)


def test_cards_tell_captions_with_all_scores_references_and_labels(finished):
    world, _ = finished
    data = cards(world.page.read_text(encoding="utf-8"))[-1]
    assert [name for name, _ in data["variants"]] == ["ns", "cws"]
    assert data["metrics"][0] == "CIDEr-D"
    assert len(data["metrics"]) == 8
    first = data["cards"][0]
    assert first["spoken"][1][0] == "the dog stands in soft light"
    assert dict(zip(data["metrics"], first["spoken"][1][2], strict=True))["BLEU-4"] == pytest.approx(1.0)
    assert first["references"] == ["The dog stands in soft light!"]
    assert first["labels"] == ["outdoor"]


def test_the_best_and_the_worst_photographs_of_the_champion_stand_before_the_gallery(world):
    world.said["cws"][1] = "the tree"
    world.said["cws"][4] = "a boat"
    world.run()
    best, worst, _ = cards(world.page.read_text(encoding="utf-8"))
    assert [card["id"] for card in worst["cards"]] == ["image08", "image02", "image10"]
    assert [card["id"] for card in best["cards"]] == ["image00", "image04", "image06"]


def test_a_topic_is_told_of_an_image_where_one_is_stronger(world):
    shares = np.full((12, 3), 1 / 3)
    shares[2], shares[6] = (0.1, 0.05, 0.85), (0.05, 0.9, 0.05)
    vectors("topics", "topics", world.folder / "topics.parquet", [f"image{n:02}" for n in range(12)], shares)
    names = [["soft_light"], ["sky", "blue_sky"], ["lamp", "glass", "table", "fourth"]]
    summary = [{"topic": t, "terms": [[name, 0.1] for name in some]} for t, some in enumerate(names)]
    write_json(world.folder / "model" / "topics.json", summary)
    world.run()
    page = world.page.read_text(encoding="utf-8")
    data = cards(page)[-1]
    assert [card["topics"] for card in data["cards"]] == [[], [[2, 0.85], [0, 0.1]], [[1, 0.9]], []]
    assert data["topics"] == [[0, "0: soft light"], [1, "1: sky, blue sky"], [2, "2: lamp, glass, table"]]
    section = read(page[page.index('<section id="by-topic"') : page.index('<section id="training"')])
    text = " ".join(" ".join(section.text).split())
    assert "Of 4 photographs no topic is known." in text
    assert "| 1: sky, blue sky | 1 |" in world.page.with_suffix(".md").read_text(encoding="utf-8")
    assert text.index("1: sky") < text.index("2: lamp")  # equally good; the first comes first


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "CMYK", "I;16"])
def test_thumbnails_of_any_kind_of_image(mode):
    buffer = io.BytesIO()
    Image.new(mode, (40, 90)).save(buffer, "TIFF")
    with Image.open(io.BytesIO(b64decode(thumbnail(buffer.getvalue(), 45).partition(",")[2]))) as image:
        assert (image.mode, image.size) == ("RGB", (20, 45))


def test_svg_follows_the_page_and_is_the_same_each_time():
    def draw():
        rows = [{"epoch": 1, "train_loss": 2.0}, {"epoch": 2, "train_loss": 1.0}]
        return figures.svg(figures.learning_curves({"a <b> & $c$": {"one": rows}}))

    assert draw() == draw()
    assert draw().startswith("<svg")
    assert "currentColor" in draw()
    assert "a &lt;b&gt; &amp; $c$" in draw()


def test_markdown_marks_the_best_and_escapes():
    table = Table([("variant", ""), ("x", "")], [Row("a|b", [Cell("1", best=True)]), Row("c", [Cell("2")])])
    assert markdown(table) == "| variant | x |\n| --- | --: |\n| a\\|b | **1** |\n| c | 2 |\n"


def test_the_markdown_table_stands_beside_the_report(finished):
    world, _ = finished
    text = world.page.with_suffix(".md").read_text(encoding="utf-8")
    assert "| cws | filtered | **1.000**<sup>\\*\\*</sup> |" in text


def test_any_stage_can_write_a_report(tmp_path):
    write(Report("Stylised captions", "12 accepted."), tmp_path / "a" / "report.html")
    assert "12 accepted." in (tmp_path / "a" / "report.html").read_text(encoding="utf-8")

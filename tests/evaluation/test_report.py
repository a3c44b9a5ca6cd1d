"""The report: one file, complete, and safe whatever people wrote."""

import io
import re
from base64 import b64decode
from html.parser import HTMLParser

import pytest
from PIL import Image

from photocritic.errors import PhotocriticError
from photocritic.evaluation import curation, evaluate, figures
from photocritic.evaluation.gallery import thumbnail
from photocritic.evaluation.report import (
    Card,
    Cell,
    Fact,
    Gallery,
    Group,
    Picture,
    Report,
    Row,
    Section,
    Spoken,
    Table,
    Terms,
    Thumbnail,
    markdown,
    render,
    write,
)
from photocritic.params import FilterParams
from tests.evaluation.conftest import write_json

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


def everything(text):
    """Make a report that says a text in every place that a text can have."""
    card = Card(text, "data:image/jpeg;base64,", [Spoken(text, text, -1.5, 0.25)], [text], [text])
    blocks = [
        Table([(text, text)], [Row(text, [Cell(text, True, text, 0.5)])], text),
        Picture("<svg></svg>", text),
        Terms([Group(text, text, [(text, 1.0)], [Thumbnail("data:image/jpeg;base64,", text)])]),
        Gallery({text: "#123456"}, [card]),
    ]
    return Report(text, text, [Fact(text, text)], [Section(text, blocks, text)], text)


def test_whatever_people_write_stays_text():
    reader, plain = read(render(everything(NASTY))), read(render(everything("plain")))
    assert reader.tags == plain.tags
    assert [name for name, _ in reader.attributes] == [name for name, _ in plain.attributes]
    assert "".join(reader.text).count(NASTY) >= 12


def test_nothing_is_loaded_from_elsewhere(finished):
    paths, _ = finished
    page = paths["report"].read_text(encoding="utf-8")
    reader = read(page)
    links = [value for name, value in reader.attributes if name in {"src", "href", "xlink:href", "action", "data"}]
    assert links
    assert all(value.startswith(("#", "data:image/")) for value in links)
    assert not re.findall(r"@import|url\((?!#)", page)
    assert not {"link", "iframe", "object"} & set(reader.tags)


def test_the_report_shows_what_was_found(finished):
    paths, outcome = finished
    text = " ".join("".join(read(paths["report"].read_text(encoding="utf-8")).text).split())
    assert "cws reaches CIDEr-D 10.000" in text
    chosen = "The rule chooses cws: CIDEr-D 10.000, best of 1 that pass the gate (most_frequent_share at most 0.5)"
    assert f"{chosen}; not eligible: ns: most_frequent_share 1.000 is above 0.5." in text
    assert f"{outcome.metrics['ns.rouge_l']:.3f}" in text
    for expected in ("AIC CWS", "0.535", "soft light", "The dog stands in soft light!", "uninformative", "lstm_train"):
        assert expected in text
    assert text.count("(nothing)") == 0


def test_sections_of_missing_stages_are_left_out(world):
    paths = world.arguments(topics=None, topic_model=None, stage_metrics=None, stage_plots=None)
    evaluate(**paths)
    page = paths["report"].read_text(encoding="utf-8")
    assert 'id="metrics"' in page
    for anchor in ("topics", "training", "all-numbers"):
        assert f'id="{anchor}"' not in page


def test_the_funnel_and_the_scores_stand_beside_the_reasons(finished):
    paths, _ = finished
    page = paths["report"].read_text(encoding="utf-8")
    section = page[page.index('<section id="comments"') : page.index('<section id="topics"')]
    funnel, scores = section.split("<svg")[1:]
    assert section.index("<svg") < section.index("<table")
    for expected in (">read<", ">length<", ">score<", ">36<", ">24<", "currentColor"):
        assert expected in funnel
    assert "informativeness" in scores
    assert "threshold 20" in scores


def test_filter_pictures_are_drawn_from_what_the_stage_left(tmp_path):
    plots, metrics, chosen = tmp_path / "plots", tmp_path / "metrics", FilterParams()
    assert curation.pictures(None, None, chosen) == curation.pictures(plots, metrics, chosen) == []
    write_json(plots / "filter" / "funnel.json", [{"filter": "a <b> & $c$", "rejected": 0, "left": 0}])
    write_json(plots / "filter" / "scores.json", [{"score": 0, "kept": 0, "rejected": 0, "share_above": 0.0}])
    write_json(metrics / "filter.json", {"kept": 0})
    (funnel,) = curation.pictures(plots, metrics, chosen)  # no threshold: no score decided
    assert "a &lt;b&gt; &amp; $c$" in funnel.svg
    (plots / "filter" / "funnel.json").write_text("{", encoding="utf-8")
    with pytest.raises(PhotocriticError, match=r"funnel\.json"):
        curation.pictures(plots, metrics, chosen)


def test_the_gallery_spreads_over_the_images_and_keeps_their_shape(finished):
    paths, _ = finished
    page = paths["report"].read_text(encoding="utf-8")
    gallery = page[page.index('id="gallery"') : page.index('id="all-numbers"')]
    sources = re.findall(r'src="([^"]+)"', gallery)
    assert len(sources) == len(set(sources)) == 4
    with Image.open(io.BytesIO(b64decode(sources[0].partition(",")[2]))) as image:
        assert image.size == (256, 128)


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
    paths, _ = finished
    text = paths["report"].with_suffix(".md").read_text(encoding="utf-8")
    assert "| cws | filtered | **1.000** |" in text


def test_any_stage_can_write_a_report(tmp_path):
    write(Report("Stylised captions", "12 accepted."), tmp_path / "a" / "report.html")
    assert "12 accepted." in (tmp_path / "a" / "report.html").read_text(encoding="utf-8")

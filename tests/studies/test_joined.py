"""The run's report with what people said at its end."""

import re

import pytest

from photocritic.core.errors import PhotocriticError
from photocritic.report.blocks import Report, Row, Section, Table, write
from photocritic.studies.joined import write_joined
from photocritic.studies.report import section
from photocritic.studies.session import Sessions
from tests.report.test_page import read
from tests.studies.conftest import command, join


@pytest.fixture
def report(tmp_path):
    """Give a page in whose text the ends stand that others are put before."""
    path = tmp_path / "reports" / "report.html"
    part = Section("Metrics", [Table([("x", "")], [Row("</main></nav>", [])])])
    write(Report("Side by side", "12 variants", sections=[part]), path)
    return path


def rated(path):
    """Let somebody rate everything good."""
    with Sessions(path) as one:
        rater = join(one, "Zacharias", "expert")
        while task := one.task(rater):
            one.answer(rater, task.trial, 3)
    return path


def test_every_study_is_a_section_of_the_copy_and_the_run_keeps_its_own(study, report, tmp_path):
    paths = [rated(study(name=name, images=2, training=0, sources=("ns", "cs"))) for name in ("one", "two")]
    before = report.read_bytes()
    out = tmp_path / "out.html"
    assert write_joined(paths, report, out) == paths
    first = out.read_bytes()
    write_joined(paths, report, out)
    assert out.read_bytes() == first
    assert report.read_bytes() == before
    page = out.read_text(encoding="utf-8")
    anchors = [section(path).anchor for path in paths]
    assert re.findall(r'<section id="([^"]+)"', page) == ["metrics", *anchors]
    links = [value for name, value in read(page).attributes if name == "href"]
    assert links == ["#metrics", *(f"#{anchor}" for anchor in anchors)]
    assert "100%" in page[page.index("<main>") : page.index("</main>")]
    assert "Zacharias" not in page


def test_the_command_takes_all_studies_of_the_folder(study, report):
    path = study(name="studies/first", images=2, training=0, sources=("ns", "cs"))
    done = command("join", cwd=report.parents[1])
    assert done.stdout == "studies/report.html: reports/report.html with first\n", done.stderr
    assert "People&#39;s judgement: first" in (path.parent / "report.html").read_text(encoding="utf-8")


def test_what_cannot_be_joined_is_told_in_one_line(study, report, tmp_path):
    path = study(images=2, training=0, sources=("ns", "cs"))
    with pytest.raises(PhotocriticError, match=r"none\.html: no such report"):
        write_joined([path], tmp_path / "none.html", tmp_path / "out.html")
    with pytest.raises(PhotocriticError, match=r"report\.html.*study"):
        write_joined([report], report, tmp_path / "out.html")
    report.write_text("<p>another page", encoding="utf-8")
    with pytest.raises(PhotocriticError, match=r"report\.html: not a report that evaluate wrote"):
        write_joined([path], report, tmp_path / "out.html")
    assert not (tmp_path / "out.html").exists()

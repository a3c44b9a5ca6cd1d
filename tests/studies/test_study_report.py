"""The numbers of studies that were worked out by hand, and the files that tell them."""

import csv
import re

import pytest

from photocritic.core.errors import PhotocriticError
from photocritic.report.blocks import Report, Row, Section, Table, write
from photocritic.studies.rating_session import Sessions
from photocritic.studies.study_file import connect
from photocritic.studies.study_kinds import GRADED
from photocritic.studies.study_report import section, write_joined, write_report
from tests.report.test_page import read
from tests.studies.conftest import command, join, rate_all

KINDS = {
    "rating": ("ns", "cs"),
    "informative": ("accepted", "discarded"),
    "grades": GRADED,
    "yesno": ("ns", "human"),
    "pairs": ("ns", "cs", "cws"),
    "creative": ("ns", "cs"),
    "multiple": ("ns", "cs"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_told_as_tables_a_page_and_a_section(study, kind):
    path = study(name=f"try-{kind}", kind=kind, images=2, training=2, raters=3, sources=KINDS[kind])
    write_report(path)  # before anybody has rated
    with Sessions(path) as one:
        for number in range(4):
            rater = join(one, f"Zacharias {number}", ("expert", "non-expert")[number % 2])
            while task := one.task(rater):
                value = 40 + 10 * number if kind == "informative" else 1
                one.answer(rater, task.trial, value)
    folder, tables = write_report(path)
    files = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
    usual = {"agreement.csv", "raters.csv", "ratings.csv", "report.html", "report.md", "results.csv"}
    assert set(files) == usual | ({"judged.csv"} if kind == "grades" else set())
    rows = list(csv.DictReader(files["ratings.csv"].splitlines()))
    with connect(path) as database:
        (counted,) = database.execute("SELECT count(*) FROM trials WHERE NOT training").fetchone()
    assert len(rows) == 3 * counted  # three raters of each trial, and none of the training
    assert all(int(row["trial"]) > 2 for row in rows)
    assert {row["group"] for row in rows} == {"expert", "non-expert"}
    page = read(files["report.html"])
    names = [name.replace("-", ", ") if kind == "grades" else name for name in KINDS[kind]]
    assert all(name in files["report.md"] for name in names)
    assert all(name in " ".join(page.text) for name in names)
    assert not re.search("Zacharias", "".join(files.values()))  # names stay in the study's file
    assert len(tables) == 2
    assert section(path).blocks[0] == tables[0]


def test_the_command_prints_the_tables_and_where_they_are(study):
    path = study(images=2, training=0, sources=("ns", "cs"))
    with Sessions(path) as one:
        rater = join(one, "Anna", "expert")
        while task := one.task(rater):
            one.answer(rater, task.trial, 3)
    done = command("report", path, cwd=path.parent)
    assert done.returncode == 0, done.stderr
    assert "100%" in done.stdout
    assert "AIC NS" in done.stdout
    assert f"written to {path.with_suffix('')}" in done.stdout
    assert command("report", "nothing", cwd=path.parent).stderr.count("\n") == 1


def test_grades_are_written_as_a_filter_learns_from_them_a_row_a_comment_and_rater(graded):
    with Sessions(graded) as one:
        for name, value in (("Anna", 3), ("Ben", 1)):
            rate_all(one, join(one, name), value)
    folder, (results, _) = write_report(graded)
    with (folder / "judged.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["comment_id", "image", "text", "rater", "grade"]
    assert sorted((row["rater"], row["grade"]) for row in rows) == [("1", "3")] * 8 + [("2", "1")] * 8
    assert all(row["text"].startswith("Look: ") for row in rows)
    assert {row["image"].replace("image", "comment") for row in rows} == {row["comment_id"] for row in rows}
    assert "precision 1.00), and it accepts 1 of the 2 that they keep (recall 0.50)" in results.note
    assert "Fleiss' kappa" in (folder / "report.md").read_text(encoding="utf-8")


def test_who_was_excluded_is_in_no_table_and_the_report_says_how_many(study):
    path = study(images=2, training=0, sources=("ns", "cs"))
    with Sessions(path) as one:
        for name, value in (("Anna", 3), ("Forger", 1)):
            rater = join(one, name)
            while task := one.task(rater):
                one.answer(rater, task.trial, value)
    done = command("exclude", path, "Forger", cwd=path.parent)
    assert done.stdout == "rater 2: 4 answers do not count any more\n", done.stderr
    folder, _ = write_report(path)
    rows = list(csv.DictReader((folder / "ratings.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["rater"] for row in rows} == {"1"}
    assert "1 raters (1 more excluded" in section(path).intro
    assert "raters excluded" in (folder / "report.html").read_text(encoding="utf-8")
    assert command("exclude", path, "nobody", cwd=path.parent).stderr.count("\n") == 1


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

"""Options and parameters that cannot be used end the command with one line, never with a traceback."""

import errno
import logging
import os
import subprocess
from pathlib import Path

import pytest

from photocritic import cli, config
from photocritic.config import presets
from stages.runner import run_declared


@pytest.fixture(autouse=True)
def logging_as_before(monkeypatch):
    """Put the log back as it was: the command and the stages set it up anew."""
    logger = logging.getLogger("photocritic")
    for name in ("handlers", "level", "propagate"):
        monkeypatch.setattr(logger, name, getattr(logger, name)[:] if name == "handlers" else getattr(logger, name))


@pytest.fixture
def project(root, tmp_path, monkeypatch):
    """Stand in a folder with the project's parameters and presets."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "presets").symlink_to(root / "presets")
    (tmp_path / "dvc.yaml").symlink_to(root / "dvc.yaml")
    (tmp_path / "params.yaml").write_text((root / "params.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "mine.jpg").write_bytes(b"the only one there is")
    (tmp_path / "mine.png").write_text("something else")
    (tmp_path / "comments.txt").write_text("a fine sky\n")
    (tmp_path / "comments.jsonl").write_text('{"image": "a.jpg", "text": "a fine sky"}\n')
    return tmp_path


@pytest.fixture
def refused(monkeypatch, capsys):
    """Give a function that runs the command and returns the one line with which it ends."""

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["photocritic", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            cli.main()
        said = capsys.readouterr().err
        assert end.value.code not in {0, None}
        line = end.value.code if isinstance(end.value.code, str) else said
        assert "Traceback" not in line
        assert isinstance(end.value.code, int) or "\n" not in line.strip()
        return line

    return run


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["filter", "comments.jsonl", "--threshold", "nan"], "filter.threshold"),  # L1
        (["filter", "comments.jsonl", "--threshold", "-inf"], "filter.threshold"),
        (["filter", "comments.jsonl", "--threshold", "1e999"], "filter.threshold"),
        (["filter", "comments.jsonl", "--threshold", "keep nan"], "filter.threshold"),
        (["filter", "comments.jsonl", "--score", "x\0y"], "filter.score"),
        (["filter", "comments.jsonl", "--chain", "../../etc"], "no preset"),
        (["filter", "folder"], "folder"),
        (["ingest", "folder", "out", "--test-share", "nan"], "ingest.test_share"),
        (["ingest", "folder", "out", "--reader", "../x"], "ingest.reader"),
        (["ingest", "folder", "out", "--preset", "no\nsuch"], "no preset"),
        (["caption", "folder", "--beam", "100000000"], "predict.beam"),  # L3
        (["caption", "folder", "--beam", "0"], "predict.beam"),
        (["caption", "folder", "--strategy", "sample", "--seed", "-5"], "seed"),
        (["sample", "--montage", "sheet.xyz"], "sheet.xyz"),
        (["sample", "--montage", "sheet"], "sheet"),
        (["sample", "--montage", "sheet.png", "--images", "1", "--seed", "-5"], "--seed"),
        (["sample", "--folder", "out", "--images", "99999999999"], "--images"),
        (["sample", "--folder", "comments.txt", "--images", "1"], "comments.txt"),
        (["sample", "--folder", "folder", "--images", "1"], "contains something else"),
        (["sample", "--folder", ".", "--images", "1"], "contains something else"),
        (["sample", "--montage", "mine.png", "--images", "1"], "has other content"),
        (["ingest", "folder", "folder"], "contains something else"),
        (["knowledge", "comments.txt", "folder"], "folder: is a folder"),
        (["topics", "comments.txt", "--model", "comments.txt"], "comments.txt"),
        (["topics", "comments.txt", "--top", "0"], "--top"),
        (["study", "create", "x", "--kind", "rating", "--seed", "-5"], "--seed"),
        (["study", "create", "x", "--kind", "none"], "none"),
        (["study", "create", "../../x/y", "--kind", "rating"], "cannot name a study"),
        (["study", "serve", "absent"], "absent"),
        (["study", "report", "comments.txt"], "comments.txt"),
        (["study", "join", "absent"], "reports/report.html"),
        (["run", "--preset", "../../x"], "no preset"),
        (["run", "--corpus", "caf\udce9"], "no such corpus"),
        (["summary"], "make run"),
    ],
    ids=lambda value: " ".join(value).encode("ascii", "replace").decode() if isinstance(value, list) else None,
)
def test_a_value_that_cannot_be_used_is_reported_in_one_line(project, refused, arguments, words):
    before = contents(project)
    assert words in refused(*arguments)
    assert contents(project) == before


def contents(project):
    """Give a project's files and what is in them, but for those that say who is at work in it."""
    paths = (path for path in sorted(project.rglob("*")) if ".dvc" not in path.parts)
    return {path: path.read_bytes() if path.is_file() else b"" for path in paths}


def test_an_output_that_is_a_folder_is_reported_in_one_line(project, refused):
    (project / "sheet.png").mkdir()
    assert "sheet.png" in refused("sample", "--montage", "sheet.png", "--images", "1")


def test_a_corpus_whose_name_is_not_utf8_is_refused_before_anything_is_written(project, refused):
    """M10."""
    before = (project / "params.yaml").read_bytes()
    name = b"caf\xe9".decode("utf-8", "surrogateescape")
    Path(name).mkdir()
    assert "rename the file or folder" in refused("run", "--corpus", project / name)
    assert "rename the file or folder" in refused("run", "--preset", "folder", "--corpus", name)
    assert (project / "params.yaml").read_bytes() == before


def test_a_full_disk_ends_a_stage_in_one_line_that_another_try_may_mend(project, monkeypatch, capsys):
    """L3: a worker that does not record, since no run is needed to see it."""
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "2")

    def work(_stage):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "data/lda/topics.parquet")

    with pytest.raises(SystemExit) as end:
        run_declared("lda", work)
    assert end.value.code == 1
    said = capsys.readouterr().err
    assert "data/lda/topics.parquet: the disk is full" in said
    assert "Traceback" not in said


def test_what_presets_write_is_read_again(project):
    """A list that two keys share is written out twice, since aliases are not supported."""
    shared = ["clean", "score"]
    presets.apply("sample", None, changes={"lstm_train.options": {"a": shared, "b": shared}})
    assert config.load().lstm_train.options == {"a": shared, "b": shared}


@pytest.mark.parametrize(
    "corpus", ['x"; touch PWN; echo "', "my $HOME photos", "$(shell touch PWN)", "`touch PWN`", "it's 50% #1", "a\\b"]
)
def test_make_hands_the_corpus_over_as_it_stands(root, tmp_path, corpus):
    """L7: through neither make's nor the shell's reading, however it is given."""
    recipe = "printf '%s' \"$$RUN_CORPUS\" > got"
    text = (root / "Makefile").read_text()
    head, _, rest = text.partition("run: .venv/.installed")
    assert '@$(BIN)/photocritic run --preset "$$RUN_PRESET" --corpus "$$RUN_CORPUS"' in rest
    (tmp_path / "Makefile").write_text(f"{head}run:\n\t@{recipe}\n")
    for command, environment in ((["make", "run", f"CORPUS={corpus}"], {}), (["make", "run"], {"CORPUS": corpus})):
        subprocess.run(command, cwd=tmp_path, env={"PATH": "/usr/bin:/bin"} | environment, check=True, timeout=60)
        assert (tmp_path / "got").read_text() == corpus
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Makefile", "got"]

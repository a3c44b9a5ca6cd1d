"""The command: instant help, and a user's mistake reported in one line."""

import json
import subprocess
import sys

import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image

from photocritic.filtering.hypernyms import Knowledge
from photocritic.topics import TopicModel


def photocritic(*arguments, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "photocritic.cli", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
    )


def test_help_needs_no_heavy_part():
    code = (
        "import sys, photocritic.cli, photocritic.cli.pipeline_run, photocritic.config.presets;"
        "heavy = {'torch', 'mlflow', 'great_expectations', 'prefect', 'spacy', 'gensim', 'pandas', 'matplotlib'};"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_command_explains_itself():
    text = photocritic("--help").stdout
    for command in ("run", "summary", "caption", "ingest", "filter", "knowledge", "topics", "sample", "study"):
        assert command in text
        assert photocritic(command, "--help").returncode == 0


def test_another_corpus_is_ingested_to_be_tested_on(tmp_path):
    (tmp_path / "corpus").mkdir()
    for number in range(4):
        pixels = np.random.default_rng(number).integers(0, 256, (48, 64, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(tmp_path / "corpus" / f"{number}.jpg")
    rows = [{"image": f"{number}.jpg", "text": "a dog in soft light"} for number in range(4)]
    (tmp_path / "corpus" / "comments.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = photocritic("ingest", "corpus", "other", "--test-share", "0.9", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "4 images, 4 comments, 0 references and 0 rejected rows in other" in done.stdout
    images = pq.read_table(tmp_path / "other" / "images.parquet").to_pylist()
    assert {row["split"] for row in images} <= {"train", "test"}
    wrong = photocritic("ingest", "nowhere", "other", cwd=tmp_path)
    assert (wrong.returncode, wrong.stderr) == (1, "photocritic: nowhere: no such corpus folder or file\n")


def test_comments_of_a_file_are_kept_or_rejected_with_a_reason(tmp_path):
    texts = ["nice shot!!!", "", "I like the soft light on the old wooden boat and the calm water in the foreground."]
    rows = [{"image": f"{n}.jpg", "text": text} for n, text in enumerate(texts * 5)]
    file = tmp_path / "comments.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows) + "{broken\n")
    done = photocritic("filter", file, "--out", tmp_path / "rows.parquet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    judged = pq.read_table(tmp_path / "rows.parquet").to_pylist()
    assert len(judged) == 10
    assert all(row["kept"] == (row["reason"] == "") for row in judged)
    assert {row["kept"] for row in judged if row["text"].startswith("nice")} == {False}
    quarantined = pq.read_table(tmp_path / "rows.quarantine.parquet").to_pylist()
    assert len(quarantined) == 6
    assert "line 16" in {row["position"] for row in quarantined}


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("comments.csv", "photo,text\na.jpg,nice\n", ["comments.csv", "line 1", "'image'", "'photo'"]),
        ("comments.csv", None, ["comments.csv", "no such file"]),
        ("comments.txt", "image,text\n", ["comments.txt", ".jsonl"]),
    ],
)
def test_a_file_that_cannot_be_judged_is_refused_in_one_line(tmp_path, name, content, words):
    if content is not None:
        (tmp_path / name).write_text(content)
    done = photocritic("filter", tmp_path / name, "--out", tmp_path / "rows.parquet", cwd=tmp_path)
    assert done.returncode == 1
    line = done.stderr.strip().splitlines()[-1]
    assert all(word in line for word in words), done.stderr
    assert str(tmp_path / name) in line
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "rows.parquet").exists()


def test_names_become_a_knowledge_base(tmp_path):
    names, out = tmp_path / "names.csv", tmp_path / "names.sqlite"
    names.write_text('name,hypernym,id\n"Franklin, Tennessee",City,Q1\nIggy Pop,singer,Q2\niggy pop,actor,Q3\n,x,\n')
    done = photocritic("knowledge", names, out)
    assert (done.returncode, done.stdout) == (0, f"2 names in {out}\n"), done.stderr
    assert [Knowledge(out).hypernym(name) for name in ("IGGY POP", "Franklin Tennessee", "Prince")] == [
        "singer",
        "city",
        "",
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, ["no such file"]),
        (b"name,type\nIggy Pop,singer\n", ["'hypernym'"]),
        (b"name,hypernym\nIggy Pop,singer\nPrince\n", ["line 3", "1 field under 2 columns"]),
        (b"name,hypernym\nFranklin, Tennessee,city\n", ["line 2", "3 fields under 2 columns"]),
        (b"name,hypernym\nIggy Pop,singer\nPrin\xffce,singer\n", ["line", "utf-8"]),
        (b'name,hypernym\nIggy Pop,"singer\n', ["line", "unexpected end"]),
    ],
)
def test_unusable_names_are_refused_in_one_line_and_leave_the_old_file(tmp_path, content, words):
    names, out = tmp_path / "names.csv", tmp_path / "names.sqlite"
    old = b"SQLite format 3\0 of an earlier run"
    out.write_bytes(old)
    if content is not None:
        names.write_bytes(content)
    done = photocritic("knowledge", names, out)
    assert done.returncode == 1
    (line,) = done.stderr.strip().splitlines()
    assert all(word in line for word in ["names.csv", *words]), line
    assert out.read_bytes() == old
    assert sorted(path.name for path in tmp_path.iterdir() if path != names) == ["names.sqlite"]


def test_comments_of_a_file_get_their_topics(tmp_path):
    counts = np.array([[9.0, 9.0, 0.1], [0.1, 0.1, 9.0]])
    TopicModel(["boat", "wooden_boat", "sky"], counts, np.full(2, 0.1)).save(tmp_path / "model")
    (tmp_path / "comments.txt").write_text("The sky is clear\n\nAn old wooden boat\nWow\n")
    done = photocritic("topics", tmp_path / "comments.txt", "--model", tmp_path / "model", "--top", 1, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    topics = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["text"] for row in topics] == ["The sky is clear", "An old wooden boat", "Wow"]
    assert [[one["topic"] for one in row["topics"]] for row in topics] == [[1], [0], []]
    assert topics[1]["topics"][0]["terms"][:2] == ["boat", "wooden_boat"]
    done = photocritic("topics", tmp_path / "comments.txt", "--model", tmp_path / "none", cwd=tmp_path)
    assert done.returncode == 1
    assert "run the lda stage again" in done.stderr.splitlines()[-1]


def test_running_outside_a_project_says_so(tmp_path):
    done = photocritic("run", cwd=tmp_path)
    assert done.returncode == 1
    assert "no such file; run inside the project" in done.stderr
    assert not list(tmp_path.iterdir())

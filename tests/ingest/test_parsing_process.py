"""The process that parses: what breaks it costs a row, it never outlives its parent, and authors leave it renamed."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic.config import IngestParams
from photocritic.core import limits
from photocritic.core.errors import CorpusError
from photocritic.ingest import readers
from photocritic.ingest.parsing.parsing_process import _Worker, parsed
from photocritic.ingest.records import LENGTHS, Comment, Image, Record, Reference, Rejected, pack, unpack

TakeIn = Callable[..., Any]
texts = st.text(max_size=8) | st.sampled_from(["\udcff", "\ud83d", "\0", "é"])
records = st.one_of(
    st.builds(
        Image,
        image_id=texts,
        data=st.none() | st.binary(max_size=9) | st.builds(Path, st.sampled_from(["a", "/b/c", "caf\udce9"])),
        source=texts,
        position=texts,
        split=st.none() | texts,
        labels=st.lists(texts, max_size=3).map(tuple),
    ),
    st.builds(Comment, image_id=texts, text=texts, source=texts, position=texts, author_id=st.none() | texts),
    st.builds(Reference, image_id=texts, text=texts, source=texts, position=texts),
    st.builds(
        Rejected, source=texts, position=texts, kind=st.sampled_from(["image"]), reason=texts, content=texts
    ),
)  # fmt: skip


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHOTOCRITIC_AUTHOR_KEY", "a key for tests alone")


def settings_of(corpus: Path, reader: str = "folder") -> IngestParams:
    return IngestParams.model_validate({"reader": reader, "source": str(corpus)})


@given(st.lists(records, max_size=6))
def test_records_come_through_a_frame_unchanged(given_records: list[Record]) -> None:
    data = pack(given_records)
    length, blobs = LENGTHS.unpack(data[: LENGTHS.size])
    text = data[LENGTHS.size :][:length]
    assert list(unpack(json.loads(text), data[len(data) - blobs :] if blobs else b"")) == given_records


@pytest.mark.parametrize("row", [[], [9], ["x"], [1, "a"], [0, 1, 2, 3, 4, 5, 6], {"a": 1}, 7, [2, {}, "a", "b", "c"]])
def test_what_is_no_record_is_refused(row: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        list(unpack([row], b""))


def test_the_process_gives_what_the_reader_gives(corpus: Path) -> None:
    params = settings_of(corpus)
    for _ in range(2):
        assert list(parsed(params, 7)) == list(readers.get("folder").read(corpus, params, 7))


def test_a_refusal_reaches_the_user_as_it_is(corpus: Path) -> None:
    (corpus / "comments.csv").write_text("picture,words\n")
    with pytest.raises(CorpusError, match="line 1: no column 'image'"):
        list(parsed(settings_of(corpus), 7))


def test_the_worker_imports_no_torch(tmp_path: Path) -> None:
    code = (
        "import sys, photocritic.ingest.parsing.parsing_main; print({'torch', 'pandas', 'mlflow'} & set(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


def large(corpus: Path, rows: int = 20_000) -> IngestParams:
    lines = (json.dumps({"image": "0.jpg", "text": f"number {row}", "author": "jane"}) for row in range(rows))
    (corpus / "comments.csv").unlink()
    (corpus / "comments.jsonl").write_text("\n".join(lines))
    return settings_of(corpus)


def workers() -> list[psutil.Process]:
    return [
        child for child in psutil.Process().children() if "photocritic.ingest.parsing.parsing_main" in child.cmdline()
    ]


def killed_after_one(stream: Iterator[Record]) -> list[Record]:
    first = next(stream)
    [worker] = workers()
    worker.send_signal(signal.SIGKILL)
    return [first, *stream]


def test_a_killed_worker_costs_one_row(corpus: Path) -> None:
    found = killed_after_one(parsed(large(corpus), 7))
    assert isinstance(found[-1], Rejected)
    assert found[-1].reason == "parser failed: the parser was killed by signal 9; what follows was not read"
    assert found[-1].position.startswith(f"after record {len(found) - 1}, ")
    assert not workers()


def test_a_worker_that_dies_before_its_first_record_is_reported(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    params = settings_of(corpus)
    list(parsed(params, 7))
    [worker] = workers()
    worker.send_signal(signal.SIGSTOP)  # it takes no task any more
    monkeypatch.setattr(limits, "PARSE_SECONDS", 0.2)
    with pytest.raises(CorpusError, match=r"cannot be read: no record within 0\.2 seconds before the first record"):
        list(parsed(params, 7))
    assert not worker.is_running()


def test_want_of_memory_costs_the_corpus_one_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One JSON value of many small lists takes twenty times its size in memory."""
    code = (
        "import sys; from photocritic.core import limits; limits.WORKER_BYTES = 40 << 20\n"
        "limits.confine.__defaults__ = (limits.WORKER_BYTES,)\n"
        "from photocritic.ingest.parsing import parsing_main; parsing_main.main()"
    )
    (tmp_path / "x.json").write_text('{"a.jpg": ["fine"], "b.jpg": [' + "[]," * 8_000_000 + "[]]}")
    original = subprocess.Popen

    def confined(command: list[str], **options: Any) -> Any:
        return original([sys.executable, "-c", code, command[-1]], **options)

    monkeypatch.setattr("photocritic.ingest.parsing.parsing_process.subprocess.Popen", confined)
    while _Worker.idle:
        _Worker.idle.popitem()[1].end()
    found = list(parsed(settings_of(tmp_path / "x.json", "dpc"), 7))
    assert [type(record) for record in found] == [Image, Comment, Rejected]
    assert "MB of memory; what follows was not read" in found[-1].reason  # type: ignore[union-attr]


def test_the_worker_ends_with_its_parent(corpus: Path) -> None:
    large(corpus)
    code = (
        "import signal, sys\n"
        "from photocritic.ingest.parsing.parsing_process import parsed\n"
        "from photocritic.config import IngestParams\n"
        "stream = parsed(IngestParams(reader='folder', source=sys.argv[1]), 7)\n"
        "next(stream); print('reading', flush=True); signal.pause()"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(corpus)], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline()
        [worker] = psutil.Process(parent.pid).children()
        parent.kill()
    worker.wait(timeout=30)


def test_a_reader_that_is_left_early_leaves_no_worker(corpus: Path) -> None:
    stream = parsed(large(corpus), 7)
    next(stream)
    stream.close()
    assert not workers()


# Authors


def test_no_authors_name_is_kept_anywhere(corpus: Path, take_in: TakeIn, tmp_path: Path, caplog: Any) -> None:
    name = "Philippa Featherstonehaugh"
    (corpus / "comments.csv").write_text(
        f"image,text,author\n0.jpg,fine,{name}\n1.jpg,good,{name}\n2.jpg,nice,other\n"
        f'gone.jpg,a,{name}\n0.jpg,,{name}\n0.jpg,a,b,{name}\n0.jpg,caf\udce9,{name}\n0.jpg,"open,{name}\n',
        errors="surrogateescape",
    )
    rows = [{"image": "0.jpg", "text": 7, "author": name}, {"image": "0.jpg", "author_id": name}]
    lines = [json.dumps(row) for row in rows] + [
        f'{{"image": "0.jpg", "author": "{name}", broken',
        f'{{"author": "{name}',
    ]
    (corpus / "more.jsonl").write_text("\n".join(lines))
    _, tables = take_in(corpus, comments="comments.csv", styles={"humorous": "more.jsonl"})
    authors = [row["author_id"] for row in tables["comments"]]
    assert authors[0] == authors[1] != authors[2]
    assert all(len(author) == 16 for author in authors)
    assert len(tables["quarantine"]) == 9
    kept = json.dumps(tables) + caplog.text
    assert "Philippa" not in kept
    assert "Featherstonehaugh" not in kept


def test_names_depend_on_the_key_alone(corpus: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def names() -> set[str | None]:
        return {record.author_id for record in parsed(params, 7) if isinstance(record, Comment)}

    params = large(corpus, 3)
    first = names()
    assert first == names()
    monkeypatch.setenv("PHOTOCRITIC_AUTHOR_KEY", "another key for tests")
    assert names() != first
    monkeypatch.delenv("PHOTOCRITIC_AUTHOR_KEY")
    monkeypatch.chdir(tmp_path)
    own = names()
    assert own == names()
    key = tmp_path / ".photocritic" / "author.key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in key.parent.iterdir()] == ["author.key"]
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert names() == own


@pytest.mark.parametrize(("content", "mode"), [("k" * 40, 0o644), ("short", 0o600), ("", 0o600)])
def test_a_key_that_protects_nothing_is_refused(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str, mode: int
) -> None:
    monkeypatch.delenv("PHOTOCRITIC_AUTHOR_KEY")
    monkeypatch.chdir(tmp_path)
    key = tmp_path / ".photocritic" / "author.key"
    key.parent.mkdir()
    key.write_text(content)
    key.chmod(mode)
    with pytest.raises(CorpusError, match=r"author\.key: (others may read|no key)"):
        list(parsed(large(corpus, 3), 7))
    monkeypatch.setenv("PHOTOCRITIC_AUTHOR_KEY", "short")
    with pytest.raises(CorpusError, match="PHOTOCRITIC_AUTHOR_KEY: a key of 5 characters"):
        list(parsed(settings_of(corpus), 7))


def test_authors_of_the_sample_keep_their_invented_names(take_in: TakeIn) -> None:
    from photocritic.sample import generate

    _, tables = take_in(Path(), reader="sample", sample_images=2)
    invented = [comment.author_id for scene in generate(2, 7) for comment in scene.comments]
    assert [row["author_id"] for row in tables["comments"]] == invented

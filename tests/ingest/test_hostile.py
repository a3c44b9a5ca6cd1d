"""Corpora made to do harm, or damaged: each costs a row or ends in one line, in bounded time and memory."""

import csv
import io
import json
import os
import socket
import tarfile
import time
import tracemalloc
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from photocritic.core.errors import CorpusError
from photocritic.core.limits import JSON_DEPTH, NAME_BYTES, ROW_BYTES, ROW_LINES, TEXT_CHARACTERS
from photocritic.core.nesting import is_too_deep
from photocritic.core.outcome import Outcome
from photocritic.filtering.reading import _texts
from photocritic.ingest.parsing.json_documents import items, pairs
from photocritic.ingest.parsing.rows import Row, read_rows
from photocritic.ingest.records import Comment, Image, Record, Rejected

Read = Callable[..., list[Record]]
TakeIn = Callable[..., Any]
quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)


def of(kind: Any, records: list[Record]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def rows_of(folder: Path, data: bytes, suffix: str = ".csv") -> list[Row | Rejected]:
    path = folder / f"rows{suffix}"
    path.write_bytes(data)
    return list(read_rows(path, path.name, "comment"))


# H6: a few bytes of Parquet that stand for gigabytes
@pytest.mark.parametrize("column", ["caption", "jpg", "image"])
def test_a_value_that_parquet_repeats_is_not_multiplied(tmp_path: Path, read: Read, column: str) -> None:
    large = b"x" * 4_000_000
    values: dict[str, Any] = {"caption": ["short"] * 64, "jpg": [b"j"] * 64}
    values[column] = [{"bytes": large, "path": None}] * 64 if column == "image" else [large] * 64
    if column == "image":
        del values["jpg"]
    pq.write_table(pa.table(values), tmp_path / "0.parquet", compression="zstd")
    assert (tmp_path / "0.parquet").stat().st_size < 10_000
    before = pa.total_allocated_bytes()
    tracemalloc.start()
    kinds = []
    for record in _stream(tmp_path):
        kinds.append(type(record))
        assert pa.total_allocated_bytes() - before < 100_000_000
    assert tracemalloc.get_traced_memory()[1] < 50_000_000
    tracemalloc.stop()
    assert kinds == [Image, Rejected if column == "caption" else Comment] * 64


def _stream(folder: Path) -> Any:
    from photocritic.config import IngestParams
    from photocritic.ingest import readers

    return readers.get("conceptual").read(folder, IngestParams(reader="conceptual", source=str(folder)), 7)


# L9: a list where a text should be
@pytest.mark.parametrize("value", [["a"], {"a": 1}, 1.5])
def test_a_caption_of_another_type_is_no_text(tmp_path: Path, read: Read, value: Any) -> None:
    pq.write_table(pa.table({"caption": [value, value], "url": ["u", "v"]}), tmp_path / "0.parquet")
    records = read("conceptual", tmp_path)
    assert [item.reason.split(":")[0] for item in of(Rejected, records)] == ["malformed row"] * 2
    assert not of(Comment, records)


# H7: links that leave the corpus
@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "outside" / "private.txt"
    path.parent.mkdir()
    path.write_text("a private text")
    return path


def test_a_loose_text_that_links_out_is_not_read(corpus: Path, read: Read, secret: Path) -> None:
    (corpus / "images" / "0.txt").symlink_to(secret)
    (corpus / "images" / "own.txt").write_text("an own text")
    (corpus / "images" / "1.txt").symlink_to("own.txt")
    records = read("conceptual", corpus / "images")
    assert [(item.image_id, item.text) for item in of(Comment, records)] == [("1.jpg", "an own text")]
    assert "link leads out of the corpus" in [item.reason for item in of(Rejected, records)]


def test_an_image_that_links_out_is_not_taken(corpus: Path, take_in: TakeIn, secret: Path) -> None:
    (secret.parent / "x.jpg").write_bytes((corpus / "images" / "0.jpg").read_bytes())
    (corpus / "images" / "out.jpg").symlink_to(secret.parent / "x.jpg")
    (corpus / "images" / "nowhere.jpg").symlink_to("gone")
    (corpus / "images" / "circle.jpg").symlink_to("circle.jpg")
    _, tables = take_in(corpus)
    reasons = {row["position"]: row["reason"] for row in tables["quarantine"]}
    assert reasons["out.jpg"] == "link leads out of the corpus"
    assert {"nowhere.jpg", "circle.jpg"} < set(reasons)
    assert len(tables["images"]) == 3


@pytest.mark.parametrize("name", ["../outside/private.csv", "linked.csv", "inner/private.csv"])
def test_a_named_file_outside_is_refused(corpus: Path, read: Read, secret: Path, name: str) -> None:
    (secret.parent / "private.csv").write_text("image,text\n0.jpg,private\n")
    (corpus / "linked.csv").symlink_to(secret.parent / "private.csv")
    (corpus / "inner").symlink_to(secret.parent)
    with pytest.raises(CorpusError, match="leads out of the corpus"):
        read("folder", corpus, comments=name)


def test_a_folder_of_images_that_is_a_link_out_is_refused(corpus: Path, read: Read, tmp_path: Path) -> None:
    (corpus / "images").rename(tmp_path / "images")
    (corpus / "images").symlink_to(tmp_path / "images")
    for reader in ("folder", "coco"):
        with pytest.raises(CorpusError, match="leads out of the corpus"):
            read(reader, corpus, comments="comments.csv")


def test_the_corpus_itself_may_be_a_link(corpus: Path, read: Read, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(corpus)
    (tmp_path / "file.csv").symlink_to(corpus / "comments.csv")
    assert len(of(Comment, read("folder", tmp_path / "link"))) == 4
    assert len(of(Comment, read("folder", tmp_path / "file.csv"))) == 4


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_a_tar_member_that_is_no_file_is_turned_away(tmp_path: Path, read: Read, kind: bytes) -> None:
    with tarfile.open(tmp_path / "0.tar", "w") as tar:
        for name, member_kind in (("a.jpg", tarfile.REGTYPE), ("a.txt", kind)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = member_kind, "/etc/hostname"
            tar.addfile(info, io.BytesIO())
    records = read("conceptual", tmp_path)
    assert [item.reason for item in of(Rejected, records)] == ["not a regular file"]
    assert not of(Comment, records)


# M1 and M5: what never ends, or waits
@pytest.mark.parametrize("make", ["fifo", "zero", "socket", "folder"])
@pytest.mark.parametrize("reader", ["conceptual", "folder", "dpc"])
def test_only_regular_files_are_opened(
    corpus: Path, read: Read, make: str, reader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = {"conceptual": "images/0.txt", "folder": "images/x.jpg", "dpc": "x.json"}[reader]
    place = corpus / name
    if make == "fifo":
        os.mkfifo(place)
    elif make == "zero":
        place.symlink_to("/dev/zero")
    elif make == "folder":
        place.mkdir()
    else:
        monkeypatch.chdir(place.parent)  # a socket's address has a hundred bytes at most
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(place.name)
    if reader == "dpc":
        with pytest.raises(CorpusError):
            read(reader, place)
        return
    records = read(reader, corpus / "images" if reader == "conceptual" else corpus)
    if make != "folder":
        assert [item.reason for item in of(Rejected, records) if "0.txt" in item.content or "x.jpg" in item.content]
    assert len(of(Image, records)) == 3


def test_a_header_that_claims_a_terabyte_ends_the_archive(tmp_path: Path, read: Read) -> None:
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, 2**40
    good = io.BytesIO()
    with tarfile.open(fileobj=good, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("a.jpg"), io.BytesIO())
    (tmp_path / "0.tar").write_bytes(good.getvalue()[:512] + info.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    records = read("conceptual", tmp_path)
    assert [item.image_id for item in of(Image, records)] == ["a.jpg"]
    assert [item.reason.split(":")[0] for item in of(Rejected, records)] == ["damaged archive"]


def test_a_negative_size_does_not_lead_in_circles(tmp_path: Path, read: Read) -> None:
    info = tarfile.TarInfo("a.jpg")
    info.size = -512
    (tmp_path / "0.tar").write_bytes(info.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    assert [item.reason.split(":")[0] for item in of(Rejected, read("conceptual", tmp_path))] == ["damaged archive"]


# M2: rows whose quotes never close
@pytest.mark.parametrize("line", ['a"b,"\n', 'a","\n', '"""x\n', '"\n', 'a,"b\n', '",x,"\n', 'x,"""\n'])
def test_lines_are_not_read_again_and_again(tmp_path: Path, line: str) -> None:
    began = time.process_time()
    found = rows_of(tmp_path, ("image,text\n" + line * 20_000).encode())
    assert time.process_time() - began < 10
    assert found


def test_a_quoted_row_may_span_some_lines(tmp_path: Path) -> None:
    for count, kept in ((ROW_LINES - 1, 1), (ROW_LINES + 1, 0)):
        found = rows_of(tmp_path, b'image,text\na,"' + b"\n" * count + b'"\n')
        assert len(of(Row, found)) == kept  # type: ignore[arg-type]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".tsv"])
def test_a_line_without_end_costs_itself(tmp_path: Path, suffix: str) -> None:
    head = {".csv": b"image,text\n", ".tsv": b"image\ttext\n", ".jsonl": b""}[suffix]
    good = {".csv": b"a,b", ".tsv": b"a\tb", ".jsonl": b'{"image": "a"}'}[suffix]
    for length in (ROW_BYTES, ROW_BYTES + 1, 3 * ROW_BYTES):
        found = rows_of(tmp_path, head + b"x" * length + b"\n" + good + b"\n", suffix)
        assert [type(row) for row in found] == [Rejected, Row], length


@quick
@given(st.lists(st.lists(st.sampled_from(['"', ",", "a", '""', ' "', "é"]), max_size=6).map("".join), max_size=12))
def test_rows_of_sound_csv_survive_any_neighbour(tmp_path: Path, lines: list[str]) -> None:
    found = rows_of(tmp_path, "\n".join(["image,text", *lines, "", "good,row", ""]).encode())
    open_at_end = any('"' in line for line in lines)
    assert open_at_end or any(isinstance(row, Row) and row.values == {"image": "good", "text": "row"} for row in found)


# M3: how deep JSON may be
@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
def test_deep_json_is_refused_at_once(tmp_path: Path, read: Read, opening: str) -> None:
    deep = opening * 20_000
    (tmp_path / "deep.json").write_text(f'{{"a.jpg": ["fine"], "b.jpg": {deep}')
    began = time.process_time()
    with pytest.raises(CorpusError, match=rf"deep\.json: nested more than {JSON_DEPTH} deep"):
        read("dpc", tmp_path / "deep.json")
    found = rows_of(tmp_path, f'{{"image": "a", "text": {deep}\n{{"image": "a"}}\n'.encode(), ".jsonl")
    assert [type(row) for row in found] == [Rejected, Row]
    assert time.process_time() - began < 2


@quick
@given(
    st.recursive(
        st.one_of(st.none(), st.text(), st.sampled_from(['"', "\\", "[{", '\\"[', "\ud83d", "😀"])),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    )
)
def test_depth_is_that_of_the_value(value: Any) -> None:
    def depth(part: Any) -> int:
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        return max(map(depth, inner), default=0) + isinstance(part, dict | list)

    levels = JSON_DEPTH - depth(value)
    text = json.dumps(value)
    assert not is_too_deep("[" * levels + text + "]" * levels)
    assert is_too_deep("[" * (levels + 1) + text + "]" * (levels + 1))


@quick
@given(st.lists(st.text(st.sampled_from(["\\", "u", "d", "8", "3", '"', "\ud83d", "\ude00", "a", "é"])), max_size=8))
def test_escapes_across_blocks_of_a_document(tmp_path: Path, texts: list[str]) -> None:
    """L9: half a character is told from a whole one wherever the file is cut into blocks."""
    path = tmp_path / "x.json"
    for shift in (0, 65_530 - len(json.dumps(texts))):
        path.write_text(json.dumps({"a": ["x" * shift, *texts]}))
        [(_, found)] = pairs(path)
        whole = json.loads(path.read_text())["a"]
        clean = [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in whole]
        assert [text.replace("\ufdd0", "\ufffd") for text in found] == clean


# M4: a text that is too long
@pytest.mark.parametrize("reader", ["folder", "dpc"])
def test_an_endless_comment_is_quarantined(corpus: Path, take_in: TakeIn, reader: str, write_json: Any) -> None:
    texts = {"0.jpg": ["fine", "x" * 4_000_000, "y" * TEXT_CHARACTERS]}
    if reader == "dpc":
        source = write_json(corpus / "c.json", texts)
    else:
        source = corpus / "c.jsonl"
        source.write_text("".join(json.dumps({"image": "0.jpg", "text": text}) + "\n" for text in texts["0.jpg"]))
    _, tables = take_in(source, reader=reader)
    assert [len(row["text"]) for row in tables["comments"]] == [4, TEXT_CHARACTERS]
    [row] = tables["quarantine"]
    assert row["reason"].startswith(("text too long", "malformed row: longer"))


def test_endless_names_are_quarantined(corpus: Path, take_in: TakeIn) -> None:
    long = "n" * (NAME_BYTES + 1)
    rows = [{"image": "0.jpg", "text": "fine"}, {"image": long, "text": "a"}]
    rows += [{"image": "0.jpg", "text": "a", key: long} for key in ("comment_id", "style")]
    (corpus / "comments.csv").unlink()
    (corpus / "c.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    _, tables = take_in(corpus)
    assert [row["reason"].split(":")[0] for row in tables["quarantine"]] == [
        "image name too long",
        "comment id too long",
        "style too long",
    ]


# M6: two files of one name
def test_pairs_of_one_name_in_two_folders_stay_apart(tmp_path: Path, take_in: TakeIn, picture: Any) -> None:
    for number, place in enumerate("ab"):
        (tmp_path / "c" / place).mkdir(parents=True)
        (tmp_path / "c" / place / "000.jpg").write_bytes(picture((90 * number, 9, 200)))
        (tmp_path / "c" / place / "000.txt").write_text(f"the caption of {place}")
    with tarfile.open(tmp_path / "pairs.tar", "w") as tar:
        tar.add(tmp_path / "c", arcname="")
    for number, source in enumerate([tmp_path / "c", tmp_path / "pairs.tar"]):
        _, tables = take_in(source, reader="conceptual", out=str(number))
        assert {row["image_id"]: row["text"] for row in tables["comments"]} == {
            "a/000.jpg": "the caption of a",
            "b/000.jpg": "the caption of b",
        }


def test_a_second_archive_with_the_same_names_takes_no_captions_over(
    tmp_path: Path, take_in: TakeIn, picture: Any
) -> None:
    for place in "ab":
        (tmp_path / place).mkdir()
        with tarfile.open(tmp_path / place / "0.tar", "w") as tar:
            for name, data in (("0.jpg", picture()), ("0.txt", place.encode())):
                info = tarfile.TarInfo(name)
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
    _, tables = take_in(tmp_path, reader="conceptual")
    assert [row["text"] for row in tables["comments"]] == ["a"]
    assert [row["reason"] for row in tables["quarantine"]] == ["duplicate image", "its image is quarantined"]


def test_a_name_that_two_image_files_have_is_not_guessed(corpus: Path, read: Read, write_json: Any) -> None:
    (corpus / "images" / "more").mkdir()
    (corpus / "images" / "more" / "0.jpg").write_bytes((corpus / "images" / "1.jpg").read_bytes())
    source = write_json(corpus / "c.json", {"0.jpg": ["a"], "more/0.jpg": ["b"], "1.jpg": ["c"]})
    records = read("dpc", source)
    assert [item.image_id for item in of(Image, records)] == ["0.jpg", "more/0.jpg", "1.jpg"]


# L8: the command topics
def test_new_comments_are_read_as_those_of_a_corpus(tmp_path: Path) -> None:
    wide, half = tmp_path / "wide.txt", tmp_path / "half.jsonl"
    wide.write_bytes("lovely light\nand shade".encode("utf-16"))
    half.write_text('{"text": "half \\ud83d"}\n{"text": "whole"}\n')
    with pytest.raises(CorpusError, match="save the file as UTF-8"):
        list(_texts(wide))
    assert list(_texts(half)) == ["whole"]
    (tmp_path / "some.txt").write_bytes(b"good\n\xff\n" + b"x" * 30_000 + b"\nlast\n")
    assert list(_texts(tmp_path / "some.txt")) == ["good", "last"]


# L9: altered texts
@pytest.mark.parametrize("field", [r'"he said \"nice light\" to me"', '"he said "nice" to me"', '"a" b'])
def test_quotes_within_quotes_are_not_guessed(tmp_path: Path, field: str) -> None:
    found = rows_of(tmp_path, f"image,text\na,{field}\nb,good\n".encode())
    assert [type(row) for row in found] == [Rejected, Row]


def test_half_a_character_in_a_document_costs_one_text(corpus: Path, read: Read) -> None:
    (corpus / "c.json").write_text(r'{"0.jpg": ["a \ud83d", "b \ud83d\ude00", "c \\ud83d", "\ude00"]}')
    records = read("dpc", corpus / "c.json")
    assert [item.text for item in of(Comment, records)] == ["b 😀", r"c \ud83d"]
    assert [item.reason for item in of(Rejected, records)] == ["not UTF-8"] * 2


def test_a_key_that_stands_twice_costs_its_row(tmp_path: Path) -> None:
    found = rows_of(tmp_path, b'{"image": "a", "text": "b", "text": "c"}\n{"image": "a"}\n', ".jsonl")
    assert [type(row) for row in found] == [Rejected, Row]


@pytest.mark.parametrize(
    "value", ["1" * 5_000, "-" + "1" * 5_000, "NaN", "1e999", "Infinity", "true", "9" * 30, '"\\u0000"', "null", "[[]]"]
)
def test_odd_values_cost_their_row(corpus: Path, take_in: TakeIn, value: str) -> None:
    rows = [f'{{"image": {value}, "text": "a"}}', f'{{"image": "0.jpg", "text": {value}}}']
    (corpus / "comments.csv").unlink()
    (corpus / "c.jsonl").write_text("\n".join([*rows, '{"image": "0.jpg", "text": "fine"}']))
    _, tables = take_in(corpus)
    assert (len(tables["comments"]), len(tables["quarantine"])) == (1, 2)


@pytest.mark.parametrize("value", ["1" * 5_000, "NaN", "1e999", "9" * 30])
def test_odd_numbers_in_a_document_are_told(tmp_path: Path, value: str) -> None:
    (tmp_path / "x.json").write_text(f'[{{"a": {value}}}]')
    with pytest.raises(CorpusError, match=r"x\.json: "):
        list(items(tmp_path / "x.json", "item"))


@pytest.mark.parametrize("head", [b"\x1f\x8b\x08", b"PK\x03\x04", b"BZh9", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"])
def test_a_compressed_file_is_told(corpus: Path, read: Read, head: bytes) -> None:
    (corpus / "comments.csv").write_bytes(head + b"rest")
    with pytest.raises(CorpusError, match="compressed"):
        read("folder", corpus)


# L10: names, and kinds of images
def test_accents_match_in_either_form(tmp_path: Path, take_in: TakeIn, picture: Any) -> None:
    (tmp_path / "c" / "images").mkdir(parents=True)
    name = "café.jpg"
    (tmp_path / "c" / "images" / unicodedata.normalize("NFD", name)).write_bytes(picture())
    composed = unicodedata.normalize("NFC", name)
    (tmp_path / "c" / "comments.csv").write_text(f"image,text\n{composed},lovely\n", encoding="utf-8")
    (tmp_path / "c" / "c.json").write_text(json.dumps({composed: ["lovely"]}))
    for reader, file in (("folder", "comments.csv"), ("dpc", "c.json")):
        _, tables = take_in(tmp_path / "c", reader=reader, comments=file, out=reader)
        assert [row["image_id"] for row in tables["comments"]] == [composed]
        assert [row["image_id"] for row in tables["images"]] == [composed]


@pytest.mark.parametrize("reader", ["folder", "dpc"])
def test_images_of_an_unknown_kind_alone_are_no_corpus_of_text(corpus: Path, read: Read, reader: str) -> None:
    for path in (corpus / "images").iterdir():
        path.rename(path.with_suffix(".cr2"))
    (corpus / "c.json").write_text('{"0.jpg": ["a"]}')
    with pytest.raises(CorpusError, match=r"no image of a known kind, but others, such as 0\.cr2"):
        read(reader, corpus, comments="comments.csv" if reader == "folder" else "c.json")


def test_no_comment_on_any_image_names_both(corpus: Path, take_in: TakeIn) -> None:
    (corpus / "comments.csv").write_text("image,text\nIMG_0,a\nIMG_1,b\n")
    with pytest.raises(CorpusError, match=r"2 rows: unknown image, .*IMG_0; the images are named such as '0\.jpg'"):
        take_in(corpus)


# L11: what a terminal or a spreadsheet would obey
def test_control_characters_do_not_reach_the_terminal(corpus: Path, take_in: TakeIn, caplog: Any) -> None:
    (corpus / "images" / "\x1b[31mred\n.jpg").write_bytes(b"x")
    take_in(corpus)
    assert "\\x1b[31mred" in caplog.text
    assert "\x1b" not in caplog.text
    assert "\x1b" not in str(CorpusError("a name with \x1b[31m"))


def test_a_text_is_no_formula_in_a_table(tmp_path: Path) -> None:
    texts = ["+1+cmd|' /C calc'!A0", "=1+1", "-2+3+cmd", "@SUM(1)", "\t=1", "-.25", "+3.1%", "fine = good"]
    Outcome(tables={"t": [{"text": text, "number": -1.5} for text in texts]}).write_tables(tmp_path)
    with (tmp_path / "t.csv").open(newline="") as stream:
        found = list(csv.DictReader(stream))
    assert [row["text"] for row in found] == [f"'{text}" for text in texts[:5]] + texts[5:]
    assert {row["number"] for row in found} == {"-1.5"}


@pytest.mark.parametrize("name", ["x" * 5_000, "a\0b", "../..", ".", "/", "comments.csv/x"])
def test_odd_names_in_parameters_are_told(corpus: Path, read: Read, name: str) -> None:
    with pytest.raises(CorpusError):
        read("folder", corpus, comments=name)
    with pytest.raises(CorpusError):
        read("folder", corpus / name, comments="gone")


def test_a_folder_that_is_named_like_a_table(corpus: Path, read: Read) -> None:
    (corpus / "a.csv").mkdir()
    assert len(of(Comment, read("folder", corpus))) == 4
    (corpus / "comments.csv").unlink()
    with pytest.raises(CorpusError):
        read("folder", corpus)

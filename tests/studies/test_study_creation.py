"""A study is made from a run's tables, the same from the same, and refuses what it cannot be made of."""

import hashlib
import io

import pytest
from PIL import Image

from photocritic import tables, validation
from photocritic.core.errors import CorpusError, PhotocriticError
from photocritic.images.shards import ShardWriter
from photocritic.studies.study_creation import create
from photocritic.studies.study_file import connect
from photocritic.studies.study_kinds import GRADED
from tests.evaluation.conftest import comments


def save(path, table, rows):
    tables.save(table, path, tables.from_rows(table, rows))


def turned_png():
    """Make a picture as cameras do: stored on its side, with the remark that it must be turned."""
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "secret place"  # orientation, description
    buffer = io.BytesIO()
    Image.new("RGB", (60, 40), (9, 99, 199)).save(buffer, "PNG", exif=exif)
    return buffer.getvalue()


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Make the tables of eight photographs, six of them held back; ns always says the same, cws something else."""
    monkeypatch.setattr(validation, "check", lambda *args, **facts: None)  # the gates' own tests try them
    folder = tmp_path / "data"
    (folder / "ingest" / "shards").mkdir(parents=True)
    ids = [f"image{number:02}" for number in range(8)]
    with ShardWriter(folder / "ingest" / "shards") as writer:
        rows = [
            {"image_id": one, "path": writer.add(turned_png(), "PNG"), "width": 40, "height": 60, "format": "PNG"}
            | {
                "sha256": hashlib.sha256(turned_png()).hexdigest(),
                "split": "test" if number < 6 else "train",
                "labels": [],
            }
            for number, one in enumerate(ids)
        ]
    save(folder / "ingest" / "images.parquet", "images", rows)
    save(folder / "ingest" / "references.parquet", "references", [])
    said = [comment for number, one in enumerate(ids) for comment in comments(number, one)]
    (folder / "filter").mkdir()
    save(folder / "filter" / "captions.parquet", "captions", said)
    (folder / "evaluate").mkdir()
    spoken = [
        {"image_id": one, "variant": variant, "caption": text, "logprob": -1.0}
        for one in ids[:6]
        for variant, text in (("ns", "nice shot"), ("cws", f"soft light on {one}"))
    ]
    save(folder / "predictions" / "predictions.parquet", "predictions", spoken)
    return folder


def lines(path):
    with connect(path) as database:
        rows = database.execute(
            "SELECT image_id, training, source, text FROM captions JOIN trials ON trials.number = trial "
            "JOIN photographs ON photographs.number = photograph ORDER BY trial, place"
        )
        return rows.fetchall()


def test_all_variants_of_the_held_back_photographs(data, tmp_path):
    path, terms, trials = create(str(tmp_path / "one.db"), "rating", data, images=4, training=2)
    assert (terms.sources, terms.training, terms.raters, trials) == (("ns", "cws"), 2, 0, 8)
    rows = lines(path)
    assert len(rows) == 10
    assert {image_id for image_id, *_ in rows} == {f"image{number:02}" for number in range(6)}
    assert all(text == ("nice shot" if source == "ns" else f"soft light on {one}") for one, _, source, text in rows)


def test_speech_in_a_style_is_a_source_for_those_who_name_it(data, tmp_path):
    path = data / "predictions" / "predictions.parquet"
    rows = tables.load("predictions", path).to_pylist()
    rows += [row | {"variant": "cws.humorous", "caption": "a joke"} for row in rows if row["variant"] == "cws"]
    save(path, "predictions", rows)
    _, unasked, _ = create(str(tmp_path / "one.db"), "rating", data, images=4, training=2)
    assert unasked.sources == ("ns", "cws")
    asked = ["cws", "cws.humorous"]
    _, terms, _ = create(str(tmp_path / "two.db"), "rating", data, sources=asked, images=4, training=2)
    assert terms.sources == tuple(asked)
    assert {text for *_, source, text in lines(tmp_path / "two.db") if source == "cws.humorous"} == {"a joke"}


def test_the_same_run_and_seed_make_the_same_bytes(data, tmp_path):
    paths = [
        create(str(tmp_path / f"{name}.db"), "rating", data, images=4, training=2, seed=seed)[0]
        for name, seed in (("one", 7), ("again", 7), ("other", 8))
    ]
    first, again, other = (path.read_bytes() for path in paths)
    assert first == again
    assert first != other
    assert sorted(file.name for file in tmp_path.glob("*.db*")) == ["again.db", "one.db", "other.db"]


def test_photographs_are_upright_jpegs_that_tell_nothing(data, tmp_path):
    path, *_ = create(str(tmp_path / "one.db"), "rating", data, images=1, training=0)
    with connect(path) as database:
        (data,) = database.execute("SELECT jpeg FROM photographs").fetchone()
    with Image.open(io.BytesIO(data)) as image:
        assert (image.format, image.size) == ("JPEG", (40, 60))
    assert b"secret" not in data


def test_people_write_like_models_beside_them_and_as_they_wrote_alone(data, tmp_path):
    with_models, *_ = create(str(tmp_path / "a.db"), "yesno", data, sources=["cws", "human"], images=6)
    people = {text for _, _, source, text in lines(with_models) if source == "human"}
    assert "the dog stands in soft light" in people
    assert all(text == text.lower() and "!" not in text for text in people)
    changes = {"images": 6, "training": 0, "sources": ["accepted"]}
    with pytest.raises(PhotocriticError, match="only 0 have"):
        create(str(tmp_path / "b.db"), "informative", data, **changes)  # one accepted comment each, two are needed
    judged, *_ = create(str(tmp_path / "c.db"), "yesno", data, images=6, sources=["accepted", "discarded"])
    assert tuple(
        text for image_id, _, source, text in sorted(lines(judged), key=lambda row: row[2]) if image_id == "image00"
    ) == ("The dog stands in soft light!", "Nice shot")


@pytest.mark.parametrize(("kind", "sources"), [("grades", []), ("informative", ["uncertain"])])
def test_comments_are_graded_without_their_photographs(data, tmp_path, kind, sources):
    path, terms, trials = create(str(tmp_path / "one.db"), kind, data, sources=sources, images=3)
    assert (terms.kind, terms.sources, terms.raters, trials) == ("grades", GRADED, 2, 3)
    assert {source for *_, source, _ in lines(path)} <= set(GRADED)
    assert all("joke" not in text for *_, text in lines(path))
    with connect(path) as database:
        assert database.execute("SELECT DISTINCT jpeg FROM photographs").fetchall() == [(b"",)]
        found = database.execute("SELECT comment_id, text FROM captions").fetchall()
    told = {
        row["comment_id"]: row["text"]
        for row in tables.load("captions", data / "filter" / "captions.parquet").to_pylist()
    }
    assert all(told[comment_id] == text for comment_id, text in found)


def test_comments_of_one_split_or_of_a_table_alone(data, tmp_path):
    path, *_ = create(str(tmp_path / "one.db"), "grades", data, sources=["random"], images=2, split="train")
    assert {image_id for image_id, *_ in lines(path)} <= {"image06", "image07"}
    alone = data / "filter" / "captions.parquet"
    _, _, trials = create(str(tmp_path / "two.db"), "grades", alone, images=3)
    assert trials == 3
    with pytest.raises(PhotocriticError, match="omit --split"):
        create(str(tmp_path / "three.db"), "grades", alone, images=4, split="train")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"kind": "grades", "sources": ["ns"]}, "takes one source, uncertain or random; --sources names ns"),
        ({"kind": "grades", "images": 300}, "lower --images"),
        ({"sources": ["ns", "cwx"]}, "'cwx'; known are cws, ns, and the sources human"),
        ({"images": 7}, "only 6 have"),
        ({"split": "val"}, "split 'val'"),
        ({"kind": "pairs", "sources": ["ns"]}, "compares two sources"),
        ({"kind": "ratings"}, "known are rating"),
        ({"name": "a/b"}, "cannot name a study"),
    ],
)
def test_what_cannot_be_made_is_refused_and_leaves_nothing(data, tmp_path, changes, words):
    given = {"name": str(tmp_path / "one.db"), "kind": "rating", "images": 2, "training": 0} | changes
    with pytest.raises(PhotocriticError, match=words):
        create(given.pop("name"), given.pop("kind"), data, **given)
    assert not list(tmp_path.glob("*.db*"))


def test_a_photograph_of_another_run_is_not_shown(data, tmp_path):
    with ShardWriter(data / "ingest" / "shards") as writer:
        for _ in range(8):
            writer.add(turned_png()[:-1] + b"x", "PNG")
    with pytest.raises(CorpusError, match="not the image that the images table describes"):
        create(str(tmp_path / "one.db"), "rating", data, images=2, training=0)
    assert not list(tmp_path.glob("*.db*"))


def test_a_study_that_exists_is_never_written_over(data, tmp_path):
    path, *_ = create(str(tmp_path / "one.db"), "rating", data, images=2, training=0)
    before = path.read_bytes()
    with pytest.raises(PhotocriticError, match="exists already"):
        create(str(path), "rating", data, images=2, training=0, seed=9)
    assert path.read_bytes() == before

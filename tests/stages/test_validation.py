"""What stops each corruption of each table that a stage reads: its own checks, or what must hold between tables."""

import hashlib
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from safetensors.numpy import save_file

from photocritic import config, tables
from photocritic.core import paths
from photocritic.core.declaration import Declaration
from photocritic.core.errors import PhotocriticError
from photocritic.validation import gate
from stages.validation import validate_inputs
from tests import poisons

FEATURES = paths.FEATURES / "weak.parquet"
PATHS = {
    "images": paths.IMAGES,
    "comments": paths.COMMENTS,
    "references": paths.REFERENCES,
    "captions": paths.CAPTIONS,
    "ngrams": paths.NGRAMS,
    "topics": paths.TOPICS,
    "words": paths.WORDS,
    "features": FEATURES,
}
IDS = [f"scene {number:02}.jpg" for number in range(40)]
PARAMS = config.check({"lda": {"topics": 4, "words": 6}})
NAN = float("nan")


def rows():
    noun = ["bird", "boat", "hill", "lamp", "tree"]
    images = [
        {
            "image_id": name, "path": f"00000.tar/{number:09}.jpg", "width": 160, "height": 120, "format": "JPEG",
            "sha256": hashlib.sha256(name.encode()).hexdigest(), "phash": number * 977 + 1,
            "split": ("test", "val", "train", "train")[number % 4], "labels": [noun[number % 5]],
        }
        for number, name in enumerate(IDS)
    ]  # fmt: skip
    comments = [
        {
            "comment_id": f"c{number}", "image_id": IDS[number // 2], "author_id": f"user{number % 33}",
            "text": f"A {noun[number % 5]} in the light of {noun[number % 3]} {number}", "style": None, "source": "c",
        }
        for number in range(80)
    ]  # fmt: skip
    captions = [
        row
        | {
            "sentence": 0,
            "cleaned": row["text"].lower(),
            "tokens": row["text"].lower().split(),
            "ngrams": ["light", "the_light"],
        }
        | {"form": None, "score": 21.0, "kept": bool(number % 5), "reason": "" if number % 5 else "score"}
        for number, row in enumerate(comments)
    ]
    return {
        "images": images,
        "comments": comments,
        "references": [{name: row[name] for name in ("image_id", "text", "source")} for row in comments],
        "captions": captions,
        "ngrams": [{"ngram": name, "order": 1, "count": 9, "probability": 0.2} for name in noun],
    }


def vectors(table, column, matrix):
    values = pa.FixedSizeListArray.from_arrays(pa.array(matrix.astype(np.float32).ravel()), matrix.shape[1])
    schema = tables.schema(table, **{column: matrix.shape[1]})
    tables.save(table, PATHS[table], pa.Table.from_arrays([pa.array(IDS), values], schema=schema))


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """Write the tables of a small corpus, all of which belong together."""
    folder = tmp_path_factory.mktemp("world")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for table, some in rows().items():
            tables.save(table, PATHS[table], tables.from_rows(table, some))
        random = np.random.default_rng(0)
        vectors("topics", "topics", random.dirichlet(np.ones(4), 40))
        vectors("words", "words", random.dirichlet(np.ones(6), 40))
        vectors("features", "vector", random.normal(size=(40, 8)))
        (paths.CNN / "weak").mkdir(parents=True)
        save_file({"mean": np.zeros(8, np.float32)}, paths.CNN / "weak" / "weights.safetensors")
        yield SimpleNamespace(folder=folder)


@pytest.fixture
def spoiled(world, monkeypatch):
    """Give a function that spoils a table for the time of the test; a failure's page, which takes long, is left out."""
    monkeypatch.setattr("photocritic.validation.gate._render", lambda *_: None)
    kept = {}

    def spoil(table, how):
        path = PATHS[table]
        kept[path] = path.read_bytes()
        how(path)
        return path

    yield spoil
    for path, content in kept.items():
        path.write_bytes(content)


def validate(*names):
    read = tuple(PATHS[name] for name in names or PATHS)
    validate_inputs(Declaration("any", read, (), ()), PARAMS)


def refused(table):
    names = ("images", "comments", "captions") if table == "images" else ("images", table)
    with pytest.raises(PhotocriticError) as refusal:
        validate(*names)
    return str(refusal.value)


def test_tables_that_belong_together_are_taken(world):
    validate()


CORRUPTIONS = {
    "nulls": [
        ("images", poisons.values("sha256", None), "sha256: expected a value in every row; found 1 of 40 rows"),
        ("images", poisons.values("labels", None), "labels: expected a value"),
        ("captions", poisons.values("tokens", ["a", None]), "tokens: expected a value"),
        ("captions", poisons.values("kept", None), "kept"),
        ("references", poisons.values("source", None), "source: expected a value"),
        ("ngrams", poisons.values("count", None), "count: expected a value"),
        ("topics", poisons.values("image_id", None), "image_id: expected a value"),
    ],
    "duplicated ids": [
        ("images", poisons.repeated(), "image_id: expected no value twice"),
        ("captions", poisons.repeated(), "comment_id, sentence: expected no combination twice"),
        ("ngrams", poisons.repeated(), "order, ngram: expected no combination twice"),
        ("words", poisons.repeated(), "image_id: expected no value twice"),
        ("features", poisons.repeated(), "image_id: expected no value twice"),
    ],
    "swapped columns": [
        ("images", poisons.swapped("image_id", "sha256"), "sha256: expected text like"),
        ("images", poisons.swapped("split", "format"), "format"),
        ("comments", poisons.swapped("image_id", "author_id"), "image_id: expected an image of data"),
        ("comments", poisons.swapped("text", "source"), "texts_are_more_than_sources"),
        ("comments", poisons.swapped("author_id", "source"), "sources_are_few"),
        ("captions", poisons.swapped("comment_id", "text"), "text: expected not the names"),
        ("captions", poisons.swapped("form", "author_id"), "form: expected not the names"),
        ("references", poisons.swapped("text", "image_id"), "image_id: expected an image of data"),
        ("comments", poisons.chosen(lambda names: names[::-1]), "order: expected the columns comment_id, image_id"),
    ],
    "negative scores": [
        ("captions", poisons.values("score", -0.5), "score: expected at least 0"),
        ("captions", poisons.values("score", NAN), "score: expected a value"),
        ("ngrams", poisons.values("probability", -0.1), "probability: expected at least 0"),
    ],
    "topics not summing to 1": [
        ("topics", poisons.vectors("topics", lambda some: some / 2), "topics_sum: expected at least 0.999"),
        ("topics", poisons.vectors("topics", lambda some: 1.75 * some - 0.1875), "topics_min: expected at least 0"),
        ("words", poisons.vectors("words", lambda some: some * 3), "words_sum: expected"),
    ],
    "NaN features": [
        ("features", poisons.vectors("vector", lambda some: np.where(some == some.max(), NAN, some)), "vector_sum"),
        ("features", poisons.vectors("vector", lambda some: np.where(some == some.max(), np.inf, some)), "vector_sum"),
        ("topics", poisons.vectors("topics", lambda some: np.where(some == some.max(), NAN, some)), "topics_sum"),
    ],
    "wrong dimension": [
        ("topics", poisons.vectors("topics", lambda some: np.eye(3)[np.arange(40) % 3]), "expected 4 values an image"),
        ("words", poisons.vectors("words", lambda some: np.hstack([some, some * 0])), "expected at most 6 values"),
        ("features", poisons.vectors("vector", lambda some: some[:, :5]), "vector: expected 8 values an image"),
        ("features", poisons.typed("vector", pa.list_(pa.float32())), "each of equally many values"),
    ],
    "leaked test images": [
        ("images", poisons.leaked(), "image_id, split: expected no value twice"),
        ("images", poisons.leaked(image_id="x", phash=5), "scene 00.jpg (test) and x (train): the same bytes"),
        ("images", poisons.leaked(image_id="x", sha256="ab"), "look alike, by phash"),
        ("images", poisons.values("split", "holdout"), "split: expected one of 'train', 'val', 'test'"),
    ],
    "empty table": [(table, poisons.emptied(), "rows: expected 1 or more") for table in PATHS if table != "references"],
    "truncated Parquet": [
        ("captions", poisons.cut(0.9), "truncated or damaged"),
        ("topics", poisons.cut(0.0), "truncated or damaged"),
        ("features", poisons.flipped(0.3), "truncated or damaged"),
        ("comments", poisons.flipped(0.1), "truncated or damaged"),
    ],
    "wrong dtype": [
        ("images", poisons.typed("width", pa.string()), "width: expected a column of type int32; found string"),
        ("captions", poisons.typed("kept", pa.int8()), "kept: expected a column of type bool"),
        ("ngrams", poisons.typed("count", pa.float64()), "count: expected a column of type int64"),
        ("features", poisons.typed("vector", pa.list_(pa.float64(), 8)), "of type float; found"),
        ("comments", poisons.chosen(lambda names: names[1:]), "comment_id: expected a column of type string"),
    ],
    "mixed encodings": [
        ("comments", poisons.latin("text"), "not_utf8: expected UTF-8 in every column; found 2 of 80 rows, in 'text'"),
        ("comments", poisons.misread("text"), "text_is_decoded_rightly: expected at most 5%"),
        ("comments", poisons.values("text", "h\0e\0 \0i\0"), "text: expected no zero"),
        ("references", poisons.values("text", "caf\ufffd au lait"), "no U+FFFD"),
        ("ngrams", poisons.latin("ngram"), "not_utf8"),
    ],
}


@pytest.mark.parametrize(
    ("table", "spoil", "told"),
    [
        pytest.param(*case, id=f"{corruption}-{case[0]}-{number}")
        for corruption, cases in CORRUPTIONS.items()
        for number, case in enumerate(cases)
    ],
)
def test_a_spoiled_table_is_refused_by_name(spoiled, table, spoil, told):
    path = spoiled(table, spoil)
    message = refused(table)
    named = str(path) if table != "images" or "captions" not in message else ""
    assert named in message.splitlines()[0]
    assert told in message
    assert len(message.splitlines()) < 25  # of a stage's output the flow keeps the last 30 lines


def test_rows_about_images_that_are_not_at_hand_are_told(spoiled):
    for table in ("comments", "references", "captions", "topics", "words", "features"):
        spoiled(table, poisons.values("image_id", "elsewhere.jpg"))
        assert "1 of" in refused(table)
        assert "such as elsewhere.jpg" in refused(table)


def test_features_are_wanted_of_every_image(spoiled):
    spoiled("features", poisons._rewritten(lambda table: table.slice(1)))
    assert "found 1 of 40 images have none, such as scene 00.jpg" in refused("features")


def test_a_file_that_has_passed_is_looked_at_again_when_it_has_changed(spoiled):
    validate("images", "captions")
    spoiled("captions", poisons.values("score", -1.0))
    assert "found 1 of 80 rows, such as -1.0" in refused("captions")


def test_the_page_of_a_failure_goes_when_a_stage_lets_the_table_pass(world):
    page = gate.docs_page(PATHS["captions"])
    page.parent.mkdir(parents=True)
    page.write_text("the page of an earlier failure")
    validate("images", "captions")
    assert not page.exists()

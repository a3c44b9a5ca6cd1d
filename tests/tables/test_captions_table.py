"""Views of the captions table: kept, factual, of a style, of a split; nobody else looks at those columns."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from photocritic import tables
from photocritic.core.errors import GateFailed

PACKAGE = Path(tables.__file__).parents[1]
COLUMNS = {"kept", "style"}
# Rows of other things that have a key of such a name: bars of a figure, numbers of an evaluation, rows of comments that
# are being read.
OTHER_ROWS = {"filtering/funnel_figures.py", "evaluation/findings.py", "ingest/tally.py"}


def caption(number, split="train", style=None, kept=True):
    return {
        "comment_id": f"c{number}", "image_id": f"{split}{number % 2}", "author_id": None, "text": f"a sky {number}",
        "style": style, "source": "s", "sentence": 0, "cleaned": "a sky", "tokens": ["a", "sky"], "ngrams": ["sky"],
        "form": None, "score": 21.0, "kept": kept, "reason": "" if kept else "score",
    }  # fmt: skip


ROWS = [
    caption(0),
    caption(1, kept=False),
    caption(2, style="humorous"),
    caption(3, style="humorous", kept=False),
    caption(4, split="val", style="romantic"),
    caption(5, split="val"),
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    images = [
        {"image_id": f"{split}{n}", "path": "", "width": 0, "height": 0, "format": "", "sha256": "", "phash": None,
         "split": split, "labels": []}
        for split in ("train", "val") for n in (0, 1)
    ]  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, rows in {"captions": ROWS, "images": images}.items():
            tables.save(name, folder / f"{name}.parquet", tables.from_rows(name, rows))
    return folder


def seen(corpus, view, **options):
    batches = tables.scan("captions", corpus / "captions.parquet", ["comment_id"], view, **options)
    return [int(name[1:]) for batch in batches for name in batch["comment_id"].to_pylist()]


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (tables.EVERY_ROW, [0, 1, 2, 3, 4, 5]),
        (tables.KEPT, [0, 2, 4, 5]),
        (tables.REJECTED, [1, 3]),
        (tables.UNSTYLED, [0, 1, 5]),
        (tables.STYLED, [2, 3, 4]),
        (tables.FACTUAL, [0, 5]),
        (tables.of_style("humorous"), [2, 3]),
        (tables.of_style("humorous") & tables.KEPT, [2]),
        (tables.of_style(None), [0, 1, 5]),
        (tables.of_style("nobody's"), []),
        (tables.REJECTED & tables.UNSTYLED, [1]),
    ],
)
def test_a_view_has_its_rows_in_order_whatever_the_batch(corpus, view, expected):
    assert seen(corpus, view) == expected
    assert seen(corpus, view, rows=2) == expected


def test_captions_of_a_split_are_those_of_its_images(corpus):
    assert seen(corpus, tables.of_split("val", corpus / "images.parquet")) == [4, 5]
    assert seen(corpus, tables.FACTUAL & tables.of_split("val", corpus / "images.parquet")) == [5]
    assert seen(corpus, tables.of_split("test", corpus / "images.parquet")) == []


def test_a_captions_aspect_is_what_follows_the_last_colon_of_its_source(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sources = ["pccd:focus", "talk.csv", "odd:name.csv:focus", "pccd:soft focus", "focus", "pccd:focus:"]
    rows = [caption(number) | {"source": source} for number, source in enumerate(sources)]
    tables.save("captions", tmp_path / "captions.parquet", tables.from_rows("captions", rows))
    assert seen(tmp_path, tables.of_aspect("focus")) == [0, 2]
    assert seen(tmp_path, tables.of_aspect("soft focus")) == [3]
    assert tables.aspects_in(tmp_path / "captions.parquet") == ["focus", "soft focus"]


def test_a_view_yields_the_columns_wanted_alone_in_their_order(corpus):
    for columns in (["tokens", "image_id"], ["kept"], ["style", "comment_id"]):
        (batch,) = tables.scan("captions", corpus / "captions.parquet", columns, tables.FACTUAL)
        assert batch.schema.names == columns
    (batch,) = tables.scan("captions", corpus / "captions.parquet", view=tables.FACTUAL)
    assert batch.schema.names == tables.schema("captions").names


def test_every_caption_has_one_outcome(corpus):
    found = tables.scan_outcomes(corpus / "captions.parquet", ["text"])
    rows = [pair for of, batch in found for pair in zip(of.to_pylist(), batch["text"].to_pylist(), strict=True)]
    assert rows[1:4] == [("score", "a sky 1"), ("kept, styled", "a sky 2"), ("score", "a sky 3")]
    assert Counter(outcome for outcome, _ in rows) == {"kept": 2, "kept, styled": 2, "score": 2}


def test_a_mask_serves_tables_in_memory_too():
    table = tables.from_rows("captions", ROWS)
    assert tables.FACTUAL.mask(table).to_pylist() == [True, False, False, False, False, True]


@pytest.mark.parametrize("places", [[0, 2], [1, 2], [0, 1, 3], [1, 0], [0, 0]])
def test_a_comment_without_one_of_its_sentences_is_refused(places, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    others = [caption(number) for number in range(3)]
    right = [caption(7) | {"sentence": place, "text": f"no. {place}"} for place in range(3)]
    tables.save("captions", tmp_path / "captions.parquet", tables.from_rows("captions", [*others, *right]))
    wrong = [caption(7) | {"sentence": place, "text": f"no. {place}"} for place in places]
    with pytest.raises(GateFailed, match="sentence: expected"):
        tables.save("captions", tmp_path / "captions.parquet", tables.from_rows("captions", [*others, *wrong]))


def test_nobody_else_decides_by_these_columns():
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if path.parent.name != "tables" and decides(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found <= OTHER_ROWS, "use the views of tables/captions_table.py"


@pytest.mark.parametrize(
    ("code", "does"),
    [
        ("x = row['kept'] and row['text']", True),
        ("if row['style'] is None: pass", True),
        ("[row for row in rows if row['kept']]", True),
        ("batch.filter(batch.column('kept'))", True),
        ("pc.is_null(batch['style'])", True),
        ("Caption(row['image_id'], row['style'])", False),
        ("{'kept': pc.equal(reasons, '')}", False),
    ],
)
def test_what_decides_by_a_column_is_found(code, does):
    assert decides(ast.parse(code)) == does


def decides(tree):
    """Return whether a condition, a comparison or a mask looks at one of the columns."""
    return any(
        names(below) & COLUMNS for node in ast.walk(tree) for part in conditions(node) for below in ast.walk(part)
    )


def conditions(node):
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        return [node.test]
    if isinstance(node, ast.comprehension):
        return node.ifs
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        masks = {"filter", "is_null", "is_valid", "equal", "not_equal", "and_", "or_", "invert", "fill_null"}
        return node.args if node.func.attr in masks else []
    return [node] if isinstance(node, ast.BoolOp | ast.Compare | ast.UnaryOp) else []


def names(node):
    """Return the column that an expression takes: row["kept"], batch.column("kept")."""
    if isinstance(node, ast.Subscript):
        taken = [node.slice]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in {"column", "get"}:
        taken = node.args
    else:
        return set()
    return {one.value for one in taken if isinstance(one, ast.Constant)}

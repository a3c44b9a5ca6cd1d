"""The schema of every table that passes between stages."""

from pathlib import Path

import pyarrow as pa

from photocritic.core.errors import TableError

_COMMENT = [
    pa.field("comment_id", pa.string(), nullable=False),
    pa.field("image_id", pa.string(), nullable=False),
    pa.field("author_id", pa.string()),
    pa.field("text", pa.string(), nullable=False),
    pa.field("style", pa.string()),
    pa.field("source", pa.string(), nullable=False),
]

IMAGES = pa.schema(
    [
        pa.field("image_id", pa.string(), nullable=False),
        pa.field("path", pa.string(), nullable=False),  # shard/member; empty where only text is at hand
        pa.field("width", pa.int32(), nullable=False),  # pixels; 0 where only text is at hand
        pa.field("height", pa.int32(), nullable=False),
        pa.field("format", pa.string(), nullable=False),  # Pillow's name: JPEG, PNG, ...; empty without image
        pa.field("sha256", pa.string(), nullable=False),
        pa.field("phash", pa.int64()),  # 64 bits, perceptual; null where only text is at hand
        pa.field("split", pa.string(), nullable=False),  # train, val or test
        pa.field("labels", pa.list_(pa.string()), nullable=False),
    ]
)
COMMENTS = pa.schema(_COMMENT)
REFERENCES = pa.schema(
    [
        pa.field("image_id", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
    ]
)
QUARANTINE = pa.schema(
    [
        pa.field("source", pa.string(), nullable=False),  # file
        pa.field("position", pa.string(), nullable=False),  # row number, JSON key or member name
        pa.field("kind", pa.string(), nullable=False),  # image, comment or reference
        pa.field("reason", pa.string(), nullable=False),
        pa.field("content", pa.string(), nullable=False),  # the row as far as it could be read
    ]
)
CAPTIONS = pa.schema(
    [
        *_COMMENT,
        pa.field("cleaned", pa.string(), nullable=False),  # the text as the filters have left it
        pa.field("tokens", pa.list_(pa.string()), nullable=False),  # lower-case words, for captioners and metrics
        pa.field("ngrams", pa.list_(pa.string()), nullable=False),  # AIC's unigrams and bigrams, lemmas, for LDA
        pa.field("form", pa.string()),  # canonical form (Déjà 2); null where the chain makes none
        pa.field("score", pa.float64(), nullable=False),
        pa.field("kept", pa.bool_(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),  # empty where kept
    ]
)
FORMS = pa.schema(
    [
        pa.field("form", pa.string(), nullable=False),
        pa.field("caption", pa.string(), nullable=False),  # the most frequent wording
        pa.field("comments", pa.int64(), nullable=False),  # edges
        pa.field("images", pa.int64(), nullable=False),  # different ones
        pa.field("authors", pa.int64(), nullable=False),  # different ones, as far as they are known
        pa.field("tokens", pa.int64(), nullable=False),  # words of the caption
        pa.field("polarity", pa.string(), nullable=False),  # positive, negative or neutral
        pa.field("syntax", pa.string(), nullable=False),  # verb, prep, adj or none
    ]
)
EDGES = pa.schema(
    [
        pa.field("form", pa.string(), nullable=False),
        pa.field("image_id", pa.string(), nullable=False),
        pa.field("comment_id", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),  # this comment's own wording
        pa.field("type", pa.string(), nullable=False),  # original or paraphrase
    ]
)
NGRAMS = pa.schema(
    [
        pa.field("ngram", pa.string(), nullable=False),  # lemmas; a bigram's are joined by "_"
        pa.field("order", pa.int8(), nullable=False),  # 1 or 2
        pa.field("count", pa.int64(), nullable=False),  # C_w of AIC Eq. 1
        pa.field("probability", pa.float64(), nullable=False),  # P(w) of AIC Eq. 1, within its order
    ]
)
PREDICTIONS = pa.schema(
    [
        pa.field("image_id", pa.string(), nullable=False),
        pa.field("variant", pa.string(), nullable=False),
        pa.field("caption", pa.string(), nullable=False),
        pa.field("logprob", pa.float64(), nullable=False),
    ]
)
SCORES = pa.schema(
    [
        pa.field("image_id", pa.string(), nullable=False),
        pa.field("variant", pa.string(), nullable=False),
        pa.field("metric", pa.string(), nullable=False),
        pa.field("score", pa.float64(), nullable=False),
    ]
)
AUGMENTED = pa.schema(
    [
        pa.field("image_id", pa.string(), nullable=False),
        pa.field("style", pa.string(), nullable=False),
        pa.field("caption", pa.string(), nullable=False),
        pa.field("phrase", pa.string(), nullable=False),  # the retrieved style phrase
        pa.field("factual", pa.string(), nullable=False),  # the factual caption it was built on
        pa.field("retrieval", pa.string(), nullable=False),  # i2i, t2t, i2t or t2i
        pa.field("similarity", pa.float64(), nullable=False),
        pa.field("perplexity", pa.float64(), nullable=False),
        pa.field("style_probability", pa.float64(), nullable=False),
        pa.field("accepted", pa.bool_(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),  # empty where accepted
    ]
)


def topics(count: int) -> pa.Schema:
    """Give the schema of a topics table with `count` topics an image."""
    return _vectors("topics", count)


def features(width: int, grid: tuple[int, int] | None = None) -> pa.Schema:
    """Give the schema of a features table.

    Parameters
    ----------
    width : int
        Numbers in an image's pooled vector.
    grid : (int, int), optional
        Cells of an image and numbers in each, row by row; None where only pooled vectors are made.

    Returns
    -------
    pyarrow.Schema
        With the column `vector`, and `grid` where there is one.
    """
    schema = _vectors("vector", width)
    if grid is None:
        return schema
    cells, channels = grid
    return schema.append(pa.field("grid", pa.list_(pa.list_(pa.float16(), channels), cells), nullable=False))


def words(width: int) -> pa.Schema:
    """Give the schema of a table with an image's share of each of `width` content words."""
    return _vectors("words", width)


def _vectors(column: str, width: int) -> pa.Schema:
    return pa.schema(
        [
            pa.field("image_id", pa.string(), nullable=False),
            pa.field(column, pa.list_(pa.float32(), width), nullable=False),
        ]
    )


_FIXED = {
    "images": IMAGES,
    "comments": COMMENTS,
    "references": REFERENCES,
    "quarantine": QUARANTINE,
    "captions": CAPTIONS,
    "forms": FORMS,
    "edges": EDGES,
    "ngrams": NGRAMS,
    "predictions": PREDICTIONS,
    "scores": SCORES,
    "augmented": AUGMENTED,
}
_SIZED = {"topics": topics, "words": words}
NAMES = sorted([*_FIXED, *_SIZED, "features"])


def name_of(path: Path) -> str:
    """Return the name of the table that a file holds: the file's own, or its folder's where a table has many files.

    Raises
    ------
    TableError
        Neither is a table's name.
    """
    for name in (path.stem, path.parent.name):
        if name in NAMES:
            return name
    raise TableError(f"{path}: no table has this name; known are {', '.join(NAMES)}")


def expected(table: str, found: pa.Schema) -> pa.Schema:
    """Give the schema that a table must have.

    Parameters
    ----------
    table : str
        The table's name.
    found : pyarrow.Schema
        The schema at hand; tables of vectors take their width from it.

    Returns
    -------
    pyarrow.Schema
        The schema as it must be.

    Raises
    ------
    TableError
        The table's name is not known.
    """
    if table in _FIXED:
        return _FIXED[table]
    if table in _SIZED:
        widths = [field.type.list_size for field in found if pa.types.is_fixed_size_list(field.type)]
        return _SIZED[table](widths[0] if widths else 1)
    if table == "features":
        return features(_size(found, "vector") or 1, _grid(found))
    raise TableError(f"no table is called '{table}'; known are {', '.join(NAMES)}")


def _size(found: pa.Schema, name: str) -> int:
    kind = found.field(name).type if name in found.names else None
    return kind.list_size if kind is not None and pa.types.is_fixed_size_list(kind) else 0


def _grid(found: pa.Schema) -> tuple[int, int] | None:
    cells = _size(found, "grid")
    inner = found.field("grid").type.value_type if cells else None
    return (cells, inner.list_size) if inner is not None and pa.types.is_fixed_size_list(inner) else None

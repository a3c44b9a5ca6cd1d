"""One Great Expectations suite a table: what must hold, column by column."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from great_expectations.expectations.expectation import Expectation

    Suite = list[Expectation]

SUM_TOLERANCE = 1e-3  # float32 rows of a few hundred shares add up to 1 within this
RIGHTLY = 0.95  # share of texts that are not UTF-8 read as something else; cleaning repairs the few that are
STYLES = 100  # different ones at most; a column of names has more

# What tells the rows of a table apart.
KEYS = {
    "images": ("image_id",),
    "comments": ("comment_id",),
    "captions": ("comment_id",),
    "forms": ("form",),
    "edges": ("comment_id", "form"),
    "ngrams": ("order", "ngram"),
    "topics": ("image_id",),
    "words": ("image_id",),
    "features": ("image_id",),
    "predictions": ("variant", "image_id"),
    "scores": ("variant", "metric", "image_id"),
}

_WORD = r"\S"
_UNDECODED = "[\x00\ufffd]"  # zeros of UTF-16, and what stands for bytes that were no text
_NAME = r"^\S*(?:\d\S*|\.\w{2,5})$"  # of an image, a comment or an author: one piece with a digit or a suffix


# What regular expressions and truth values stand for.
IN_WORDS = {
    _WORD: "something but blanks",
    _UNDECODED: "no zero and no U+FFFD among its characters",
    _NAME: "not the names of images, comments or authors",
    "not_utf8": "UTF-8 in every column",
    "phash_is_of_an_image": "a perceptual hash of images alone",
    "verdict_is_consistent": "a reason where it is rejected and none where it is kept",
    "tokens_are_of_the_text": "words that stand in the cleaned text",
    "texts_are_more_than_sources": "no fewer different texts than sources (are the two swapped?)",
    "sources_are_few": "no more different sources than authors (are the two swapped?)",
    "text_is_decoded_rightly": f"at most {1 - RIGHTLY:.0%} of the texts in UTF-8 that was read as another encoding",
    "vectors_differ": "vectors that are not all alike",
    "grid_is_finite": "numbers alone, none missing or infinite",
}


def _whole(*columns: str) -> "Suite":
    import great_expectations.expectations as gxe

    return [gxe.ExpectColumnValuesToNotBeNull(column=column) for column in columns]


def _not_blank(*columns: str) -> "Suite":
    import great_expectations.expectations as gxe

    return [gxe.ExpectColumnValuesToMatchRegex(column=column, regex=_WORD) for column in columns]


def _like(column: str, regex: str) -> "Suite":
    import great_expectations.expectations as gxe

    return [gxe.ExpectColumnValuesToMatchRegex(column=column, regex=regex)]


def _written(column: str) -> "Suite":
    """Expect what people write: words, decoded rightly, and not a column of names in their place."""
    import great_expectations.expectations as gxe

    return [
        *_not_blank(column),
        gxe.ExpectColumnValuesToNotMatchRegex(column=column, regex=_UNDECODED),
        *_no_names(column),
    ]


def _no_names(column: str) -> "Suite":
    import great_expectations.expectations as gxe

    return [gxe.ExpectColumnValuesToNotMatchRegex(column=column, regex=_NAME, mostly=0.5)]


def _placed() -> "Suite":
    """Expect that what was written, by whom and where are not in each other's columns."""
    import great_expectations.expectations as gxe

    return [
        *_among("texts_are_more_than_sources", [True]),
        *_among("sources_are_few", [True]),
        gxe.ExpectColumnValuesToBeInSet(column="text_is_decoded_rightly", value_set=[True], mostly=RIGHTLY),
    ]


def _few(column: str, most: int) -> "Suite":
    import great_expectations.expectations as gxe

    return [gxe.ExpectColumnUniqueValueCountToBeBetween(column=column, max_value=most)]


def _rows() -> "Suite":
    import great_expectations.expectations as gxe

    return [gxe.ExpectTableRowCountToBeBetween(min_value=1)]


def _unique(columns: tuple[str, ...]) -> "Suite":
    import great_expectations.expectations as gxe

    if len(columns) == 1:
        return [gxe.ExpectColumnValuesToBeUnique(column=columns[0])]
    return [gxe.ExpectCompoundColumnsToBeUnique(column_list=list(columns))]


def _between(column: str, low: float | None, high: float | None) -> "Suite":
    import great_expectations.expectations as gxe

    return [gxe.ExpectColumnValuesToBeBetween(column=column, min_value=low, max_value=high)]


def _at_least(column: str, other: str) -> "Suite":
    import great_expectations.expectations as gxe

    return [gxe.ExpectColumnPairValuesAToBeGreaterThanB(column_A=column, column_B=other, or_equal=True)]


def _among(column: str, values: list[object]) -> "Suite":
    import great_expectations.expectations as gxe

    return [gxe.ExpectColumnValuesToBeInSet(column=column, value_set=values)]


def images() -> "Suite":
    """Each photograph once, with a split; sizes are 0 only where just text is at hand."""
    return [
        *_rows(),
        *_not_blank("image_id"),
        *_among("split", ["train", "val", "test"]),
        *_like("path", r"^(?:[^/]+\.tar/[^/]+)?$"),
        *_like("format", r"^[A-Z0-9]*$"),
        *_like("sha256", r"^[0-9a-f]*$"),
        *_between("width", 0, 1_000_000),
        *_between("height", 0, 1_000_000),
        *_among("phash_is_of_an_image", [True]),
    ]


def comments() -> "Suite":
    """Each comment once, on an image, with words in it."""
    return [
        *_rows(),
        *_not_blank("comment_id", "image_id", "source"),
        *_written("text"),
        *_few("style", STYLES),
        *_placed(),
    ]


def references() -> "Suite":
    """Reference captions have an image and words; a corpus may have none."""
    return [*_not_blank("image_id", "source"), *_written("text"), *_placed()]


def quarantine() -> "Suite":
    """Whatever was turned away says where it came from and why; there may be nothing."""
    return [*_not_blank("source", "reason"), *_among("kind", ["image", "comment", "reference"])]


def captions() -> "Suite":
    """A comment is kept, or rejected with a reason, never both; scores are sums of -log p; words are of the text."""
    return [
        *comments(),
        *_between("score", 0.0, 1e6),
        *_among("verdict_is_consistent", [True]),
        *_among("tokens_are_of_the_text", [True]),
        *_no_names("form"),
    ]


def forms() -> "Suite":
    """Each canonical form once, with the caption it is known by; a corpus may repeat none (Déjà 2)."""
    return [
        *_not_blank("form", "caption"),
        *_between("images", 1, None),
        *_between("comments", 1, None),
        *_between("authors", 0, None),
        *_between("tokens", 0, None),
        *_at_least("comments", "images"),
        *_among("polarity", ["positive", "negative", "neutral"]),
        *_among("syntax", ["verb", "prep", "adj", "none"]),
    ]


def edges() -> "Suite":
    """Each comment joins one form and one image once; a paraphrase may be joined to an image of others."""
    return [*_not_blank("form", "image_id", "comment_id"), *_among("type", ["original", "paraphrase"])]


def ngrams() -> "Suite":
    """Counts are positive and each order's probabilities are shares (AIC Eq. 1); few comments may have none."""
    return [*_not_blank("ngram"), *_among("order", [1, 2]), *_between("count", 1, None), *_between("probability", 0, 1)]


def topics() -> "Suite":
    """Each image's topics are a distribution."""
    return [*_rows(), *_shares("topics")]


def words() -> "Suite":
    """Each image's content words are a distribution; there are none where the second head is not wanted."""
    return _shares("words")


def _shares(column: str) -> "Suite":
    return [
        *_not_blank("image_id"),
        *_whole(f"{column}_min", f"{column}_sum"),
        *_between(f"{column}_min", 0.0, None),
        *_between(f"{column}_sum", 1.0 - SUM_TOLERANCE, 1.0 + SUM_TOLERANCE),
    ]


def features() -> "Suite":
    """Each image has one vector of finite numbers, and not all are alike; so has a grid, where there is one."""
    return [
        *_rows(),
        *_not_blank("image_id"),
        *_whole("vector_sum"),
        *_between("vector_min", -1e6, None),
        *_between("vector_max", None, 1e6),
        *_among("vectors_differ", [True]),
        *_among("grid_is_finite", [True]),
    ]


def predictions() -> "Suite":
    """One caption an image and variant, with a log-probability."""
    return [*_rows(), *_not_blank("image_id", "variant"), *_between("logprob", None, 1e-6)]


def scores() -> "Suite":
    """One finite score an image, variant and metric."""
    return [*_rows(), *_not_blank("image_id", "variant", "metric"), *_between("score", -1e3, 1e3)]


def augmented() -> "Suite":
    """A generated caption is accepted, or rejected with a reason; a corpus may allow none."""
    return [
        *_not_blank("image_id", "style"),
        *_between("similarity", -1.001, 1.001),
        *_between("style_probability", 0.0, 1.0),
        *_between("perplexity", 1.0, None),
        *_among("verdict_is_consistent", [True]),
    ]


SUITES: "dict[str, Callable[[], Suite]]" = {
    suite.__name__: suite
    for suite in (
        images,
        comments,
        references,
        quarantine,
        captions,
        forms,
        edges,
        ngrams,
        topics,
        words,
        features,
        predictions,
        scores,
        augmented,
    )
}


def suite(table: str, whole: Sequence[str]) -> "Suite":
    """Give what must hold for a table.

    Parameters
    ----------
    table : str
        The table's name.
    whole : sequence of str
        Its columns that must have a value in every row.
    """
    unique = _unique(KEYS[table]) if table in KEYS else []
    return [*_whole(*whole), *_among("not_utf8", [""]), *unique, *SUITES[table]()]

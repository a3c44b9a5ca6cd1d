"""Tables 1, 2, 4 and 5 and Figure 3 of Déjà for repeated captions, beside the paper's figures."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from photocritic.filtering.association.caption_description import Description

Rows = list[dict[str, Any]]

_TOP_WORDS, _TOP_CAPTIONS, _TOP_QUERIES, _EXAMPLES = 20, 5, 10, 2  # as many as the paper shows, at most

# What the paper publishes. Pairs were crawled; images may have several.
_PAPER_COUNTS: dict[tuple[str, str], int] = {
    ("corpus", "captions"): 760_000_000,
    ("main", "captions"): 176_780, ("main", "images"): 3_967_524,
    ("paraphrase, by people", "triples"): 7_570, ("paraphrase, automatic", "triples"): 353_560,
    ("figurative, quotations", "captions"): 6_088, ("figurative, quotations", "images"): 180_185,
    ("figurative, predicted too", "captions"): 18_179, ("figurative, predicted too", "images"): 413_698,
}  # fmt: skip
_PAPER_PERCENTILES = {"images": (22.4, 47.6, 4, 10, 25, 4617), "tokens": (4.9, 3.3, 3, 4, 5, 178)}
_PAPER_SENTIMENT = {"positive": (0.08, 20, 8), "negative": (0.02, 19.5, 7)}
_PAPER_SYNTAX = {"verb": (0.45, 0.44, 22, 9), "prep": (0.44, 0.41, 21, 9), "adj": (0.11, 0.15, 30, 15)}


def association_tables(
    forms: pa.Table, found: Sequence[Description], links: NDArray[np.int64], corpus: dict[str, int]
) -> dict[str, Rows]:
    """Return the paper's statistics.

    Parameters
    ----------
    forms : pyarrow.Table
        A form a row, those of most images first.
    found : sequence of Description
        What is known of each form's caption.
    links : ndarray of int64, shape (links, 2)
        Pairs of form and image, in the order of the forms; each once.
    corpus : dict of str to int
        Numbers of captions and of images that all this was taken from.

    Returns
    -------
    dict of str to list of dict
        `association_counts` (Table 1), `association_percentiles` (Table 2), `association_sentiment` (Table 4),
        `association_syntax` (Table 5), `association_queries_by_images` and `association_queries_by_captions`
        (Figure 3). Shares lie between 0 and 1. Columns that begin with `paper` hold the published figures; of Table 1's
        sets, quotations and people's paraphrases are not made here. Without any form there is `association_counts`
        alone.
    """
    images = np.bincount(links[:, 0], minlength=len(found))
    captions = forms.column("caption").to_pylist()
    counts = {"association_counts": _counts(found, images, len(np.unique(links[:, 1])), corpus)}
    if not found:
        return counts
    by_images, by_captions = _queries(found, links)
    return {
        **counts,
        "association_percentiles": [
            *_percentiles("images", images),
            *_percentiles("tokens", np.array([description.tokens for description in found])),
        ],
        "association_sentiment": _sentiment(captions, found, images),
        "association_syntax": _syntax(captions, found, images),
        "association_queries_by_images": by_images,
        "association_queries_by_captions": by_captions,
    }


def _counts(found: Sequence[Description], images: NDArray[np.int64], associated: int, corpus: dict[str, int]) -> Rows:
    """Return the sizes of the sets.

    The paper makes two automatic paraphrases a caption, under an image each, from captions that share physical-object
    nouns (section 5); so many could be made here.
    """
    captions_of = Counter(noun for description in found for noun in set(description.nouns))
    shares = np.array([any(captions_of[noun] > 1 for noun in description.nouns) for description in found], bool)
    here: dict[tuple[str, str], int] = {
        **{("corpus", of): count for of, count in corpus.items()},
        ("main", "captions"): len(found),
        ("main", "images"): associated,
        ("paraphrase, automatic", "triples"): int(np.minimum(images, 2)[shares].sum()),
    }
    keys = dict.fromkeys([*list(here)[: len(corpus)], *_PAPER_COUNTS])
    return [
        {"set": name, "of": of, "here": here.get((name, of)), "paper": _PAPER_COUNTS.get((name, of))}
        for name, of in keys
    ]


def _percentiles(of: str, values: NDArray[np.int64]) -> Rows:
    here = {"mean": _rounded(values.mean()), "std": _rounded(values.std())}
    here |= {f"{share}%": float(np.percentile(values, share)) for share in (25, 50, 75)} | {"max": float(values.max())}
    return [
        {"of": of, "statistic": name, "here": value, "paper": paper}
        for (name, value), paper in zip(here.items(), _PAPER_PERCENTILES[of], strict=True)
    ]


def _sentiment(captions: list[str], found: Sequence[Description], images: NDArray[np.int64]) -> Rows:
    rows = []
    for polarity in ("positive", "negative"):
        own = np.array([place for place, description in enumerate(found) if description.polarity == polarity], int)
        if len(own):
            rows.append(
                {
                    "polarity": polarity,
                    "captions": _rounded(len(own) / len(found)),
                    "mean_images": _rounded(images[own].mean()),
                    "median_images": float(np.median(images[own])),
                    **_paper(("captions", "mean_images", "median_images"), _PAPER_SENTIMENT[polarity]),
                    "examples": _examples(captions, images, own[:_EXAMPLES]),
                }
            )
    return rows


def _syntax(captions: list[str], found: Sequence[Description], images: NDArray[np.int64]) -> Rows:
    rows = []
    for kind in ("verb", "prep", "adj", "none"):
        own = np.array([place for place, description in enumerate(found) if description.syntax == kind], int)
        if len(own):
            words = Counter(word for place in own for word in dict.fromkeys(found[place].heads))
            rows.append(
                {
                    "type": kind,
                    "captions": _rounded(len(own) / len(found)),
                    "images": _rounded(images[own].sum() / images.sum()),
                    "mean_images": _rounded(images[own].mean()),
                    "std_images": _rounded(images[own].std()),
                    **_paper(("captions", "images", "mean_images", "std_images"), _PAPER_SYNTAX.get(kind)),
                    "top_words": ", ".join(word for word, _ in _ranked(words)[:_TOP_WORDS]),
                    "top_captions": _examples(captions, images, own[:_TOP_CAPTIONS]),
                }
            )
    return rows


def _queries(found: Sequence[Description], links: NDArray[np.int64]) -> tuple[Rows, Rows]:
    """Return the nouns with most images, and those with most captions; both with both numbers."""
    forms_of = defaultdict[str, list[int]](list)
    for place, description in enumerate(found):
        for noun in dict.fromkeys(description.nouns):
            forms_of[noun].append(place)
    first = np.searchsorted(links[:, 0], np.arange(len(found) + 1))
    images = Counter(
        {
            noun: len(np.unique(np.concatenate([links[first[place] : first[place + 1], 1] for place in places])))
            for noun, places in forms_of.items()
        }
    )
    captions = Counter({noun: len(places) for noun, places in forms_of.items()})
    by_images, by_captions = (
        [{"query": noun, "images": images[noun], "captions": captions[noun]} for noun, _ in _ranked(counts)]
        for counts in (images, captions)
    )
    return by_images[:_TOP_QUERIES], by_captions[:_TOP_QUERIES]


def _paper(names: Sequence[str], figures: Sequence[float | None] | None) -> dict[str, float | None]:
    return {f"paper_{name}": figure for name, figure in zip(names, figures or [None] * len(names), strict=True)}


def _examples(captions: list[str], images: NDArray[np.int64], places: NDArray[np.int64]) -> str:
    return "; ".join(f"{captions[place]} ({images[place]})" for place in places)


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _rounded(value: float) -> float:
    return round(float(value), 4)

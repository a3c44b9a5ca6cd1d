"""What Déjà tells about its corpus: Tables 1, 2, 4 and 5, and Figure 3."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from photocritic.filtering.association.description import Description

Rows = list[dict[str, Any]]

_TOP_WORDS, _TOP_CAPTIONS, _TOP_QUERIES, _EXAMPLES = 20, 5, 10, 2  # as many as the paper shows, at most


def tell(
    forms: pa.Table, found: Sequence[Description], links: NDArray[np.int64], corpus: dict[str, int]
) -> dict[str, Rows]:
    """Give the paper's statistics.

    Parameters
    ----------
    forms : pyarrow.Table
        A form a row, those of most images first; at least one.
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
        (Figure 3). Shares lie between 0 and 1.
    """
    images = np.bincount(links[:, 0], minlength=len(found))
    captions = forms.column("caption").to_pylist()
    by_images, by_captions = _queries(found, links)
    return {
        "association_counts": [
            {"set": "corpus", **corpus},
            {"set": "repeated", "captions": len(found), "images": len(np.unique(links[:, 1]))},
        ],
        "association_percentiles": [
            {"of": "images", **_percentiles(images)},
            {"of": "tokens", **_percentiles(np.array([description.tokens for description in found]))},
        ],
        "association_sentiment": _sentiment(captions, found, images),
        "association_syntax": _syntax(captions, found, images),
        "association_queries_by_images": by_images,
        "association_queries_by_captions": by_captions,
    }


def _percentiles(values: NDArray[np.int64]) -> dict[str, float]:
    quartiles = {f"{share}%": float(np.percentile(values, share)) for share in (25, 50, 75)}
    return {"mean": _rounded(values.mean()), "std": _rounded(values.std()), **quartiles, "max": float(values.max())}


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
                    "top_words": ", ".join(word for word, _ in _ranked(words)[:_TOP_WORDS]),
                    "top_captions": _examples(captions, images, own[:_TOP_CAPTIONS]),
                }
            )
    return rows


def _queries(found: Sequence[Description], links: NDArray[np.int64]) -> tuple[Rows, Rows]:
    """Give the nouns with most images, and those with most captions; both with both numbers."""
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


def _examples(captions: list[str], images: NDArray[np.int64], places: NDArray[np.int64]) -> str:
    return "; ".join(f"{captions[place]} ({images[place]})" for place in places)


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _rounded(value: float) -> float:
    return round(float(value), 4)

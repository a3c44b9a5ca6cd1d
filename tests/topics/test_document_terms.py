"""The documents that topics are made from, and which share of the comments holds a term."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic import tables
from photocritic.topics.document_terms import collect, comment_shares


def row(
    number: int, image: str, ngrams: Sequence[str], style: str | None = None, kept: bool = True
) -> dict[str, object]:
    return {
        "comment_id": f"c{number}", "image_id": image, "author_id": None, "text": "t", "style": style,
        "source": "s", "sentence": 0, "cleaned": " ".join(ngrams), "form": None,
        "tokens": ngrams, "ngrams": ngrams, "score": 30.0, "kept": kept, "reason": "" if kept else "score",
    }  # fmt: skip


def save(folder: Path, rows: list[dict[str, object]]) -> Path:
    tables.save("captions", folder / "captions.parquet", tables.from_rows("captions", rows))
    return folder / "captions.parquet"


def shares_of(captions: Path, images: list[str], terms: set[str]) -> Mapping[str, float]:
    documents = collect(captions, "ngrams", terms.__contains__).rows(images)
    return dict(zip(documents.terms, comment_shares(captions, "ngrams", documents).tolist(), strict=True))


def test_documents_join_kept_factual_comments_of_an_image(tmp_path: Path) -> None:
    rows = [
        row(0, "b", ["sky", "sky"]),
        row(1, "a", ["tree"]),
        row(2, "b", ["tree"]),
        row(3, "b", ["love"], style="romantic"),
        row(4, "a", ["shot"], kept=False),
    ]
    captions = save(tmp_path, rows)
    assert collect(captions, "ngrams", {"sky"}.__contains__).counts.toarray().tolist() == [[0], [2]]
    documents = collect(captions, "ngrams", {"sky", "tree", "love", "shot"}.__contains__)
    assert documents.image_ids == ["a", "b"]
    assert documents.terms == ["sky", "tree"]
    assert documents.counts.toarray().tolist() == [[0, 1], [2, 1]]
    assert documents.columns(["sky"]).image_ids == ["b"]


def test_a_term_of_every_document_may_be_one_of_few_comments(tmp_path: Path) -> None:
    rows = [row(n, "ab"[n % 2], ["dog", "dog", "ball"] if n < 2 else ["shot"] if n < 6 else []) for n in range(8)]
    captions = save(tmp_path, rows)
    assert shares_of(captions, ["a", "b"], {"dog", "shot"}) == {"dog": 0.25, "shot": 0.5}


def test_only_kept_factual_comments_of_the_documents_own_images_count(tmp_path: Path) -> None:
    rows = [
        row(0, "a", ["dog"]),
        row(1, "a", ["tree"]),
        row(2, "a", ["dog"], style="romantic"),
        row(3, "a", ["dog"], kept=False),
        row(4, "held back", ["dog"]),
    ]
    assert shares_of(save(tmp_path, rows), ["a"], {"dog", "tree"}) == {"dog": 0.5, "tree": 0.5}


@settings(deadline=None, max_examples=10)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.lists(st.sampled_from("xyz"), max_size=4)), min_size=1))
def test_shares_are_those_of_counting_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, comments: list[tuple[str, list[str]]]
) -> None:
    rows = [row(number, image, words) for number, (image, words) in enumerate(comments)]
    found = shares_of(save(tmp_path_factory.mktemp("captions"), rows), ["a", "b"], set("xyz"))
    own = [words for image, words in comments if image in "ab"]
    for term, share in found.items():
        assert share == pytest.approx(np.mean([term in words for words in own]) if own else 0.0)

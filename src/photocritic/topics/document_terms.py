"""The document-term matrix: one bag of terms per image, counted from the captions table in a stream."""

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy import sparse

from photocritic import tables


@dataclass(frozen=True)
class Documents:
    """Bags of terms.

    Attributes
    ----------
    image_ids : list of str
        One image a document, sorted.
    terms : list of str
        One term a column.
    counts : scipy.sparse.csr_array, shape (documents, terms), int32
        How often each term stands in each document.
    """

    image_ids: list[str]
    terms: list[str]
    counts: sparse.csr_array

    def rows(self, images: Iterable[str]) -> "Documents":
        """Return the documents of some images only, in sorted order."""
        wanted = set(images)
        index = [row for row, image in enumerate(self.image_ids) if image in wanted]
        return Documents([self.image_ids[row] for row in index], self.terms, self.counts[index])

    def columns(self, terms: list[str]) -> "Documents":
        """Return the same documents over other terms, without those that are empty then."""
        position = {term: column for column, term in enumerate(self.terms)}
        counts = self.counts[:, [position[term] for term in terms]]
        filled = np.flatnonzero(counts.sum(axis=1))
        return Documents([self.image_ids[row] for row in filled], terms, counts[filled])

    def frequencies(self) -> NDArray[np.int64]:
        """Count each term over all documents, shape (terms,)."""
        return np.asarray(self.counts.sum(axis=0), dtype=np.int64).ravel()

    def document_frequencies(self) -> NDArray[np.int64]:
        """Count the documents that hold each term, shape (terms,)."""
        return np.bincount(self.counts.indices, minlength=len(self.terms)).astype(np.int64)


class _Columns(dict[str, int]):
    """Number terms as they come; what is not wanted has the number -1, and is not remembered."""

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        super().__init__()
        self._wanted = wanted

    def __missing__(self, term: str) -> int:
        if not self._wanted(term):
            return -1
        self[term] = len(self)
        return self[term]


def collect(captions: Path, column: str, wanted: Callable[[str], bool]) -> Documents:
    """Join what was kept about each image into one document.

    Stylised comments are left out: their words express a style rather than describe the photograph.

    Parameters
    ----------
    captions : Path
        The captions table.
    column : str
        The list column whose values are the terms: `ngrams` or `tokens`.
    wanted : callable
        Whether a term may stand in a document; a large corpus has millions that are too rare for any use.

    Returns
    -------
    Documents
        One document for each image that has a kept factual caption; it may be empty.
    """
    rows, columns = array("i"), array("i")
    images: dict[str, int] = {}
    terms = _Columns(wanted)
    for image, values in _kept(captions, column):
        row = images.setdefault(image, len(images))
        found = [number for number in map(terms.__getitem__, values) if number >= 0]
        columns.extend(found)
        rows.extend([row] * len(found))
    return _sorted(list(images), list(terms), np.asarray(rows), np.asarray(columns))


def comment_shares(captions: Path, column: str, documents: Documents) -> NDArray[np.float64]:
    """Compute which share of the documents' comments holds each term.

    A document joins the comments of an image, so that a word which one person in ten uses may stand in half of the
    documents.

    Parameters
    ----------
    captions, column
        As in `collect`.
    documents : Documents
        Which images, and which terms.

    Returns
    -------
    ndarray of float64, shape (terms,)
        A term counts once a comment; comments without any term count, too.
    """
    images, terms = pa.array(documents.image_ids, pa.string()), pa.array(documents.terms, pa.string())
    held = np.zeros(len(terms), dtype=np.int64)
    comments = 0
    for kept in tables.scan("captions", captions, ["image_id", column], tables.FACTUAL):
        values = kept.filter(pc.is_in(kept["image_id"], value_set=images))[column]
        found = pc.index_in(pc.list_flatten(values), value_set=terms)
        known = found.is_valid()
        uses = pa.table({"comment": pc.list_parent_indices(values).filter(known), "term": found.filter(known)})
        different = uses.group_by(["comment", "term"]).aggregate([])["term"].to_numpy()
        held += np.bincount(different, minlength=len(terms))
        comments += len(values)
    return held / max(comments, 1)


def texts(captions: Path, column: str, documents: Documents) -> list[NDArray[np.int32]]:
    """Read the terms of documents in the order in which they stand, for measures that look at neighbours.

    Parameters
    ----------
    captions, column
        As in `collect`.
    documents : Documents
        Which images, and which terms; others are passed over.

    Returns
    -------
    list of ndarray of int32
        For each document the columns of its terms.
    """
    row_of = {image: row for row, image in enumerate(documents.image_ids)}
    column_of = {term: number for number, term in enumerate(documents.terms)}
    found = [array("i") for _ in row_of]
    for image, values in _kept(captions, column):
        if image in row_of:
            found[row_of[image]].extend(column_of[value] for value in values if value in column_of)
    return [np.array(text, dtype=np.int32) for text in found]


def _kept(captions: Path, column: str) -> Iterator[tuple[str, list[str]]]:
    for kept in tables.scan("captions", captions, ["image_id", column], tables.FACTUAL):
        yield from zip(kept["image_id"].to_pylist(), kept[column].to_pylist(), strict=True)


def _sorted(images: list[str], terms: list[str], rows: NDArray[np.int32], columns: NDArray[np.int32]) -> Documents:
    row_order, column_order = _order(images), _order(terms)
    # In place, and no wider than need be: 3 million comments have 40 million terms.
    rows[:] = np.argsort(row_order).astype(np.int32)[rows]
    columns[:] = np.argsort(column_order).astype(np.int32)[columns]
    ones = np.ones(len(rows), dtype=np.int32)
    counts = sparse.coo_array((ones, (rows, columns)), shape=(len(images), len(terms))).tocsr()
    counts.sort_indices()
    return Documents([images[i] for i in row_order], [terms[i] for i in column_order], counts)


def _order(names: list[str]) -> NDArray[np.int64]:
    return np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)

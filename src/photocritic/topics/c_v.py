"""The coherence C_V: do a topic's terms occur together, in windows that slide over the documents."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

WINDOW = 110  # terms; Röder et al. 2015, Table 8
_EPSILON = 1e-12
_BLOCK = 1 << 16  # terms whose windows are counted together; bounds memory to about WINDOW times as many numbers

Matrix = NDArray[np.float64]
Columns = NDArray[np.int64]


def c_v(best: Columns, texts: Sequence[NDArray[np.int32]], window: int = WINDOW) -> Matrix:
    """Measure coherence by C_V, the measure that agrees best with what people call a topic.

    Each of a topic's terms is described by its normalised pointwise mutual information with all of them; it should
    point where the sum of these descriptions points.

    gensim's CoherenceModel gives the same numbers, unless a term stands twice within a window of a longer document:
    it takes the term for gone as soon as the first of the two leaves the window. It is also far slower.

    Parameters
    ----------
    best : ndarray of int64, shape (K, N)
        The columns of each topic's most probable terms.
    texts : sequence of ndarray of int32
        Each document's terms as columns, in order.
    window : int
        How many terms long the sliding window is; a shorter document is one window.

    Returns
    -------
    ndarray of float64, shape (K,)
        The mean cosine for each topic, at most 1; near 1 is best.

    References
    ----------
    Röder, Both, Hinneburg 2015, Exploring the Space of Topic Coherence Measures, section 3 and Table 8.
    """
    used, places = np.unique(best, return_inverse=True)
    together, windows = _co_windows(used, texts, window)
    scores = []
    for columns in places.reshape(best.shape):
        similar = _npmi(together[np.ix_(columns, columns)] / max(windows, 1))
        whole = similar.sum(axis=0)
        lengths = np.linalg.norm(similar, axis=1) * np.linalg.norm(whole)
        scores.append(np.divide(similar @ whole, lengths, out=np.zeros(len(whole)), where=lengths > 0).mean())
    return np.array(scores)


def _npmi(joint: Matrix) -> Matrix:
    single = joint.diagonal()
    product = np.outer(single, single)
    ratio = np.divide(joint + _EPSILON, product, out=np.ones_like(joint), where=product > 0)
    return np.asarray(np.log(ratio) / -np.log(joint + _EPSILON))


def _co_windows(used: Columns, texts: Sequence[NDArray[np.int32]], window: int) -> tuple[Matrix, int]:
    """Count in how many windows each pair of the used terms stands, and all windows."""
    together, windows = np.zeros((len(used), len(used))), 0
    for block in _blocks(texts):
        present = _presence(used, block, window)
        together += (present.T @ present).toarray()
        windows += present.shape[0]
    return together, windows


def _blocks(texts: Sequence[NDArray[np.int32]]) -> Iterator[list[NDArray[np.int32]]]:
    block: list[NDArray[np.int32]] = []
    size = 0
    for text in texts:
        block.append(text)
        size += len(text)
        if size >= _BLOCK:
            yield block
            block, size = [], 0
    if block:
        yield block


def _presence(used: Columns, texts: Sequence[NDArray[np.int32]], window: int) -> sparse.csr_array:
    """Return which windows of some documents hold which used terms, shape (windows, used terms)."""
    lengths = np.array([len(text) for text in texts])
    windows = np.maximum(lengths - window, 0) + 1
    tokens = np.concatenate(texts)
    document = np.repeat(np.arange(len(texts)), lengths)
    position = np.arange(len(tokens)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    column = np.minimum(np.searchsorted(used, tokens), len(used) - 1)
    relevant = used[column] == tokens
    document, position, column = document[relevant], position[relevant], column[relevant]
    first = np.maximum(position - window + 1, 0)
    held = np.minimum(position, windows[document] - 1) - first + 1  # windows that hold this token
    start = (np.cumsum(windows) - windows)[document] + first
    rows = np.repeat(start - (np.cumsum(held) - held), held) + np.arange(held.sum())
    present = sparse.coo_array(
        (np.ones(len(rows)), (rows, np.repeat(column, held))), (windows.sum(), len(used))
    ).tocsr()
    present.sum_duplicates()
    present.data[:] = 1.0  # a window holds a term or not, however often
    return present

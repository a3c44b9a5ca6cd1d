"""Nearest vectors by squared Euclidean distance, in a file that is mapped into memory, with FAISS."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from photocritic.core.errors import TrainingError

VECTORS = "vectors.npy"
_FURTHER = 16  # vectors looked at beyond those wanted: FAISS's distances are rounded by what else is at hand

Vectors = NDArray[np.float32]


class VectorIndex:
    """Vectors among which the nearest are found exactly.

    Parameters
    ----------
    vectors : ndarray of float32, (N, C)
        In memory or mapped.
    """

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors

    def search(self, queries: Vectors, count: int) -> NDArray[np.int64]:
        """Find more than the nearest vectors of each query: those that may be among them, whatever FAISS rounds.

        Parameters
        ----------
        queries : ndarray of float32, (Q, C)
            What to look for.
        count : int
            Neighbours wanted; some more are returned where there are.

        Returns
        -------
        ndarray of int64, (Q, min(count + 16, N))
            Rows, nearly in the order of their distances.
        """
        import faiss

        wanted = min(count + _FURTHER, len(self.vectors))
        _, rows = faiss.knn(np.ascontiguousarray(queries, np.float32), np.asarray(self.vectors), wanted)
        found: NDArray[Any] = rows
        return found.astype(np.int64)

    def save(self, folder: Path) -> None:
        """Write the vectors into a folder."""
        np.save(folder / VECTORS, np.ascontiguousarray(self.vectors, np.float32), allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> "VectorIndex":
        """Map what `save` wrote into memory.

        Raises
        ------
        TrainingError
            The file is missing or damaged.
        """
        try:
            vectors = np.load(folder / VECTORS, mmap_mode="r", allow_pickle=False)
            if vectors.ndim != 2 or vectors.dtype != np.float32:
                raise ValueError(f"an array of shape {vectors.shape} and type {vectors.dtype}")
        except (OSError, EOFError, ValueError) as error:
            reason = " ".join(str(error).split())[:200]
            raise TrainingError(f"{folder}: damaged index ({reason}); run the stage retrieve again") from None
        return cls(vectors)

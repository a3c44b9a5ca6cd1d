"""Exact nearest neighbours by cosine similarity, with FAISS."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from photocritic.core.errors import PhotocriticError
from photocritic.core.files import atomic_dir
from photocritic.retrieval.retriever import Neighbour

INDEX, IDENTITIES = "index.faiss", "identities.json"

Matrix = NDArray[np.floating[Any]]


class CosineIndex:
    """Vectors that can be searched by the angle between them.

    Parameters
    ----------
    identities : sequence of str
        What each row belongs to, such as an image_id; several rows may share one.
    vectors : ndarray, shape (N, D)
        The vectors; a zero vector is similar to nothing.
    """

    def __init__(self, identities: Sequence[str], vectors: Matrix) -> None:
        import faiss

        self.identities = list(identities)
        self._index: Any = faiss.IndexFlatIP(vectors.shape[1])
        self._index.add(normalise(vectors))

    def search(self, queries: Matrix, count: int, exclude: Sequence[str | None] | None = None) -> list[list[Neighbour]]:
        """Find the nearest rows of each query.

        Parameters
        ----------
        queries : ndarray, shape (Q, D)
            What to look for.
        count : int
            How many neighbours each, at most.
        exclude : sequence of str or None, optional
            For each query an identity whose rows do not count, such as the query's own image.

        Returns
        -------
        list of list of Neighbour
            Nearest first; of equally near ones the earlier row. Each identity at most once, so that many rows about one
            image do not crowd out the others.
        """
        if not len(queries) or not self.identities:
            return [[] for _ in queries]
        depth = min(len(self.identities), (count + 1) * self._most_rows_of_one())
        similarities, rows = self._index.search(normalise(queries), depth)
        barred = exclude if exclude is not None else [None] * len(queries)
        return [self._distinct(*answer, count) for answer in zip(rows, similarities, barred, strict=True)]

    def _most_rows_of_one(self) -> int:
        _, counts = np.unique(self.identities, return_counts=True)
        return int(counts.max())

    def _distinct(
        self, rows: NDArray[np.int64], similarities: NDArray[np.float32], barred: str | None, count: int
    ) -> list[Neighbour]:
        found: list[Neighbour] = []
        seen = {barred}
        for place in np.lexsort((rows, -similarities)):
            identity = self.identities[rows[place]]
            if identity not in seen:
                seen.add(identity)
                found.append(Neighbour(int(rows[place]), float(np.clip(similarities[place], -1.0, 1.0))))
            if len(found) == count:
                break
        return found

    def save(self, folder: Path) -> None:
        """Write the index and its identities into a folder, whole or not at all."""
        import faiss

        with atomic_dir(folder) as temporary:
            faiss.write_index(self._index, str(temporary / INDEX))
            text = json.dumps(self.identities, ensure_ascii=False, indent=0) + "\n"
            (temporary / IDENTITIES).write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "CosineIndex":
        """Read what `save` wrote.

        Raises
        ------
        PhotocriticError
            A file of the folder is missing or damaged.
        """
        import faiss

        loaded = cls.__new__(cls)
        try:
            loaded.identities = json.loads((folder / IDENTITIES).read_text(encoding="utf-8"))
            loaded._index = faiss.read_index(str(folder / INDEX))
        except (OSError, json.JSONDecodeError, RuntimeError) as error:
            reason = " ".join(str(error).split())[:200]
            raise PhotocriticError(f"{folder}: not a retrieval index ({reason}); build it again") from None
        if loaded._index.ntotal != len(loaded.identities):
            raise PhotocriticError(f"{folder}: {INDEX} and {IDENTITIES} do not belong together; build it again")
        return loaded


def normalise(vectors: Matrix) -> NDArray[np.float32]:
    """Scale each row to length 1, as C-ordered float32; zero rows stay zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.ascontiguousarray(np.divide(vectors, lengths, where=lengths > 0, out=np.zeros(vectors.shape)), np.float32)

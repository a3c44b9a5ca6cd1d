"""Image features mapped into the space of captions, so that images and texts can be compared."""

import numpy as np

from photocritic.retrieval.retriever import Floats

_PENALTIES = 10.0 ** np.arange(-3, 5)  # relative to the mean squared singular value
_SMALLEST = 1e-5  # singular value, relative to the largest, that counts


class ImageToText:
    """Ridge regression from image features to caption vectors.

    The penalty is the one with the least error when each image in turn is left out.

    Parameters
    ----------
    features : ndarray, shape (N, D)
        Image features.
    texts : ndarray, shape (N, E)
        Vectors of the same images' captions.
    """

    def __init__(self, features: Floats, texts: Floats) -> None:
        from sklearn.linear_model import RidgeCV

        centred = features - features.mean(axis=0)
        squares = float(np.sum(centred**2)) / max(int(np.linalg.matrix_rank(centred, rtol=_SMALLEST)), 1)
        self._text_mean = texts.mean(axis=0)
        self._ridge = RidgeCV(alphas=_PENALTIES * (squares or 1.0)).fit(features, texts - self._text_mean)

    def embed(self, features: Floats) -> Floats:
        """Return the likely caption vectors of images, shape (N, E), around the mean caption: see `centre`."""
        return np.asarray(self._ridge.predict(features)).reshape(len(features), -1)

    def centre(self, texts: Floats) -> Floats:
        """Move caption vectors to the origin that `embed` uses, so that cosines tell what differs from the average."""
        return np.asarray(texts - self._text_mean)

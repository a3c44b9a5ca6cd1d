"""Image features mapped into the space of captions, so that images and texts can be compared."""

import numpy as np
from numpy.typing import NDArray

_PENALTIES = 10.0 ** np.arange(-3, 5)  # relative to the mean squared singular value

Floats = NDArray[np.float64]


class ImageToText:
    """Ridge regression from image features to caption vectors.

    The penalty is the one with the least generalised cross-validation error, which has a closed form.

    Parameters
    ----------
    features : ndarray, shape (N, D)
        Image features.
    texts : ndarray, shape (N, E)
        Vectors of the same images' captions.

    References
    ----------
    Golub, Heath, Wahba 1979, Generalized Cross-Validation as a Method for Choosing a Good Ridge Parameter.
    """

    def __init__(self, features: Floats, texts: Floats) -> None:
        self._image_mean, self._text_mean = features.mean(axis=0), texts.mean(axis=0)
        images, centred = features - self._image_mean, texts - self._text_mean
        # By the D x D scatter rather than by the N x D features, so that the cost grows only linearly with images.
        squares, axes = np.linalg.eigh(images.T @ images)
        known = squares > 1e-10 * squares[-1]
        values, axes = np.sqrt(squares[known]), axes[:, known]
        projected = (axes.T @ (images.T @ centred)) / values[:, None]
        penalties = _PENALTIES * float(np.mean(values**2)) if len(values) else _PENALTIES
        rest = float(np.sum(centred**2)) - float(np.sum(projected**2))
        errors = [_cross_validation(values, projected, rest, len(features), penalty) for penalty in penalties]
        self.penalty = float(penalties[int(np.argmin(errors))])
        self._weights = axes @ ((values / (values**2 + self.penalty))[:, None] * projected)

    def embed(self, features: Floats) -> Floats:
        """Guess the caption vectors of images, shape (N, E), around the mean caption: see `centre`."""
        return np.asarray((features - self._image_mean) @ self._weights)

    def centre(self, texts: Floats) -> Floats:
        """Move caption vectors to the origin that `embed` uses, so that cosines tell what differs from the average."""
        return np.asarray(texts - self._text_mean)


def _cross_validation(values: Floats, projected: Floats, rest: float, rows: int, penalty: float) -> float:
    shrinkage = values**2 / (values**2 + penalty)
    residual = rest + float(np.sum(((1 - shrinkage)[:, None] * projected) ** 2))
    freedom = rows - 1 - float(shrinkage.sum())  # the mean takes one
    return residual / max(freedom, 1e-9) ** 2 if freedom > 1e-9 else np.inf

"""Global descriptors: how fast photographs become GIST and Tinyimage in batches, beside numpy one photograph at a time.

Usage: python -m bench.descriptors [--toy]

Photographs are noise, blurred: squares of pixels for GIST, JPEG files of 512 by 384 pixels for Tinyimage. Processor
seconds; both ways have the filters ready.
"""

import io
import time
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch.nn import functional

from bench.measuring import Row, Size, main
from photocritic.images.decoding import Pixels, square
from photocritic.vision.description import describe
from photocritic.vision.descriptors import (
    CELLS,
    TINY,
    DescriptorConfig,
    GistDescriptor,
    GlobalDescriptor,
    TinyimageDescriptor,
    gabor_filters,
)

SIDE = 64  # pixels: the default of gist
_MARGIN, _PREFILTER_MARGIN = 32, 5  # of LMgist

Vectors = NDArray[np.float64]


def run(size: Size) -> list[Row]:
    """Measure at the default size, or on a few photographs."""
    images = 4 if size == "toy" else 512
    gist, tiny = (
        GistDescriptor(DescriptorConfig("gist", SIDE)),
        TinyimageDescriptor(DescriptorConfig("tinyimage", TINY)),
    )
    squares, filters = _photographs(images, SIDE, SIDE), gabor_filters(SIDE + 2 * _MARGIN).double().numpy()
    files = [_jpeg(pixels) for pixels in _photographs(images, 384, 512)]
    _described(gist, squares[:2])  # the first transform of a size is planned
    return [
        _compare(
            f"GIST of {images} photographs in batches",
            images,
            lambda: _described(gist, squares),
            lambda: np.stack([_gist_by_numpy(one, filters) for one in squares]),
        ),
        _compare(
            f"Tinyimage of {images} JPEG files",
            images,
            lambda: _described(tiny, np.stack([square(file, TINY) for file in files])),
            lambda: np.stack([_tinyimage_by_numpy(file) for file in files]),
        ),
    ]


def _compare(what: str, images: int, own: Callable[[], Vectors], by_numpy: Callable[[], Vectors]) -> Row:
    (seconds, found), (longer, wanted) = _seconds(own), _seconds(by_numpy)
    difference = np.abs(found - wanted).mean() / wanted.mean()
    return Row(
        what,
        images / seconds,
        "images/s of a core",
        f"{longer / seconds:.1f} times numpy one at a time, {images / longer:.0f} images/s; mean difference "
        f"{difference:.1e} of the mean",
    )


def _described(network: GlobalDescriptor, pixels: Pixels) -> Vectors:
    return np.concatenate([batch.pooled.double().numpy() for batch in describe(network, pixels)])


def _gist_by_numpy(pixels: Pixels, filters: Vectors) -> Vectors:
    image = _padded(np.log(pixels.transpose(2, 0, 1) + 1.0), _PREFILTER_MARGIN)
    along = np.fft.fftfreq(image.shape[1], 1 / image.shape[1])
    mask = np.exp(-(along[:, None] ** 2 + along**2) / (4 / np.sqrt(np.log(2))) ** 2)
    image = image - np.fft.ifft2(np.fft.fft2(image) * mask).real
    image = image / (0.2 + np.sqrt(np.abs(np.fft.ifft2(np.fft.fft2(image.mean(axis=0) ** 2) * mask))))
    inner = slice(_PREFILTER_MARGIN, -_PREFILTER_MARGIN)
    spectrum = np.fft.fft2(_padded(image[:, inner, inner], _MARGIN))
    side, means = len(pixels) // CELLS, []
    for one in filters:
        magnitudes = np.abs(np.fft.ifft2(spectrum * one))[:, _MARGIN:-_MARGIN, _MARGIN:-_MARGIN]
        means.append(magnitudes.reshape(3, CELLS, side, CELLS, side).mean(axis=(2, 4)).reshape(3, -1))
    return np.stack(means, axis=1).ravel()


def _padded(image: Vectors, margin: int) -> Vectors:
    return np.pad(image, ((0, 0), (margin, margin), (margin, margin)), mode="symmetric")


def _tinyimage_by_numpy(file: bytes) -> Vectors:
    pixels = np.asarray(Image.open(io.BytesIO(file)).convert("RGB"))
    side = min(pixels.shape[:2]) // TINY
    top, left = ((length - side * TINY) // 2 for length in pixels.shape[:2])
    middle = pixels[top : top + side * TINY, left : left + side * TINY] / 255
    means: Vectors = middle.reshape(TINY, side, TINY, side, 3).mean(axis=(1, 3))
    return means.transpose(2, 0, 1).ravel()


def _photographs(count: int, high: int, wide: int) -> Pixels:
    torch.manual_seed(7)
    return np.stack([_photograph(high, wide) for _ in range(count)])


def _photograph(high: int, wide: int) -> Pixels:
    blurred = functional.interpolate(torch.rand(1, 3, 12, 12), size=(high, wide), mode="bilinear")[0]
    pixels: Pixels = (255 * blurred).byte().permute(1, 2, 0).numpy()
    return pixels


def _jpeg(pixels: Pixels) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "JPEG", quality=90)
    return stream.getvalue()


def _seconds(work: Callable[[], Vectors]) -> tuple[float, Vectors]:
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


if __name__ == "__main__":
    main(run, __doc__)

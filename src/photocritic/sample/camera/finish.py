"""From the painted square to the bytes of a JPEG file: vignette, reduction, grain, compression."""

import io

import numpy as np
from numpy.random import Generator
from PIL import Image

from photocritic.sample.camera.focus import sharpen
from photocritic.sample.canvas.grid import SCALE, SIZE, Field, X, Y, step
from photocritic.sample.scene_plan import Plan

QUALITY = 90  # of the JPEG


def finish(picture: Field, plan: Plan, rng: Generator) -> bytes:
    """Finish a picture: (SIDE, SIDE, 3) in 0..1 to a JPEG of SIZE x SIZE."""
    corner = step(0.42, 0.82, np.hypot(X - np.float32(0.5), Y - np.float32(0.5)))
    darker = np.clip(picture, 0, 1) * (1 - np.float32(rng.uniform(0.1, 0.32)) * corner)[..., None]
    small = np.add.reduce([darker[i::SCALE, j::SCALE] for i in range(SCALE) for j in range(SCALE)]) / SCALE**2
    image = Image.fromarray((small * 255 + 0.5).astype(np.uint8))
    if plan.focus in ("sharp", "shallow_depth"):
        image = sharpen(image)
    if plan.grain == "grain":
        image = _grain(image, plan, rng)
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=QUALITY, subsampling=0)
    return stream.getvalue()


def _grain(image: Image.Image, plan: Plan, rng: Generator) -> Image.Image:
    """Add film grain, strongest in the mid-tones and shadows, slightly colored unless the picture is grey."""
    values = np.asarray(image, dtype=np.float32) / 255
    fine = rng.standard_normal((SIZE, SIZE, 1), dtype=np.float32)
    colored = rng.standard_normal((SIZE, SIZE, 3), dtype=np.float32)
    share = 0.0 if plan.color == "black_and_white" else 0.35
    strength = np.float32(rng.uniform(0.042, 0.062)) * (1 - np.float32(0.6) * values.mean(axis=2, keepdims=True) ** 2)
    grained = values + (fine * np.float32(1 - share) + colored * np.float32(share)) * strength
    return Image.fromarray((np.clip(grained, 0, 1) * 255 + 0.5).astype(np.uint8))

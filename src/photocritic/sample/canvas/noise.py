"""Noise with the spectrum of natural textures: power falls with frequency."""

from functools import lru_cache

import numpy as np
from numpy.random import Generator

from photocritic.sample.canvas.grid import SIDE, Field


@lru_cache(maxsize=64)
def _envelope(roughness: float, finest: float, stretch: float) -> Field:
    across = np.fft.rfftfreq(SIDE)[None, :] * SIDE * stretch
    down = np.fft.fftfreq(SIDE)[:, None] * SIDE
    frequency = np.hypot(across, down)
    envelope = np.where(frequency > 0, np.maximum(frequency, 1.5) ** -roughness, 0)
    envelope = envelope * np.exp(-((frequency / finest) ** 2))
    return np.asarray(envelope, dtype=np.float32)


def cloud(rng: Generator, roughness: float = 1.9, finest: float = 200.0, stretch: float = 1.0) -> Field:
    """Draw two-dimensional noise that tiles.

    Parameters
    ----------
    rng : Generator
        Source of randomness.
    roughness : float
        Exponent of the amplitude's fall with frequency: 1 is rough like gravel, 2.5 soft like fog.
    finest : float
        Cycles per picture beyond which nothing remains.
    stretch : float
        Above 1 the noise is drawn out sideways, below 1 lengthwise.

    Returns
    -------
    ndarray, (SIDE, SIDE)
        Zero mean, unit variance.
    """
    shape = (SIDE, SIDE // 2 + 1)
    real = rng.standard_normal(shape, dtype=np.float32)
    imaginary = rng.standard_normal(shape, dtype=np.float32)
    field = np.fft.irfft2((real + 1j * imaginary) * _envelope(roughness, finest, stretch), s=(SIDE, SIDE))
    return np.asarray((field - field.mean()) / field.std(), dtype=np.float32)


def line(rng: Generator, roughness: float = 1.3, lowest: int = 1, length: int = SIDE) -> Field:
    """Draw one-dimensional noise, such as a ridge line: (length,), zero mean, unit variance."""
    frequency = np.fft.rfftfreq(2 * length) * 2 * length
    weight = np.where(frequency >= lowest, np.maximum(frequency, 1) ** -roughness, 0)
    phases = np.exp(2j * np.pi * rng.random(frequency.size)) * rng.standard_normal(frequency.size)
    wave = np.fft.irfft(phases * weight, n=2 * length)[:length]
    return np.asarray((wave - wave.mean()) / (wave.std() + 1e-9), dtype=np.float32)


def magnified(texture: Field, across: Field, down: Field) -> Field:
    """Look a tiling texture up as `sample` does, but smoothly between its points: for places where it is enlarged."""
    u, v = across * SIDE, down * SIDE
    left, top = np.floor(u), np.floor(v)
    share_across, share_down = (u - left).astype(np.float32), (v - top).astype(np.float32)
    column, row = left.astype(np.int32) % SIDE, top.astype(np.int32) % SIDE
    next_column, next_row = (column + 1) % SIDE, (row + 1) % SIDE
    upper = texture[row, column] * (1 - share_across) + texture[row, next_column] * share_across
    lower = texture[next_row, column] * (1 - share_across) + texture[next_row, next_column] * share_across
    found: Field = upper * (1 - share_down) + lower * share_down
    return found


def sample(texture: Field, across: Field, down: Field) -> Field:
    """Look a tiling texture up at fractional positions, one unit being one whole tile."""
    columns = np.floor(across * SIDE).astype(np.int32) % SIDE
    rows = np.floor(down * SIDE).astype(np.int32) % SIDE
    found: Field = texture[rows, columns]
    return found

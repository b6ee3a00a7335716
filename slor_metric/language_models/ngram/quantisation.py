"""Eight bits a number: 256 evenly spaced levels between the smallest and the largest value of an order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["dequantise", "quantise"]


def quantise(values: NDArray[np.float64]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return the code of each value and the codebook.

    Even spacing bounds the error of every value, by (max − min) / 510, and leaves codes that compress.

    Args:
        values: finite numbers, shape (n,).

    Returns:
        Codes, shape (n,), and the 256 values that they stand for, float32, ascending.

    >>> codes, codebook = quantise(np.array([-2.0, 0.0, -1.0]))
    >>> codes, codebook[codes].round(2)
    (array([  0, 255, 128], dtype=uint8), array([-2.,  0., -1.], dtype=float32))
    """
    low = high = np.float32(0)
    if len(values):
        low, high = np.float32(values.min()), np.float32(values.max())
    codebook = np.linspace(low, high, 256, dtype=np.float64).astype(np.float32)
    if low <= 0 <= high:
        codebook[np.argmin(np.abs(codebook))] = 0  # "no back-off" stays exactly that
    spread = float(high) - float(low)
    scaled = (values - float(low)) * (255 / spread) if spread > 0 else np.zeros(len(values))
    # Half up: the same on every platform, unlike the rounding mode.
    return np.clip(np.floor(scaled + 0.5), 0, 255).astype(np.uint8), codebook


def dequantise(codes: NDArray[np.uint8], codebook: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the values that the codes stand for, shape (n,)."""
    return codebook[codes]

"""The distinct texts of a pool: equal ones count once, with the mean of their ratings, however it is sharded."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def distinct_texts(
    texts: Sequence[str], ratings: NDArray[np.float64]
) -> tuple[list[str], NDArray[np.float64], NDArray[np.int64]]:
    """Return n distinct texts in order of first appearance, their mean ratings and how many each had, shape (n,)."""
    places: dict[str, int] = {}
    where = np.fromiter((places.setdefault(text, len(places)) for text in texts), np.int64, len(texts))
    counts = np.bincount(where, minlength=len(places)).astype(np.int64)
    means = np.bincount(where, weights=ratings, minlength=len(places)) / counts
    return list(places), means, counts


def pool_hash(texts: Sequence[str], quality: NDArray[np.float64]) -> str:
    """Return eight hexadecimal digits that tell a pool from others."""
    digest = hashlib.sha256()
    for text, rating in zip(texts, quality, strict=True):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0" + repr(float(rating)).encode() + b"\0")
    return digest.hexdigest()[:8]

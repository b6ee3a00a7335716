"""Damaged texts, which tell whether raters read."""

from __future__ import annotations

import numpy as np


def damaged(text: str) -> str:
    """Return a text with its words in another order, the same each time.

    >>> damaged("the cat sat on the mat")
    'sat on the mat the cat'
    """
    words = text.split()
    return " ".join(words[place] for place in np.random.default_rng(len(words)).permutation(len(words)))

"""Word vectors from plain text: positive pointwise mutual information of words within four, reduced by an SVD.

Levy & Goldberg (2014) show that word2vec factorises nearly the same matrix.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, islice
from pathlib import Path

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from slor_metric.language_models.unigram import read_lines

LINES = 100_000
WORDS = 10_000
WINDOW = 4


def word_vectors(data_dir: Path, width: int) -> Callable[[Sequence[str]], Floats]:
    """Return a function from n words to their vectors of unit variance, (n, width); NaN for words without one.

    Args:
        data_dir: the folder that holds `lm-corpus/`, of whose lines the first 100,000 are read.
        width: width of a vector.
    """
    from scipy.sparse import coo_matrix, diags
    from scipy.sparse.linalg import svds

    lines = [line.split() for line in islice(read_lines(data_dir / "lm-corpus" / "english.txt.xz"), LINES)]
    counts = Counter(chain.from_iterable(lines))
    known = sorted(counts, key=lambda word: (-counts[word], word))[:WORDS]
    numbers = {word: number for number, word in enumerate(known)}
    gap = [-1] * WINDOW  # no pair reaches over the end of a line
    flat = np.array([number for line in lines for number in (*(numbers.get(word, -1) for word in line), *gap)])
    pairs = np.concatenate([np.stack((flat[:-step], flat[step:]), axis=1) for step in range(1, WINDOW + 1)])
    pairs = pairs[(pairs >= 0).all(axis=1)]
    one = coo_matrix((np.ones(len(pairs)), pairs.T), shape=(len(known), len(known))).tocsr()
    both = one + one.T
    totals = np.maximum(np.asarray(both.sum(axis=1)).ravel(), 1.0)
    shares = (diags(1 / totals) @ both @ diags(1 / totals)).tocsr()
    shares.data = np.maximum(np.log(shares.data * totals.sum()), 0.0)
    left, values, _ = svds(shares, k=width, v0=np.ones(len(known)))
    found = left * np.sqrt(values)
    found /= found.std()

    def of(words: Sequence[str]) -> Floats:
        rows = np.full((len(words), width), np.nan)
        for place, word in enumerate(words):
            if word in numbers:
                rows[place] = found[numbers[word]]
        return rows

    return of

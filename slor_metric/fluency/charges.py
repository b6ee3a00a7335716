"""What each word of a text costs: the features of `Fluency`, as functions on arrays.

A text's score starts from what a text without a fault would have, and every word takes something away:

- its **shortfalls** under the three models: how far its log-odds ln p_M − ln p_u (SLOR's summand) stays below one nat.
  More than that earns nothing more: what sets bad text apart is how bad its bad places are (and a well-worn phrase is
  no better than a plain sentence);
- its place among the **worst** three under the class model;
- its **marks**: that it is misspelt, or repeats what was said.

Shortfalls add up to S = Σ s / n^¾: between their mean (n¹), under which a long text hides its one fault, and their sum
(n⁰), under which every long text is bad.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["CAP", "FEATURES", "MOST_BLANK", "N_WORST", "OF_UNKNOWN", "scales"]

#: The features that are sums over words, in the order of the columns.
FEATURES = ("pieces", "words", "classes", "worst", "misspellings", "repetitions")
#: Log-odds above this, in nats, earn nothing more.
CAP = 1.0
#: How many of the words with the least class log-odds count once more.
N_WORST = 3
#: So many numbers and marks in a row occur in prose, as in a date; more are a list.
MOST_BLANK = 2
#: What an unknown word in lower case costs, of a misspelling's mark.
OF_UNKNOWN = 0.5


def scales(n_words: NDArray[np.int64], n_pieces: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what the sum over a text's words is divided by, for each feature; 1 for a text without words.

    Args:
        n_words: shape (n,).
        n_pieces: shape (n,).

    Returns:
        Shape (n, 6).
    """
    words = np.maximum(n_words, 1).astype(np.float64)
    pieces = np.maximum(n_pieces, 1).astype(np.float64)
    one = np.ones(len(words))
    return np.stack([pieces**0.75, words**0.75, words**0.75, one, words**0.5, words**0.5], axis=1)

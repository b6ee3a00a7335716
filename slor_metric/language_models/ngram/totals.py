"""The kernel that adds up the tokens of each text: both models' log-probabilities, and what is unknown."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.compiled import compiled
from slor_metric.language_models.known import CONTINUES, LETTERED, SINGLE, SPELLED_OUT, UNKNOWN

#: The columns of what `add_up` gives; see `TextLikelihoods` for the first three.
MODEL, UNIGRAM, SURPLUS, N_UNKNOWN, N_TOLD = range(5)
TOTALS = 5


@compiled()
def add_up(
    ids: NDArray[np.int32],
    offsets: NDArray[np.int64],
    logprobs: NDArray[np.float64],
    unigram: NDArray[np.float64],
    flags: NDArray[np.uint8],
    totals: NDArray[np.float64],
) -> None:
    """Fill the sums of each text: `KnownTokens.unknown`, `cap_unknown_log_odds` and `sum_by_text` in one pass.

    Args:
        ids: the tokens of all texts after one another, shape (tokens,).
        offsets: text i holds the tokens from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
        logprobs: ln p_M of each token, shape (tokens,).
        unigram: ln p_u by token id.
        flags: `KnownTokens.flags`, by token id.
        totals: receives the sums, shape (n, 5), zeros.
    """
    longest = 0
    for text in range(len(offsets) - 1):
        longest = max(longest, offsets[text + 1] - offsets[text])
    unknown = np.zeros(longest, dtype=np.bool_)
    for text in range(len(offsets) - 1):
        start, end = offsets[text], offsets[text + 1]
        model, words, any_unknown = 0.0, 0.0, False
        n_told = 0
        stretch = 0  # single letters in a row that spell a word
        for i in range(start, end):
            token = ids[i]
            flag = flags[token]
            model += logprobs[i]
            words += unigram[token]
            unknown[i - start] = flag & UNKNOWN != 0
            if flag & UNKNOWN:
                any_unknown = True
            if flag & (UNKNOWN | LETTERED):
                n_told += 1
            if flag & SINGLE and flag & CONTINUES:
                if stretch == 0 and i > start and flags[ids[i - 1]] & SINGLE:
                    stretch = 1  # the word's first letter
                stretch += 1
                if stretch == SPELLED_OUT:
                    any_unknown = True
                    for j in range(i - start - SPELLED_OUT + 1, i - start + 1):
                        unknown[j] = True  # a letter: told already
                elif stretch > SPELLED_OUT:
                    unknown[i - start] = True
            else:
                stretch = 0
        totals[text, MODEL] = model
        totals[text, UNIGRAM] = words
        totals[text, N_TOLD] = n_told
        if any_unknown:
            unknown_surplus, n_unknown = 0.0, 0
            for i in range(start, end):
                if unknown[i - start]:
                    n_unknown += 1
                    if i > start and unknown[i - start - 1]:
                        unknown_surplus += max(logprobs[i] - unigram[ids[i]], 0.0)
            totals[text, SURPLUS] = unknown_surplus
            totals[text, N_UNKNOWN] = n_unknown

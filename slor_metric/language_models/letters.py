"""The kernel of the guess at the language: how likely the letters of each text are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.compiled import compiled
from slor_metric.language_models.signs import OTHER, SIZE, SPACE


@compiled()
def sum_letters(
    points: NDArray[np.uint32],
    lengths: NDArray[np.int64],
    logprobs: NDArray[np.float64],
    sums: NDArray[np.float64],
    sizes: NDArray[np.int64],
    others: NDArray[np.int64],
) -> None:
    """Sum ln p of the letters of each text, each given the two signs before it within its word.

    A space counts where it ends a word.

    Args:
        points: the code points of all texts after one another, uint8 or uint32, in lower case beyond ASCII.
        lengths: how many each text has, shape (n,).
        logprobs: ln p of each trigram, shape (SIZE³,).
        sums: receives the sums, shape (n,), zeros.
        sizes: receives how many signs were summed, shape (n,).
        others: receives how many of these are letters beyond a to z, shape (n,).
    """
    at = 0
    for text in range(len(lengths)):
        end = at + lengths[text]
        first, second = SPACE, SPACE
        while at <= end:
            code = SPACE
            if at < end:
                point = points[at]
                if 97 <= point <= 122:
                    code = int(point) - 96
                elif 65 <= point <= 90:
                    code = int(point) - 64
                elif point >= 0xAA:  # all beyond ASCII: what matters is that it is not a to z
                    code = OTHER
            if code != SPACE or second != SPACE:
                # after a space, what came before does not count
                before = first if second != SPACE else SPACE
                sums[text] += logprobs[(before * SIZE + second) * SIZE + code]
                sizes[text] += 1
                others[text] += code == OTHER
            first, second = second, code
            at += 1
        at = end

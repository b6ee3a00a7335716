"""The scoring kernel: token log-probabilities of many texts under a back-off trie."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.compiled import compiled
from slor_metric.language_models.ngram.trie import MOST_ORDERS
from slor_metric.tokenizers.vocabulary import BOS, EOS

__all__ = ["score_tokens"]


@compiled()
def score_tokens(
    tokens: NDArray[np.int32],
    offsets: NDArray[np.int64],
    words: NDArray[np.uint16],
    first_child: NDArray[np.int32],
    logprobs: NDArray[np.float32],
    backoffs: NDArray[np.float32],
    order: int,
    token_logprobs: NDArray[np.float64],
    end_logprobs: NDArray[np.float64],
) -> None:
    """Fill `token_logprobs` and `end_logprobs` (see `Trie` for the arrays).

    A token's log-probability is that of the longest listed n-gram that ends in it, plus the back-off weights of the
    longer contexts that were tried in vain. The contexts of all lengths travel along as nodes, so that each token
    costs one binary search a length and nothing is looked up twice. A negative token has no log-probability (0 is
    written) and ends every context.
    """
    contexts = np.empty(MOST_ORDERS, dtype=np.int64)
    found = np.empty(MOST_ORDERS, dtype=np.int64)
    for text in range(len(offsets) - 1):
        contexts[:] = -1
        contexts[0] = BOS
        start, end = offsets[text], offsets[text + 1]
        for i in range(start, end + 1):
            token = np.int64(tokens[i]) if i < end else np.int64(EOS)
            if token < 0:
                contexts[:] = -1
                token_logprobs[i] = 0.0
                continue
            found[0] = token
            longest = 0
            for length in range(1, order):
                node = contexts[length - 1]
                found[length] = -1
                if node < 0:
                    continue
                low = np.int64(first_child[node])
                size = np.int64(first_child[node + 1]) - low
                if size == 0:
                    continue
                # The last continuation whose word is not above the token; without branches to mispredict.
                while size > 1:
                    half = size >> 1
                    low = low + half if words[low + half] <= token else low
                    size -= half
                if words[low] == token:
                    found[length] = low
                    longest = length
            total = np.float64(logprobs[found[longest]])
            for length in range(longest + 1, order):
                if contexts[length - 1] >= 0:
                    total += backoffs[contexts[length - 1]]
            total = np.float64(
                min(total, 0.0)
            )  # back-off weights above 1 can make more of an odd model's probabilities
            for length in range(order - 1):
                contexts[length] = found[length]
            if i < end:
                token_logprobs[i] = total
            else:
                end_logprobs[text] = total

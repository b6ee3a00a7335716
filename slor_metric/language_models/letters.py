"""Letters three by three, by which a text's language is told: made from the words of a corpus and their counts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from metric_commons.files.archive import Array, Schema
from metric_commons.files.archived import Archived
from metric_commons.support.validation import Numbers
from slor_metric.language_models.base import packaged_file

SPACE, OTHER, SIZE = 0, 27, 28
"""The signs of which text is read: what parts words; any letter beyond a to z (1 to 26); how many there are."""


class LetterModel(Archived):
    """Trigrams of letters: how likely each letter of a text is after the two before it.

    All signs but the letters a to z are one sign inside words; digits, punctuation and spaces part words.

    Args:
        logprobs: ln p of each letter given the two before it, shape (SIZE³,), in nats; a file has 16 bits each.
    """

    SCHEMA = Schema("letters", 1, "letters", {"logprobs": Array("<f2", (SIZE**3,), least=-1e4, most=0)})

    def __init__(self, logprobs: Numbers) -> None:
        self.logprobs = logprobs.astype(np.float64)


def train_letters(words: Mapping[str, int]) -> LetterModel:
    """Estimate trigrams of letters from words with their counts; each trigram is seen once more than it was.

    >>> float(train_letters({"the": 10}).logprobs.max().round(3))  # "the " after "t" and "h": 11 of 38
    -1.24
    """
    table = np.ones((SIZE, SIZE, SIZE))
    for word, count in words.items():
        first, second = SPACE, SPACE
        for sign in word.lower() + " ":
            code = ord(sign) - ord("a") + 1 if "a" <= sign <= "z" else OTHER if sign >= "\xaa" else SPACE
            if code != SPACE or second != SPACE:  # a space counts where it ends a word, and hides what came before
                table[first if second != SPACE else SPACE, second, code] += count
            first, second = second, code
    return LetterModel(np.log(table / table.sum(axis=2, keepdims=True)).ravel())


@cache
def english_letters() -> LetterModel:
    """Load the model that comes with the package; a second call gives the same object."""
    return LetterModel.load(packaged_file("letters.npz"))

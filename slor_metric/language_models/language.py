"""A guess whether text is in the language of the packaged models, from its letters three by three.

Made from the words of the packaged corpus and their counts. It is right about batches; a single short sentence, full of
names, can look foreign.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from metric_commons.files.archive import Array, Schema, read_archive, write_archive
from slor_metric.language_models.base import packaged_file
from slor_metric.language_models.signs import OTHER, SIZE, SPACE

_SCHEMA = Schema("letters", 1, "letters", arrays={"logprobs": Array("<f2", (SIZE**3,), least=-1e4, most=0)})
#: Nats a letter, below which a text does not look English: one in two hundred sentences of GUG's training and
#: development splits lies lower, one in ten of nlg-ratings with their names, and nine in ten German and French ones.
_LIMIT = -2.4
#: A larger share of letters beyond a to z is another alphabet, or another language's accents.
_MOST_OTHER = 0.2
#: With fewer letters nothing is guessed.
_MIN_LETTERS = 8
#: Characters of a batch, under which there is no warning.
_MIN_BATCH = 80


class ForeignTextWarning(UserWarning):
    """Most of the texts that were scored are not in the language that the model knows."""


class LetterModel:
    """Trigrams of letters: how likely each letter of a text is after the two before it.

    All signs but the letters a to z are one sign inside words; digits, punctuation and spaces part words.

    Args:
        logprobs: ln p of each letter given the two before it, shape (SIZE³,), in nats.

    >>> bool(np.diff(english_letters().mean_logprobs(["xq zzvv bkkz", "then the hen"]))[0] > 0)
    True
    """

    def __init__(self, logprobs: NDArray[np.float64]) -> None:
        self._logprobs = logprobs

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to an ``.npz`` file, atomically; its log-probabilities in 16 bits each."""
        write_archive(path, _SCHEMA, {}, {"logprobs": self._logprobs.astype("<f2")})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> LetterModel:
        """Read what `save` wrote.

        Raises:
            FileNotFoundError: where there is no such file.
            ValueError: for a truncated, damaged or foreign file, or one of a later version.
        """
        _, arrays = read_archive(path, _SCHEMA)
        return cls(arrays["logprobs"].astype(np.float64))

    def mean_logprobs(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the mean ln p of the letters of each text, shape (n,), in nats.

        It is −inf for a text of which a fifth is beyond a to z, and NaN for one with under eight letters.
        """
        found = np.full(len(texts), np.nan)
        if not texts:
            return found
        from slor_metric.language_models.letters import sum_letters

        sums, sizes, others = np.zeros(len(texts)), np.zeros(len(texts), np.int64), np.zeros(len(texts), np.int64)
        joined, plain = "".join(texts), texts
        if joined.isascii():
            signs = np.frombuffer(joined.encode("ascii"), dtype=np.uint8)
        else:  # text by text: a letter's lower case can be two
            plain = [text if text.isascii() else text.lower() for text in texts]
            signs = np.frombuffer("".join(plain).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        lengths = np.fromiter(map(len, plain), np.int64, len(texts))
        sum_letters(signs, lengths, self._logprobs, sums, sizes, others)
        np.divide(sums, sizes, out=found, where=sizes >= _MIN_LETTERS)
        found[others > np.maximum(_MOST_OTHER * sizes, 1)] = -np.inf
        return found


def train_letters(words: Mapping[str, int]) -> LetterModel:
    """Estimate trigrams of letters from words with their counts; each trigram is seen once more than it was.

    >>> letters = train_letters({"the": 10, "then": 5, "hen": 3})
    >>> bool(np.diff(letters.mean_logprobs(["xq zzvv bkkz", "then the hen"]))[0] > 0)
    True
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


def looks_english(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Tell which texts look English; those with too few letters do."""
    found: NDArray[np.bool_] = ~(english_letters().mean_logprobs(texts) < _LIMIT)
    return found


def warn_if_foreign(texts: Sequence[str], english: NDArray[np.bool_], name: str) -> None:
    """Warn once where fewer than half of the texts look English; of a few short ones nobody can tell."""
    share = float(np.mean(english)) if len(english) else 1.0
    if share < 0.5 and sum(map(len, texts)) >= _MIN_BATCH:
        warnings.warn(
            f"{name} scores English, and {1 - share:.0%} of these {len(english)} texts do not look like it: their "
            "scores say little. Give a model of their language as `lm`",
            ForeignTextWarning,
            stacklevel=3,
        )

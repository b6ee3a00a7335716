"""The 1-grams of a back-off model as a unigram model, for a file of n-grams that comes without token counts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from referenceless_metrics.core.files.archive import pack_strings
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Floats
from slor_metric.tokenizers.words import SPECIALS, UNK


class FirstOrderWarning(UserWarning):
    """SLOR takes the 1-grams of a language model in place of token counts."""


class FirstOrderUnigrams:
    """Unigram probabilities p_u(t) as a back-off model states them in its 1-grams.

    Under Kneser-Ney smoothing these are continuation probabilities: they count the contexts in which a word occurs, not
    its occurrences (Kneser & Ney 1995, "Improved backing-off for m-gram language modeling"). Counts of the corpus, as
    `UnigramTable` holds them, are the p_u of Kann et al. (2018), Equation 2.

    Args:
        tokens: the vocabulary; the first one stands for unknown words.
        logprobs: ln p of each, shape (len(tokens),), in nats.
        tokenizer: the name of the tokenisation that gave these tokens.

    >>> FirstOrderUnigrams(["<unk>", "a"], [-3.0, -1.0], "whitespace").logprobs(["a", "b"])
    array([-1., -3.])
    """

    def __init__(self, tokens: Sequence[str], logprobs: Sequence[float], tokenizer: str) -> None:
        self.tokens = tuple(tokens)
        self.tokenizer_name = tokenizer
        self._lookup = dict(zip(self.tokens, logprobs, strict=True))
        self._unknown = self._lookup[SPECIALS[UNK]]

    @cached_property
    def signature(self) -> str:
        """The origin of the probabilities, the tokenisation, and a hash of tokens and probabilities."""
        digest = hashlib.sha256(pack_strings(self.tokens).tobytes())
        digest.update(np.array(list(self._lookup.values()), dtype="<f8").tobytes())
        return f"1grams-{self.tokenizer_name}-{digest.hexdigest()[:8]}"

    def logprobs(self, pieces: Sequence[str]) -> Floats:
        """Return ln p_u of each piece, shape (len(pieces),), in nats; that of ``<unk>`` for an unknown one."""
        return np.array([self._lookup.get(piece, self._unknown) for piece in pieces], dtype=float)

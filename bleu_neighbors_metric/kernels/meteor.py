"""The METEOR kernel (Lavie & Agarwal 2007): words aligned exactly, then by stem, then by synonym in WordNet.

With m aligned words in c chunks of adjacent ones, P = m / |x|, R = m / |s|, the similarity is
(1 - γ (c / m)^β) · P R / (α P + (1 - α) R). The alignment and the defaults are those of nltk's
`single_meteor_score(s, x)`, whose values these are; here stems and synonyms are looked up once for each word.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.kernels.base import Pool, PoolData
from bleu_neighbors_metric.kernels.compiled.meteor import meteor
from bleu_neighbors_metric.tokenizers import Vocabulary, tokenize_all, word_tokenizer
from metric_commons.support.validation import check_number, describe
from metric_commons.support.wordnet import synonyms_in
from metric_commons.support.words import porter_stemmer

DEFAULT_TOKENIZER = "none"
"""White space, for texts that are tokenised already, as nltk wants them and the published figures have them."""


class MeteorPool(Pool):
    """A pool matched by METEOR; the candidate is the hypothesis, the pool text the reference.

    Args:
        texts: the pool, n texts.
        wordnet: a folder of WordNet's files; None for nltk's data, or else the system's.
        tokenizer: `rouge_score`, or a name that `BLEUNeighbors(tokenize=…)` takes. Words are lower-cased.
        alpha: weight of precision against recall in the mean, in [0, 1].
        beta: exponent of the fragmentation, at least 0.
        gamma: most that fragmentation takes off, in [0, 1].

    Raises:
        ImportError: without nltk.
        InputError: without WordNet's files.
    """

    def __init__(
        self,
        texts: Sequence[str],
        *,
        wordnet: str | None = None,
        tokenizer: str = DEFAULT_TOKENIZER,
        alpha: float = 0.9,
        beta: float = 3.0,
        gamma: float = 0.5,
    ) -> None:
        super().__init__(len(texts))
        self._wordnet = wordnet
        self._tokenizer = tokenizer
        self._parameters = (float(alpha), float(beta), float(gamma))
        self._words, self._stems = Vocabulary(), Vocabulary()
        synonyms_in(wordnet)  # where it cannot be had, that is said before any work
        words = self._words_of(texts)
        self._pool_words, self._begins = self._words.encode(words, learning=True)
        self._pool_stems, _ = self._stems.encode(self._stems_of(words), learning=True)

    def _words_of(self, texts: Sequence[str]) -> list[list[str]]:
        return [[word.lower() for word in words] for words in tokenize_all(texts, self._tokenizer)]

    def _stems_of(self, texts: list[list[str]]) -> list[list[str]]:
        stem = porter_stemmer("meteor", "the kernel meteor")
        return [[stem(word) for word in words] for words in texts]

    def _synonyms_of(self, stems: list[list[str]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the pool's stems that are synonyms of each stem, flat, and where those of each begin.

        As in nltk, it is the stem that is looked up in WordNet, and stems that its synonyms are compared with.
        """
        look_up, known = synonyms_in(self._wordnet), self._stems.numbers
        of_stem = {
            stem: [known[name] for name in sorted(look_up(stem) | {stem}) if name in known]
            for stem in dict.fromkeys(chain.from_iterable(stems))
        }
        lists = [of_stem[stem] for stem in chain.from_iterable(stems)]
        starts = np.zeros(len(lists) + 1, dtype=np.int64)
        np.cumsum([len(numbers) for numbers in lists], out=starts[1:])
        return np.fromiter(chain.from_iterable(lists), dtype=np.int64, count=int(starts[-1])), starts

    def compare(self, candidates: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return METEOR of each candidate and each pool text, and the candidates' numbers of words."""
        words = self._words_of(candidates)
        stems = self._stems_of(words)
        word_numbers, begins = self._words.encode(words)
        stem_numbers, _ = self._stems.encode(stems)
        synonyms, starts = self._synonyms_of(stems)
        out = np.empty((len(candidates), len(self)), dtype=np.float64)
        meteor(
            word_numbers,
            stem_numbers,
            begins,
            synonyms,
            starts,
            self._pool_words,
            self._pool_stems,
            self._begins,
            len(self._words),
            len(self._stems),
            *self._parameters,
            out,
        )
        return out, np.diff(begins)


def meteor_pool(data: PoolData) -> MeteorPool:
    """Prepare a pool with the options `wordnet`, `tokenize`, `alpha`, `beta` and `gamma`."""
    options = dict(data.kernel_options)
    tokenizer = word_tokenizer(options.pop("tokenize", DEFAULT_TOKENIZER))
    folder = options.pop("wordnet", None)
    if folder is not None and not isinstance(folder, (str, os.PathLike)):
        raise TypeError(f"Expected `kernel_options['wordnet']` of meteor to be a folder, but got {describe(folder)}")
    for name, value in options.items():
        check_number(value, f"kernel_options['{name}']", minimum=0, maximum=np.inf if name == "beta" else 1)
    return MeteorPool(data.texts, wordnet=None if folder is None else os.fspath(folder), tokenizer=tokenizer, **options)

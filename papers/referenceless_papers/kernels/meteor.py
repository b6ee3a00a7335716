"""The METEOR kernel (Lavie & Agarwal 2007): words aligned exactly, then by stem, then by synonym in WordNet.

With m aligned words in c chunks of adjacent ones, P = m / |x|, R = m / |s|, the similarity is
(1 - γ (c / m)^β) · P R / (α P + (1 - α) R). The alignment and the defaults are those of nltk's
`single_meteor_score(s, x)`, whose values these are; here stems and synonyms are looked up once for each word.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import accumulate, chain

import numpy as np
from numba import njit

from bleu_neighbors_metric.kernels.kernel import KernelInput, Pool
from bleu_neighbors_metric.tokenizers import Vocabulary
from referenceless_metrics.core.support.validation import Floats, Integers, describe
from referenceless_metrics.core.support.words import porter_stemmer
from referenceless_papers.kernels.tokens import word_tokenizer, words_of
from referenceless_papers.kernels.wordnet import synonyms_in

DEFAULT_TOKENIZER = "none"
"""White space, for texts that are tokenised already, as nltk and the published figures have them."""

_PARAMETERS = (0.9, 3.0, 0.5)
"""α, β and γ of nltk."""

_UNMATCHED = -1


class MeteorPool(Pool):
    """A pool matched by METEOR; the candidate is the hypothesis, the pool text the reference.

    Args:
        texts: the pool, n texts.
        wordnet: a folder of WordNet's files; None for nltk's data, or else the system's.
        tokenizer: `rouge_score`, or a name that `BLEUNeighbors(tokenize=…)` takes. Words are lower-cased.

    Raises:
        ImportError: without nltk.
        InputError: without WordNet's files.
    """

    def __init__(self, texts: Sequence[str], *, wordnet: str | None = None, tokenizer: str = DEFAULT_TOKENIZER) -> None:
        super().__init__(len(texts))
        self._wordnet = wordnet
        self._tokenizer = tokenizer
        self._words, self._stems = Vocabulary(), Vocabulary()
        synonyms_in(wordnet)  # an error if it cannot be had, before any work
        words = self._words_of(texts)
        self._pool_words, self._begins = self._words.encode(words, learning=True)
        self._pool_stems, _ = self._stems.encode(self._stems_of(words), learning=True)

    def _words_of(self, texts: Sequence[str]) -> list[list[str]]:
        return [[word.lower() for word in words] for words in words_of(texts, self._tokenizer)]

    def _stems_of(self, texts: list[list[str]]) -> list[list[str]]:
        stem = porter_stemmer("the kernel meteor")
        return [[stem(word) for word in words] for words in texts]

    def _synonyms_of(self, stems: list[list[str]]) -> tuple[Integers, Integers]:
        """Return the pool's stems that are synonyms of each stem, flat, and the index of each stem's first one.

        As in nltk, the stem is looked up in WordNet, and its synonyms are compared with stems.
        """
        look_up, known = synonyms_in(self._wordnet), self._stems.numbers
        of_stem = {
            stem: [known[name] for name in sorted(look_up(stem) | {stem}) if name in known]
            for stem in dict.fromkeys(chain.from_iterable(stems))
        }
        lists = [of_stem[stem] for stem in chain.from_iterable(stems)]
        starts = np.fromiter(accumulate(map(len, lists), initial=0), np.int64, len(lists) + 1)
        return np.fromiter(chain.from_iterable(lists), dtype=np.int64, count=int(starts[-1])), starts

    def compare(self, candidates: Sequence[str]) -> tuple[Floats, Integers]:
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
            *_PARAMETERS,
            out,
        )
        return out, np.diff(begins)


def meteor_pool(data: KernelInput) -> MeteorPool:
    """Prepare a pool with the options `wordnet` and `tokenize`."""
    tokenizer = word_tokenizer(data.kernel_options.get("tokenize", DEFAULT_TOKENIZER))
    folder = data.kernel_options.get("wordnet")
    if folder is not None and not isinstance(folder, (str, os.PathLike)):
        raise TypeError(f"Expected `kernel_options['wordnet']` of meteor to be a folder, but got {describe(folder)}")
    return MeteorPool(data.texts, wordnet=None if folder is None else os.fspath(folder), tokenizer=tokenizer)


@njit(nogil=True, cache=True)
def _match(alike, starts, text, begin, end, taken, partner, last, previous):  # type: ignore[no-untyped-def]
    """Match each free word of the candidate, from the last, with the last free word of the pool text alike to it.

    `last` holds the last place of each type of words in the pool text, and `previous` the one before each place.
    """
    for at in range(begin, end):
        if not taken[at - begin]:
            previous[at - begin] = last[text[at]]
            last[text[at]] = at - begin
    for place in range(len(partner) - 1, -1, -1):
        if partner[place] != _UNMATCHED:
            continue
        best = _UNMATCHED
        for at in range(starts[place], starts[place + 1]):
            if alike[at] >= 0:
                best = max(best, last[alike[at]])
        if best != _UNMATCHED:
            partner[place] = best
            taken[best] = True
            last[text[begin + best]] = previous[best]
    for at in range(begin, end):
        last[text[at]] = _UNMATCHED


@njit(nogil=True, cache=True)
def meteor(  # type: ignore[no-untyped-def]
    words,
    stems,
    begins,
    synonyms,
    starts,
    pool_words,
    pool_stems,
    pool_begins,
    n_words,
    n_stems,
    alpha,
    beta,
    gamma,
    out,
):
    """Write METEOR of each candidate and each pool text.

    Args:
        words (array): the candidates' words, flat, as numbers of the pool's vocabulary; -1 for one it lacks.
        stems (array): the stems of the same words, likewise.
        begins (array): index of each candidate's first word in them, shape (c + 1,).
        synonyms (array): the stems of the pool that are synonyms of each word of the candidates, flat.
        starts (array): index of each word's first one in them, shape (len(words) + 1,).
        pool_words (array): the pool's words, flat.
        pool_stems (array): their stems.
        pool_begins (array): index of each pool text's first word in them, shape (n + 1,).
        n_words (int): number of different words of the pool.
        n_stems (int): number of different stems.
        alpha (float): weight of precision against recall in the mean.
        beta (float): exponent of the fragmentation.
        gamma (float): most that fragmentation takes off.
        out (array): shape (c, n).
    """
    n_pool = len(pool_begins) - 1
    longest = 0
    for text in range(n_pool):
        longest = max(longest, pool_begins[text + 1] - pool_begins[text])
    last_word = np.full(n_words, _UNMATCHED, np.int64)
    last_stem = np.full(n_stems, _UNMATCHED, np.int64)
    previous = np.empty(longest, np.int64)
    taken = np.empty(longest, np.bool_)
    for candidate in range(len(begins) - 1):
        first, stop = begins[candidate], begins[candidate + 1]
        length = stop - first
        partner = np.empty(length, np.int64)
        each = np.arange(length + 1)
        for text in range(n_pool):
            begin, end = pool_begins[text], pool_begins[text + 1]
            taken[: end - begin] = False
            partner[:] = _UNMATCHED
            _match(words[first:stop], each, pool_words, begin, end, taken, partner, last_word, previous)
            _match(stems[first:stop], each, pool_stems, begin, end, taken, partner, last_stem, previous)
            _match(synonyms, starts[first : stop + 1], pool_stems, begin, end, taken, partner, last_stem, previous)
            matches = 0
            chunks = 0
            for place in range(length):
                if partner[place] != _UNMATCHED:
                    matches += 1
                    if place == 0 or partner[place - 1] == _UNMATCHED or partner[place] != partner[place - 1] + 1:
                        chunks += 1
            if matches == 0:
                out[candidate, text] = 0.0
                continue
            precision = matches / length
            recall = matches / (end - begin)
            mean = precision * recall / (alpha * precision + (1.0 - alpha) * recall)
            out[candidate, text] = (1.0 - gamma * (chunks / matches) ** beta) * mean

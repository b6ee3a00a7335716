"""BLEU* on something other than the text as it stands: on its content words, or on its parts of speech.

Ethayarajh & Sadigh (2020, section 6) suggest both. A candidate and the pool are rewritten alike, and BLEU* (Eq. 2)
compares what is left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.kernels.base import Pool, PoolData, TextOptions
from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool
from bleu_neighbors_metric.kernels.exact_sums import Ratings
from bleu_neighbors_metric.kernels.neighbors import NeighborRule, NeighborTally
from metric_commons.support.installation import import_extra
from metric_commons.support.validation import describe

_words = re.compile(r"\w+(?:['’]\w+)*")


class RewrittenPool(Pool):
    """A pool matched by BLEU* on rewritten texts.

    Args:
        texts: the pool, n texts.
        rewrite: what is done to each text, pool and candidate alike.
        options: how the rewritten texts are read.
    """

    def __init__(self, texts: Sequence[str], rewrite: Callable[[str], str], options: TextOptions) -> None:
        self._rewrite = rewrite
        self._pool = BleuStarPool(self._rewritten(texts), options)

    def __len__(self) -> int:
        return len(self._pool)

    def _rewritten(self, texts: Sequence[str]) -> list[str]:
        return [self._rewrite(text) for text in texts]

    def compare(self, candidates: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return BLEU* of each candidate and each pool text, and the candidates' numbers of tokens, as rewritten."""
        return self._pool.compare(self._rewritten(candidates))

    def tally(
        self,
        candidates: Sequence[str],
        ratings: Ratings,
        rule: NeighborRule,
        *,
        excluded: NDArray[np.int64] | None = None,
        n_jobs: int | None = None,
    ) -> Iterator[tuple[slice, NeighborTally]]:
        """Count neighbours and sum their ratings, batch by batch; see `Pool.tally`."""
        return self._pool.tally(self._rewritten(candidates), ratings, rule, excluded=excluded, n_jobs=n_jobs)


class ContentWords:
    """Take the stop words out of a text, whatever their case.

    Args:
        stop_words: the words to take out.

    >>> ContentWords(["the", "on"])("The cat sat on the mat.")
    'cat sat mat.'
    """

    def __init__(self, stop_words: Sequence[str]) -> None:
        self._stop_words = frozenset(word.casefold() for word in stop_words)

    def __call__(self, text: str) -> str:
        """Return the text without its stop words, with single spaces."""
        kept = _words.sub(lambda word: "" if word[0].casefold() in self._stop_words else word[0], text)
        return " ".join(kept.split())


def english_stop_words() -> list[str]:
    """Return scikit-learn's list of English stop words.

    Raises:
        ImportError: without scikit-learn; the message names the extra.
    """
    own = ", or give your own list in kernel_options={'stop_words': […]}"
    library = import_extra(
        "sklearn.feature_extraction.text", "stop-words", "the list of English stop words", instead=own
    )
    return sorted(library.ENGLISH_STOP_WORDS)


def check_words(value: object, kernel: str, name: str) -> list[str]:
    """Return an option that is a list of words.

    Raises:
        TypeError: for anything else.
    """
    if isinstance(value, (str, bytes)) or not isinstance(value, (Sequence, set, frozenset)):
        raise TypeError(
            f"Expected `kernel_options[{name!r}]` of {kernel} to be a list of words, but got {describe(value)}"
        )
    words = list(value)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"Expected `kernel_options[{name!r}]` of {kernel} to hold words, but got {describe(word)}")
    return words


def content_pool(data: PoolData) -> RewrittenPool:
    """Prepare a pool with the option `stop_words`."""
    given = data.kernel_options.get("stop_words", "english")
    if given == "english":
        stop_words = english_stop_words()
    elif isinstance(given, str):
        raise ValueError(
            f"Expected `kernel_options['stop_words']` of bleu_star_content to be 'english' or a list, but got {given!r}"
        )
    else:
        stop_words = check_words(given, "bleu_star_content", "stop_words")
    return RewrittenPool(data.texts, ContentWords(stop_words), data.options)


class TagSequence:
    """Write a text's part-of-speech tags in place of its words.

    Args:
        tagger: a function from a text to its tags, or to (word, tag) pairs as nltk and spaCy wrappers give them.
    """

    def __init__(self, tagger: Callable[[str], Sequence[Any]]) -> None:
        self._tagger = tagger

    def __call__(self, text: str) -> str:
        """Return the tags, separated by spaces.

        Raises:
            TypeError: where the tagger gives anything but tags.
        """
        tags = [item if isinstance(item, str) else self._tag_of(item) for item in self._tagger(text)]
        return " ".join("_".join(tag.split()) for tag in tags)

    @staticmethod
    def _tag_of(item: Any) -> str:
        if isinstance(item, (tuple, list)) and len(item) == 2 and isinstance(item[1], str):
            return item[1]
        raise TypeError(
            "Expected `kernel_options['tagger']` to give a list of tags or of (word, tag) pairs, but it gave "
            f"{describe(item)}"
        )


def textblob_tags(text: str) -> list[str]:
    """Return Penn Treebank tags by TextBlob's tagger (of the library pattern), whose lexicon is in the package.

    Raises:
        ImportError: without TextBlob; the message names the extra.
    """
    own = ", or give a function from a text to its tags in kernel_options={'tagger': …}"
    tagger = import_extra("textblob.en", "pos", "the kernel bleu_star_pos", instead=own)
    return [name for _, name in tagger.tag(text)]


def part_of_speech_pool(data: PoolData) -> RewrittenPool:
    """Prepare a pool with the option `tagger`; tags are the tokens, so `tokenize` is not read."""
    tagger = data.kernel_options.get("tagger", "textblob")
    if tagger == "textblob":
        tagger = textblob_tags
    elif not callable(tagger):
        raise TypeError(
            "Expected `kernel_options['tagger']` of bleu_star_pos to be 'textblob' or a function from a text to its "
            f"tags, but got {describe(tagger)}"
        )
    return RewrittenPool(data.texts, TagSequence(tagger), replace(data.options, tokenize="none"))

"""BLEU* on something other than the text as it stands: on its content words, or on its parts of speech.

Ethayarajh & Sadigh (2020, section 6) suggest both. A candidate and the pool are rewritten alike, and BLEU* (Eq. 2)
compares the rewritten texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool
from bleu_neighbors_metric.kernels.kernel import KernelInput, Pool, TextOptions
from bleu_neighbors_metric.kernels.neighbors import NeighborRule, NeighborTally, Ratings
from referenceless_metrics.core.support.validation import Floats, Integers, describe

_words = re.compile(r"\w+(?:['’]\w+)*")


class RewrittenPool(Pool):
    """A pool matched by BLEU* on rewritten texts.

    Args:
        texts: the pool, n texts.
        rewrite: function that rewrites each text, pool and candidate alike.
        options: the reading of the rewritten texts.
    """

    def __init__(self, texts: Sequence[str], rewrite: Callable[[str], str], options: TextOptions) -> None:
        self._rewrite = rewrite
        self._pool = BleuStarPool(self._rewritten(texts), options)

    def __len__(self) -> int:
        return len(self._pool)

    def _rewritten(self, texts: Sequence[str]) -> list[str]:
        return [self._rewrite(text) for text in texts]

    def compare(self, candidates: Sequence[str]) -> tuple[Floats, Integers]:
        """Return BLEU* of each candidate and each pool text, and the candidates' numbers of tokens, as rewritten."""
        return self._pool.compare(self._rewritten(candidates))

    def tally(
        self,
        candidates: Sequence[str],
        ratings: Ratings,
        rule: NeighborRule,
        *,
        excluded: Integers | None = None,
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


def content_pool(data: KernelInput) -> RewrittenPool:
    """Prepare a pool with the option `stop_words`: `english` for scikit-learn's list, or a list of words."""
    given = data.kernel_options.get("stop_words", "english")
    name = "`kernel_options['stop_words']` of bleu_star_content"
    if given == "english":
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        given = sorted(ENGLISH_STOP_WORDS)
    elif isinstance(given, str) or not isinstance(given, Sequence | set | frozenset):
        raise ValueError(f"Expected {name} to be 'english' or a list of words, but got {describe(given)}")
    for word in given:
        if not isinstance(word, str):
            raise TypeError(f"Expected {name} to hold words, but got {describe(word)}")
    return RewrittenPool(data.texts, ContentWords(list(given)), data.options)


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
            TypeError: if the tagger gives anything but tags.
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
    """Return Penn Treebank tags by TextBlob's tagger (of the library pattern), whose lexicon is in the package."""
    from textblob.en import tag

    return [name for _, name in tag(text)]


def part_of_speech_pool(data: KernelInput) -> RewrittenPool:
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

"""How much a text reads like references: an n-gram model of delexicalised human texts.

A trigram model with Dirichlet smoothing (MacKay & Bauman Peto 1995): p(w | c) = (count(c w) + m · p(w | c')) /
(count(c) + m), where c' is c without its first word. It needs counts alone, so that a text's own references are taken
out by subtraction.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from metric_commons.support.validation import Floats, Integers, check_texts, describe
from quality_estimation_metric.rated_inputs import parse_sources
from quality_estimation_metric.sources.slot_errors import read_all

ORDER = 3
STRENGTH = 2.0
FEATURES = ("reference_logprob", "reference_least", "reference_unseen_pairs", "reference_unseen_triples")

Ngram: TypeAlias = "tuple[str, ...]"


@dataclass(frozen=True)
class ReferencePool:
    """Human texts that belong to no rated text, such as those of a training set.

    Args:
        texts: the texts.
        sources: the source of each; None without.
    """

    texts: Sequence[str]
    sources: Sequence[Any] | None = None


class ReferenceModel:
    """Counts of the words, pairs and triples of references.

    Args:
        counts: how often each n-gram of one to three words occurs; contexts of empty length are counted too.
        own: of each rated text, the counts of its own references; none for a pool of others.
    """

    def __init__(self, counts: Mapping[Ngram, int], own: Sequence[Mapping[Ngram, int]] = ()) -> None:
        self.counts = dict(counts)
        self.own = own
        self.contexts = _contexts(self.counts)
        self.n_words = sum(len(ngram) == 1 for ngram in self.counts) + 1

    @classmethod
    def of_each(cls, own: Sequence[Mapping[Ngram, int]]) -> ReferenceModel:
        """Return the model of the references that belong to rated texts."""
        total: Counter[Ngram] = Counter()
        for counts in own:
            total.update(counts)
        return cls(total, own)

    def subset(self, rows: Integers) -> ReferenceModel:
        """Return the model of some of the rated texts only; a pool stays whole."""
        return self.of_each([self.own[row] for row in rows.tolist()]) if self.own else self

    def matrix(self, token_lists: Sequence[Sequence[str]], training: bool = False) -> Floats:
        """Return the features of n texts, shape (n, 4); of training texts without their own references."""
        own = self.own if training and self.own else [None] * len(token_lists)
        rows = [self.features(tokens, without) for tokens, without in zip(token_lists, own, strict=True)]
        return np.array(rows, dtype=float).reshape(len(rows), len(FEATURES))

    def features(self, tokens: Sequence[str], without: Mapping[Ngram, int] | None = None) -> tuple[float, ...]:
        """Return the mean and the least ln p of a text's words, and the shares of pairs and triples never seen.

        Args:
            tokens: the delexicalised text.
            without: counts to take out first: those of the text's own references.
        """
        own = without or {}
        own_contexts = _contexts(own)
        padded = ("<s>", "<s>", *tokens, "</s>")
        logs, unseen = [], [0, 0]
        for end in range(2, len(padded)):
            p = 1 / self.n_words
            for length in range(1, ORDER + 1):
                ngram = padded[end - length + 1 : end + 1]
                count = self.counts.get(ngram, 0) - own.get(ngram, 0)
                context = self.contexts.get(ngram[:-1], 0) - own_contexts.get(ngram[:-1], 0)
                p = (count + STRENGTH * p) / (context + STRENGTH)
                if length > 1:
                    unseen[length - 2] += count == 0
            logs.append(math.log(p))
        return math.fsum(logs) / len(logs), min(logs), unseen[0] / len(logs), unseen[1] / len(logs)


def count_ngrams(token_lists: Iterable[Sequence[str]]) -> Counter[Ngram]:
    """Count n-grams of one to three words, with marks at both ends; equal lists count once."""
    counts: Counter[Ngram] = Counter()
    for tokens in dict.fromkeys(map(tuple, token_lists)):
        padded = ("<s>", "<s>", *tokens, "</s>")
        for end in range(2, len(padded)):
            counts.update(padded[end - length + 1 : end + 1] for length in range(1, ORDER + 1))
    return counts


def read_references(references: Any, n_texts: int, triples: Any, scope: str) -> ReferenceModel:
    """Read what `fit` was given as references.

    Args:
        references: a `ReferencePool`, or one reference or a list of them for each text.
        n_texts: how many rated texts there are.
        triples: their sources, parsed; None without.
        scope: what is delexicalised (see `slot_errors.read`).

    Raises:
        TypeError: for a bare string, or references that are no strings.
        ValueError: for another number of entries than of texts, or no reference at all.
    """
    if isinstance(references, ReferencePool):
        texts = check_texts(references.texts, "references", allow_empty=False)
        sources = references.sources
        parsed = None if sources is None else parse_sources(sources, len(texts), "references.sources")
        return ReferenceModel(count_ngrams(reading.tokens for reading in read_all(texts, parsed, scope)))
    if isinstance(references, (str, bytes, Mapping)) or not hasattr(references, "__iter__"):
        raise TypeError(
            f"Expected argument `references` to be a list with the references of each text, or a ReferencePool, but "
            f"got {describe(references)}"
        )
    entries = [[entry] if isinstance(entry, str) else entry for entry in references]
    if len(entries) != n_texts:
        raise ValueError(
            f"Expected argument `references` to have one entry for each of the {n_texts} texts, but got {len(entries)}"
        )
    own = []
    for number, entry in enumerate(entries):
        texts = check_texts(entry, f"references[{number}]")
        parsed = None if triples is None else [triples[number]] * len(texts)
        own.append(count_ngrams(reading.tokens for reading in read_all(texts, parsed, scope)))
    return ReferenceModel.of_each(own)


def _contexts(counts: Mapping[Ngram, int]) -> dict[Ngram, int]:
    contexts: dict[Ngram, int] = {}
    for ngram, count in counts.items():
        contexts[ngram[:-1]] = contexts.get(ngram[:-1], 0) + count
    return contexts

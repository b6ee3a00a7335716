"""Near copies: texts that differ from another by a word or two, whose ratings repeat one another's.

Two texts are near copies if the Jaccard similarity of their words and pairs of neighbouring words is at least `CUT`.
Groups of near copies are the connected components of that relation.

`CUT` is measured (`tests/referenceless_metrics/assessment/test_near_copies.py` measures it again). At .5, a sentence of
eight words or more and itself with another word in one place are near copies in at least 99 of 100 draws, and two such
variants of one sentence in at least 90 of 100. Of the sentences of learners (GUG), of which none is made from another,
under 1 in 100 has a near copy, and of the Wikipedia sentences of Lau et al. (2015) none has.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from referenceless_metrics.assessment.folds import number_groups
from referenceless_metrics.core.support.validation import Integers

CUT = 0.5
"""Least similarity of near copies."""

ENOUGH = 0.1
"""Least share of texts with a near copy from which on near copies are left out together."""

MOST_TEXTS = 20_000
"""Most texts among which near copies are looked for."""

_STEP = 0.1
_LARGEST_SHARE = 0.5
_WORDS = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class NearCopies:
    """Groups of near copies among n texts.

    Attributes:
        groups: the number of each text's group, shape (n,), from 0 in the order of the texts.
        n_copies: how many texts have a near copy.
        cut: the least similarity within a group: `CUT`, or more if the largest group would hold most texts.
    """

    groups: Integers
    n_copies: int
    cut: float

    @property
    def are_many(self) -> bool:
        """Whether so many texts have a near copy that their ratings repeat one another's."""
        return self.n_copies >= max(2, ENOUGH * len(self.groups))


def near_copies(texts: Sequence[str]) -> NearCopies:
    """Find the near copies among texts; among more than `MOST_TEXTS`, none are looked for.

    If the largest group would hold more than half of the texts, as it does among texts that one template made, the
    least similarity rises in steps of .1 until it does not.

    >>> near_copies(["the cat sat on the mat", "the cat sat on a mat", "dogs bark at night"]).groups.tolist()
    [0, 0, 1]
    """
    n = len(texts)
    if not 1 < n <= MOST_TEXTS:
        return NearCopies(np.arange(n), 0, CUT)
    first, second, similarity = _similar_pairs(texts)
    cut = CUT
    groups = _components(first, second, n)
    sizes = np.bincount(groups)
    while sizes.max() > max(2, _LARGEST_SHARE * n) and cut + _STEP < 1:
        cut = round(cut + _STEP, 1)
        kept = similarity >= cut
        groups = _components(first[kept], second[kept], n)
        sizes = np.bincount(groups)
    return NearCopies(groups, int((sizes[groups] > 1).sum()), cut)


def near_copy_notes(systems: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """Return how many outputs of each system are near copies of another one of it, in a sentence; none if none are.

    Args:
        systems: each system's name and outputs; empty ones do not count.
    """
    counted = []
    for name, outputs in systems:
        texts = [text for text in outputs if text.strip()]
        n = near_copies(texts).n_copies
        if n:
            counted.append(f"{name} {n} of {len(texts)}")
    if not counted:
        return []
    return [
        f"outputs that differ by no more than a word or two from another one of the system: {', '.join(counted)}; such "
        "outputs tell less than as many others"
    ]


def _similar_pairs(texts: Sequence[str]) -> tuple[Integers, Integers, Any]:
    """Return the pairs of texts that are at least `CUT` similar, and how similar they are.

    Two sets of which the larger has m elements can only be as similar if they share one of the rarest elements: m less
    ⌈CUT · m⌉, and one more (prefix filtering, Chaudhuri, Ganti & Kaushik 2006, "A primitive operator for similarity
    joins in data cleaning"). Only such pairs are compared whole.
    """
    features = [_features(text) for text in texts]
    counts = Counter(feature for of_text in features for feature in of_text)
    number = {feature: place for place, (feature, _) in enumerate(sorted(counts.items(), key=lambda pair: pair[1]))}
    ordered = [sorted(number[feature] for feature in of_text) for of_text in features]
    whole = _incidence(ordered, len(number))
    rare = _incidence([of[: len(of) - math.ceil(CUT * len(of)) + 1] for of in ordered], len(number))
    candidates = (rare @ rare.T).tocoo()
    upper = candidates.row < candidates.col
    first, second = candidates.row[upper], candidates.col[upper]
    sizes = np.array([len(of) for of in ordered])
    shared = np.asarray(whole[first].multiply(whole[second]).sum(axis=1)).ravel()
    similarity = shared / np.maximum(sizes[first] + sizes[second] - shared, 1)
    kept = similarity >= CUT
    return first[kept], second[kept], similarity[kept]


def _features(text: str) -> set[object]:
    """Return the words and signs of a text, in small letters, and the pairs of neighbours among them."""
    words = _WORDS.findall(text.lower())
    return {*words, *zip(["", *words], [*words, ""], strict=True)} if words else set()


def _incidence(rows: Sequence[Sequence[int]], n_features: int) -> Any:
    """Return a sparse matrix with a 1 for each feature of each text, shape (texts, features)."""
    from scipy.sparse import csr_matrix

    ends = np.cumsum([0, *map(len, rows)])
    columns = np.array([feature for of_text in rows for feature in of_text], dtype=np.int64)
    return csr_matrix((np.ones(len(columns), dtype=np.float32), columns, ends), shape=(len(rows), n_features))


def _components(first: Integers, second: Integers, n: int) -> Integers:
    """Return the number of each text's component, by first appearance, shape (n,)."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    links = csr_matrix((np.ones(len(first)), (first, second)), shape=(n, n))
    return number_groups(connected_components(links, directed=False)[1].tolist())

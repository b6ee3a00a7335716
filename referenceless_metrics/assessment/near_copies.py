"""Near copies: texts that differ from another one by a word or two, so that their ratings are not independent.

Two texts are near copies if the Jaccard similarity of their words and pairs of neighbouring words is at least `CUT`.
Groups of near copies are the connected components of that relation.

`CUT` was chosen by measurements, which `tests/referenceless_metrics/assessment/test_near_copies.py` repeats. At .5, a
sentence of eight words or more and the same sentence with one word replaced are near copies in at least 99 of 100
draws, and two such variants of one sentence in at least 90 of 100. Fewer than 1 in 100 of the sentences of learners
(GUG), all independent, have a near copy, and none of the Wikipedia sentences of Lau et al. (2015).
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referenceless_metrics.assessment.folds import number_groups
from referenceless_metrics.core.support.validation import Floats, Integers

CUT = 0.5
"""Least similarity of near copies."""

ENOUGH = 0.1
"""Least share of texts with a near copy for near copies to be left out together."""

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
        n_copies: the number of texts that have a near copy.
        cut: the least similarity within a group: `CUT`, or more if the largest group would hold most texts.
    """

    groups: Integers
    n_copies: int
    cut: float

    @property
    def are_many(self) -> bool:
        """Whether enough texts have a near copy for these to be left out together."""
        return self.n_copies >= max(2, ENOUGH * len(self.groups))


def near_copies(texts: Sequence[str]) -> NearCopies:
    """Find the near copies among texts. More than `MOST_TEXTS` texts are not searched.

    If the largest group would have more than half of the texts, as with texts from one template, the least similarity
    rises in steps of .1 until it has not.

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
    """Return a sentence on the outputs of systems that are near copies of another one of the system; none without any.

    Args:
        systems: each system's name and outputs; empty outputs do not count.
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


def _similar_pairs(texts: Sequence[str]) -> tuple[Integers, Integers, Floats]:
    """Return the pairs of texts whose similarity is at least `CUT`, and these similarities.

    Two sets, the larger with m elements, can only be that similar if they share one of the larger set's
    m − ⌈CUT · m⌉ + 1 rarest elements (prefix filtering, Chaudhuri, Ganti & Kaushik 2006, "A primitive operator for
    similarity joins in data cleaning"). Only such pairs are compared in full.
    """
    features = [_features(text) for text in texts]
    counts = Counter(feature for of_text in features for feature in of_text)
    rank = {feature: place for place, (feature, _) in enumerate(sorted(counts.items(), key=lambda pair: pair[1]))}
    sets = [{rank[feature] for feature in of_text} for of_text in features]
    holders: defaultdict[int, list[int]] = defaultdict(list)  # for each rare element, the earlier texts that have it
    pairs: list[tuple[int, int, float]] = []
    for second, ours in enumerate(sets):
        rarest = sorted(ours)[: len(ours) - math.ceil(CUT * len(ours)) + 1]
        candidates = {first for element in rarest for first in holders[element]}
        for first in candidates:
            shared = len(ours & sets[first])
            similarity = shared / (len(ours) + len(sets[first]) - shared)
            if similarity >= CUT:
                pairs.append((first, second, similarity))
        for element in rarest:
            holders[element].append(second)
    found = np.array(pairs, dtype=np.float64).reshape(-1, 3)
    return found[:, 0].astype(np.int64), found[:, 1].astype(np.int64), found[:, 2]


def _features(text: str) -> set[object]:
    """Return the lower-case words and signs of a text, and the pairs of neighbours among them."""
    words = _WORDS.findall(text.lower())
    return {*words, *zip(["", *words], [*words, ""], strict=True)} if words else set()


def _components(first: Integers, second: Integers, n: int) -> Integers:
    """Return the number of each text's component, in order of first appearance, shape (n,)."""
    parent = list(range(n))

    def root(text: int) -> int:
        while parent[text] != text:
            parent[text] = parent[parent[text]]  # halve the path, so that the next search is short
            text = parent[text]
        return text

    for one, other in zip(first.tolist(), second.tolist(), strict=True):
        parent[root(one)] = root(other)
    return number_groups([root(text) for text in range(n)])

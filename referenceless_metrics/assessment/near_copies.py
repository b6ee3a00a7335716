"""Near copies: texts that share at least half of their words with another one, so that ratings are not independent.

Two texts are near copies if the Jaccard similarity of their words and pairs of neighbouring words is at least `CUT`.
Groups of near copies are the connected components of that relation.

`CUT` was chosen by measurements, which `tests/referenceless_metrics/assessment/test_near_copies.py` repeats. At .5, a
sentence of eight words or more and the same sentence with one word replaced are near copies in at least 99 of 100
draws, and two such variants of one sentence in at least 90 of 100. Fewer than 1 in 100 of the sentences of learners
(GUG), all independent, have a near copy, and none of the Wikipedia sentences of Lau et al. (2015).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referenceless_metrics.assessment.folds import number_groups
from referenceless_metrics.core.support.validation import Integers

CUT = 0.5
"""Least similarity of near copies."""

ENOUGH = 0.1
"""Least share of texts with a near copy for near copies to be left out together."""

MOST_TEXTS = 20_000
"""Most texts among which near copies are looked for."""

COUNTED = "their words and pairs of neighbouring words"
"""Things that near copies share, in words: the share is of all that either of the two texts has."""

_CUTS = (CUT, 0.6, 0.7, 0.8, 0.9)
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
    for cut, labels in zip(_CUTS, _components(texts), strict=True):
        groups = number_groups(labels.tolist())
        sizes = np.bincount(groups)
        found = NearCopies(groups, int((sizes[groups] > 1).sum()), cut)
        if sizes.max() <= max(2, _LARGEST_SHARE * n):
            break
    return found


def near_copy_notes(systems: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """Return a sentence on the outputs of systems that are near copies of another one of the system; none without any.

    Args:
        systems: each system's name and outputs; empty outputs do not count.

    >>> near_copy_notes([("ours", ["the cat sat on the mat", "the cat sat on a mat", "dogs bark at night"])])[0][-68:]
    'ours 2 of 3; these tell less than as many outputs that are not alike'
    """
    counted = []
    for name, outputs in systems:
        texts = [text for text in outputs if text.strip()]
        n_copies = _n_near_copies(texts)
        if n_copies:
            counted.append(f"{name} {n_copies} of {len(texts)}")
    if not counted:
        return []
    return [
        f"outputs that share at least half of {COUNTED} with another one of the system: {', '.join(counted)}; these "
        "tell less than as many outputs that are not alike"
    ]


def _n_near_copies(texts: Sequence[str]) -> int:
    """Return the number of texts that have a near copy at `CUT`, however large a group is."""
    if not 1 < len(texts) <= MOST_TEXTS:
        return 0
    groups = number_groups(_components(texts)[0].tolist())
    return int((np.bincount(groups)[groups] > 1).sum())


def _components(texts: Sequence[str]) -> list[Integers]:
    """Return the connected components at each of `_CUTS`: for each text the first text of its component, shape (n,).

    Texts are taken one after another. The elements that one shares with each text before it are counted by way of the
    lists of texts that hold an element, and the components that it is similar to become one.
    """
    holders, begins, ends = _holders([_features(text) for text in texts])
    n = len(texts)
    sizes = np.array([len(of_text) for of_text in begins])
    components = [np.arange(n) for _ in _CUTS]
    for text in range(1, n):
        before = [holders[begin:end] for begin, end in zip(begins[text], ends[text], strict=True)]
        if not before:
            continue
        shared = np.bincount(np.concatenate(before), minlength=text)
        similarity = shared / (sizes[text] + sizes[:text] - shared)
        for cut, component in zip(_CUTS, components, strict=True):
            similar = np.flatnonzero(similarity >= cut)
            if not len(similar):
                break  # none is more similar
            joined = sorted(set(component[similar].tolist()))
            component[text] = joined[0]
            if len(joined) > 1:
                earlier = component[:text]
                earlier[np.isin(earlier, joined)] = joined[0]
    return components


def _holders(features: Sequence[set[object]]) -> tuple[Integers, list[list[int]], list[list[int]]]:
    """Return the texts that hold each element, in order, one element after another; and positions in that list.

    Returns:
        The texts; and for each text and each of its elements, the position at which the texts that hold it begin, and
        the position of this text among them.
    """
    elements = number_groups(each for of_text in features for each in of_text)
    n_elements = int(elements.max(initial=-1)) + 1
    counts = [len(of_text) for of_text in features]
    holders = np.repeat(np.arange(len(features)), counts)
    order = np.argsort(elements, kind="stable")
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    first = np.zeros(n_elements + 1, dtype=np.int64)
    first[1:] = np.cumsum(np.bincount(elements, minlength=n_elements))
    parts = np.cumsum(counts)[:-1]
    begins = [part.tolist() for part in np.split(first[elements], parts)]
    ends = [part.tolist() for part in np.split(places, parts)]
    return holders[order], begins, ends


def _features(text: str) -> set[object]:
    """Return the lower-case words and signs of a text, and the pairs of neighbours among them."""
    words = _WORDS.findall(text.lower())
    return {*words, *zip(["", *words], [*words, ""], strict=True)} if words else set()

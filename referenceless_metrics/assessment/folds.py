"""Folds: which rated texts are left out together."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np

from referenceless_metrics.core.support.validation import Floats, InputError, Integers


def number_groups(keys: Iterable[Hashable]) -> Integers:
    """Number keys by first appearance; equal keys have equal numbers.

    >>> number_groups("abac").tolist()
    [0, 1, 0, 2]
    """
    listed = list(keys)
    numbers = {key: number for number, key in enumerate(dict.fromkeys(listed))}
    return np.fromiter(map(numbers.__getitem__, listed), np.int64, len(listed))


def check_groups(groups: Sequence[str], fewest: int = 2) -> Integers:
    """Return each text's number of its group, in the order of the groups' names, shape (n,).

    Args:
        groups: the name of each text's group.
        fewest: fewest texts of a group, 1 or 2: correlations within groups take two.

    Raises:
        InputError: for fewer than two groups, or a group of fewer texts.
    """
    names, numbers, sizes = np.unique(np.asarray(groups, dtype=object), return_inverse=True, return_counts=True)
    if len(names) < 2:
        raise InputError(f"all {len(groups)} texts are of one group ({names[0]}): to leave one out takes at least two")
    if sizes.min() < fewest:
        raise InputError(
            f"the group {names[sizes.argmin()]} has one text: a group needs at least two, and better dozens, to show "
            "how well its texts are estimated from the others"
        )
    return numbers


def random_folds(groups: Integers, n_folds: int, seed: int, *, by_size: bool = False) -> Integers:
    """Return the fold of each text, shape (n,): whole groups are put into folds at random.

    Args:
        groups: the number of each text's group, shape (n,); `np.arange(n)` if each text is one.
        n_folds: number of folds; there are no more than groups.
        seed: seed of the order of the groups.
        by_size: whether folds shall hold nearly equal numbers of texts instead of groups.
    """
    sizes = np.bincount(groups)
    order = np.random.default_rng(seed).permutation(len(sizes))
    if not by_size:
        return np.asarray((order % n_folds)[groups])
    before = np.cumsum(sizes[order]) - sizes[order]
    folds = np.empty(len(sizes), dtype=np.int64)
    folds[order] = before * n_folds // max(1, len(groups))
    return folds[groups]


def splits(folds: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Yield the rows outside each fold, which train, and those inside, in the order of the folds' numbers."""
    for number in np.unique(folds):
        yield np.flatnonzero(folds != number), np.flatnonzero(folds == number)


def left_out_errors(errors: Floats, leverage: Floats) -> Floats:
    """Return the error of a linear fit for each rating when the rating is left out, in closed form.

    Args:
        errors: errors of the fit to all ratings, shape (n,).
        leverage: change of each rating's own fitted value for a unit of the rating, shape (n,).
    """
    return np.asarray(errors / np.maximum(1 - leverage, 1e-9))

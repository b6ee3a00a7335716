"""Folds that keep equal texts together, and splits by domain and by system (Dušek et al. 2017, Section 4)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.support.validation import check_whole

SEED = 1206
N_PARTS = 5
IN_SET = 100

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Split:
    """Rows for training, for the choice of a pass, and for testing.

    Attributes:
        train: rows by part; the published synthesis distorts the first part only.
        dev: rows.
        test: rows.
    """

    train: tuple[Rows, ...]
    dev: Rows
    test: Rows

    @property
    def train_rows(self) -> Rows:
        """Return all training rows."""
        return np.concatenate(self.train)


def grouped_parts(groups: Sequence[Hashable], n_parts: int = N_PARTS, seed: int = SEED) -> list[Rows]:
    """Cut rows into parts of about equal size, in an order drawn over groups; no group lies in two parts.

    Args:
        groups: the group of each row, shape (n,).
        n_parts: number of parts.
        seed: seed of the order.

    Returns:
        Rows by part, each in the drawn order.

    Raises:
        ValueError: if there are fewer groups than parts.

    >>> [part.tolist() for part in grouped_parts(["a", "b", "a", "c"], n_parts=2, seed=0)]
    [[3, 1], [0, 2]]
    """
    check_whole(n_parts, "n_parts", 2)
    rows: dict[Hashable, list[int]] = {}
    for row, group in enumerate(groups):
        rows.setdefault(group, []).append(row)
    if len(rows) < n_parts:
        raise ValueError(f"Expected at least {n_parts} groups, one for each part, but got {len(rows)}")
    members = list(rows.values())
    parts: list[list[int]] = [[] for _ in range(n_parts)]
    place, left = 0, len(members)
    for number in np.random.RandomState(seed).permutation(len(members)):
        # A part ends once its share is reached; the last groups are kept for the parts that have none.
        full = sum(map(len, parts[: place + 1])) >= len(groups) * (place + 1) / n_parts
        if parts[place] and place + 1 < n_parts and (full or left <= n_parts - place - 1):
            place += 1
        parts[place] += members[number]
        left -= 1
    return [np.array(part, dtype=np.int64) for part in parts]


def rotations(parts: Sequence[Rows]) -> list[Split]:
    """Return the folds of a cross-validation: all parts but two train, the next one chooses, the last one tests."""
    count = len(parts)
    folds = []
    for first in range(count):
        turned = [parts[(first + place) % count] for place in range(count)]
        folds.append(Split(tuple(turned[:-2]), turned[-2], turned[-1]))
    return folds


def out_of_set_splits(inside: NDArray[np.bool_], seed: int = SEED) -> dict[str, Split]:
    """Return the paper's three ways to test on a domain or a system with few or no ratings (Section 4.2).

    C1 trains on 100 rows of the set itself. C2 trains on the rows outside the set. C3 trains on both.

    Args:
        inside: whether a row is of the set, shape (n,).
        seed: seed of the order.

    Returns:
        Splits by name. The set's rows from the 201st on, in the drawn order, test all three. The rows outside the set
        are the first part of C3's training rows.

    Raises:
        ValueError: for a set of 200 rows or fewer, or nothing outside.
    """
    rng = np.random.RandomState(seed)
    within, outside = (rng.permutation(np.flatnonzero(mask)) for mask in (inside, ~inside))
    if len(within) <= 2 * IN_SET or not len(outside):
        raise ValueError(
            f"Expected more than {2 * IN_SET} rows inside the set and some outside, but got {len(within)} and "
            f"{len(outside)}"
        )
    first, second, test = within[:IN_SET], within[IN_SET : 2 * IN_SET], within[2 * IN_SET :]
    cut = len(outside) * 3 // 4
    return {
        "C1": Split((first,), second, test),
        "C2": Split((outside[:cut],), outside[cut:], test),
        "C3": Split((outside, first), second, test),
    }

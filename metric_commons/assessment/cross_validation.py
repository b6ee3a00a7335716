"""Estimates of rated texts by models that have not seen them: by group, and in folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.support.errors import InputError
from metric_commons.support.validation import check_number

Fit: TypeAlias = Callable[[list[str], NDArray[np.float64]], Callable[[list[str]], ArrayLike]]
"""From rated texts to a function from texts to their estimates, NaN where it abstains."""


def leave_one_group_out(
    fit: Fit, texts: Sequence[str], ratings: NDArray[np.float64], groups: Sequence[str]
) -> NDArray[np.float64]:
    """Estimate each group's texts from all other groups: on a system, topic or source that the model has not seen.

    Args:
        fit: trains a model on rated texts.
        texts: n texts.
        ratings: shape (n,), finite.
        groups: the group of each text, such as the system that wrote it.

    Returns:
        Shape (n,), float64, NaN where the models abstain.

    Raises:
        InputError: for fewer than two groups, or a group of one text.
    """
    names, of = np.unique(np.asarray(groups, dtype=object), return_inverse=True)
    if len(names) < 2:
        raise InputError(f"all {len(texts)} texts are of one group ({names[0]}): to leave one out takes at least two")
    sizes = np.bincount(of)
    if sizes.min() < 2:
        raise InputError(
            f"the group {names[sizes.argmin()]} has one text: a group needs at least two, and better dozens, to show "
            "how well its texts are estimated from the others"
        )
    result = np.full(len(texts), np.nan)
    for number in range(len(names)):
        _fill(result, fit, texts, ratings, of == number)
    return result


def cross_validated(
    fit: Fit, texts: Sequence[str], ratings: NDArray[np.float64], *, n_folds: int = 10, seed: int = 12345
) -> NDArray[np.float64]:
    """Estimate texts in folds, each by a model that has not seen it nor any text that equals it.

    Args:
        fit: trains a model on rated texts.
        texts: n texts.
        ratings: shape (n,), finite.
        n_folds: at least 2; no more than there are distinct texts are used.
        seed: of the deal.

    Returns:
        Shape (n,), float64, NaN where the models abstain.

    Raises:
        ValueError: for fewer than two folds.
    """
    check_number(n_folds, "n_folds", minimum=2, integer=True)
    _, of = np.unique(np.asarray(texts, dtype=object), return_inverse=True)
    n_distinct = int(of.max(initial=-1)) + 1
    result = np.full(len(texts), np.nan)
    if n_distinct < 2:
        return result
    fold = (np.random.default_rng(seed).permutation(n_distinct) % min(n_folds, n_distinct))[of]
    for number in range(int(fold.max()) + 1):
        _fill(result, fit, texts, ratings, fold == number)
    return result


def _fill(
    result: NDArray[np.float64],
    fit: Fit,
    texts: Sequence[str],
    ratings: NDArray[np.float64],
    inside: NDArray[np.bool_],
) -> None:
    """Put the estimates of the texts inside, made from those outside, into `result`."""
    outside, within = np.flatnonzero(~inside).tolist(), np.flatnonzero(inside).tolist()
    predict = fit([texts[i] for i in outside], ratings[outside])
    result[within] = np.asarray(predict([texts[i] for i in within]), dtype=np.float64)

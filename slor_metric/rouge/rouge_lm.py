"""ROUGE-LM: overlap with references and a language model's opinion in one score.

Source: Kann, Rothe & Filippova (2018), the section on combining the two: both are brought to z-scores over the
scored set and added, so that neither counts for more because its unit is larger.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metric_commons.support.validation import Floats, check_number, describe

#: Standard deviations of WPSLOR, in nats, for one of ROUGE-L: where fewer, WPSLOR says little.
_LEAST_SPREAD = 2.0
_ENOUGH = 20


@dataclass(frozen=True)
class ZStatistics:
    """Means and standard deviations of ROUGE-L-mult and WPSLOR over a set of texts.

    Attributes:
        rouge_l_mean: mean of ROUGE-L-mult.
        rouge_l_std: its standard deviation (of the population: divided by n).
        wpslor_mean: mean of WPSLOR, in nats a token.
        wpslor_std: its standard deviation.
    """

    rouge_l_mean: float
    rouge_l_std: float
    wpslor_mean: float
    wpslor_std: float

    @classmethod
    def of(cls, rouge_l: ArrayLike, wpslor: ArrayLike) -> ZStatistics:
        """Compute the statistics over the texts for which both are defined; NaN where there is none."""
        both = _columns(rouge_l, wpslor)
        parts = both.compress(np.isfinite(both).all(axis=0), axis=1)
        if not parts.size:
            return cls(*[float("nan")] * 4)
        # equal values can have a mean that differs from them by rounding, and so a standard deviation above zero
        means, stds = parts.mean(axis=1), np.where(np.ptp(parts, axis=1) > 0, parts.std(axis=1), 0.0)
        return cls(*np.stack([means, stds], axis=1).ravel().tolist())

    @classmethod
    def from_dict(cls, values: Mapping[str, float] | ZStatistics) -> ZStatistics:
        """Check and return statistics that come as a mapping, as `as_dict` gives it.

        Raises:
            TypeError: for anything but a mapping of numbers.
            ValueError: for a missing or unknown name, or a negative standard deviation.
        """
        if isinstance(values, ZStatistics):
            return values
        names = tuple(cls.__dataclass_fields__)
        if not isinstance(values, Mapping):
            raise TypeError(f"Expected argument `statistics` to be a mapping with {names}, but got {describe(values)}")
        if set(values) != set(names):
            raise ValueError(
                f"Expected argument `statistics` to hold {names} and nothing else, but got {tuple(values)}"
            )
        for name in names:
            minimum = 0.0 if name.endswith("std") else -np.inf
            check_number(values[name], f"statistics[{name!r}]", minimum=minimum)
        return cls(**{name: float(values[name]) for name in names})

    def as_dict(self) -> dict[str, float]:
        """Return the statistics as a plain mapping, for JSON."""
        return asdict(self)


class EvenFluencyWarning(UserWarning):
    """All texts are about equally fluent, and ROUGE-LM gives what they differ in the weight of ROUGE-L."""


def warn_if_even(statistics: ZStatistics, n: int) -> None:
    """Warn where WPSLOR varies little beside ROUGE-L: z-scores blow its small differences up.

    On rated outputs WPSLOR's standard deviation is 2.6 to 6.8 nats for each unit of ROUGE-L's (Simplicity-DA by system,
    nlg-ratings by data set and system), and ROUGE-LM agrees with people better than ROUGE-L in all but a few. Below
    `_LEAST_SPREAD` the texts are all fluent, or all alike to the model: among the outputs of Simplicity-DA in the
    middle of WPSLOR's range (the middle half, quarter and sixth) ROUGE-L alone has r = .40, .38 and .36 and ROUGE-LM
    .34, .23 and .20; among those of nlg-ratings neither is always better.

    Args:
        statistics: of the scored set.
        n: how many texts it has; of a few nothing can be said.
    """
    if n >= _ENOUGH and 0 <= statistics.wpslor_std < _LEAST_SPREAD * statistics.rouge_l_std:
        warnings.warn(
            f"WPSLOR varies little among these {n} texts (standard deviation {statistics.wpslor_std:.2f} nats, beside "
            f"{statistics.rouge_l_std:.2f} of ROUGE-L), and ROUGE-LM weighs both alike: ROUGE-L alone may do better",
            EvenFluencyWarning,
            stacklevel=3,
        )


def _columns(rouge_l: ArrayLike, wpslor: ArrayLike) -> Floats:
    first, second = np.asarray(rouge_l, dtype=np.float64), np.asarray(wpslor, dtype=np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(
            "Expected arguments `rouge_l` and `wpslor` to be two vectors of one length, "
            f"but got shapes {first.shape} and {second.shape}"
        )
    return np.stack([first, second])


def z_score(values: Any, mean: float, std: float) -> Any:
    """Return a number or numbers in standard deviations from the mean; those that do not differ count as average."""
    return (values - mean) / std if std > 0 else 0.0 * (values - mean)


def rouge_lm(rouge_l: ArrayLike, wpslor: ArrayLike, statistics: ZStatistics | None = None) -> Floats:
    """Return z(ROUGE-L-mult) + z(WPSLOR).

    By default z is taken over the given texts, so the values rank the texts of this set and their mean is zero; to
    compare sets that are scored apart, give the `statistics` of one set to all.

    Args:
        rouge_l: ROUGE-L-mult of each text, shape (n,).
        wpslor: WPSLOR of each text in nats a token, shape (n,).
        statistics: means and standard deviations to use; None for those of this set. A standard deviation of
            zero makes its part zero.

    Returns:
        One value a text in units of a standard deviation, shape (n,); NaN where either part is undefined.

    Raises:
        ValueError: for vectors of different lengths.

    >>> rouge_lm([0.2, 0.4, 0.6], [1.0, 3.0, 2.0]).round(3).tolist()
    [-2.449, 1.225, 1.225]
    """
    first, second = _columns(rouge_l, wpslor)
    if statistics is None:
        statistics = ZStatistics.of(first, second)
    total = z_score(first, statistics.rouge_l_mean, statistics.rouge_l_std)
    total += z_score(second, statistics.wpslor_mean, statistics.wpslor_std)
    # an infinite part (a text that the model gives no probability at all) has no place on a scale of deviations
    return np.where(np.isfinite(total), total, np.nan)

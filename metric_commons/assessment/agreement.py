"""How far estimates agree with ratings, what else would agree as well, and the verdict that follows from it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metric_commons.assessment.meta_evaluation import (
    Correlation,
    correlations,
    mean_of_others,
    mean_squared_error,
)
from metric_commons.support.validation import Floats, Record

USEFUL, WEAK, NO_BETTER = VERDICTS = ("useful", "weak", "no better than the mean")
"""What estimates are worth, the best first."""

FEWEST_COVERED = 30
"""With fewer covered texts no figure means much."""

FIGURES = ("coverage", "spearman", "low", "high", "explained")
"""The numbers of a verdict."""

_USEFUL_SHARE = 0.1  # of the variance: a correlation of about .32, which spares every tenth rating

_EXPLAINED = "a straight line through the estimates of {what} explains {explained:.1%} of the variance of their ratings"

REASONS: Mapping[str, tuple[str, str]] = {
    "few": (NO_BETTER, f"fewer than {FEWEST_COVERED} {{what}} get an estimate"),
    "error": (NO_BETTER, "estimates of {what} err no less than the mean rating does"),
    "chance": (NO_BETTER, "the interval of the rank correlation of estimates and ratings of {what} includes 0"),
    "choice": (NO_BETTER, "cross-validation of the choice does not show that estimates rank {what} better than chance"),
    "variance": (WEAK, f"{_EXPLAINED}, less than the {_USEFUL_SHARE:.0%} of a useful metric"),
    "length": (WEAK, f"{_EXPLAINED}, but may tell nothing that the length of a text does not"),
    "useful": (USEFUL, f"{_EXPLAINED}, and tells more than the length of a text"),
}
"""Why a verdict is what it is: by a word for files, the verdict and the rest of its sentence."""


@dataclass(frozen=True)
class Agreement:
    """Estimates of n texts, each made without its own rating, beside the ratings.

    Attributes:
        n_texts: n.
        coverage: the share of texts with an estimate.
        mean_squared_error: over the covered texts; NaN where there are none.
        baseline_error: the error over the same texts of always predicting the mean of the ratings of the other texts.
        r_squared: the share of the ratings' variance that the estimates explain, over all texts: 1 less the error over
            the baseline's, with the baseline's prediction where there is no estimate. Below 0 the mean alone is better.
        spearman: rank correlation of estimates and ratings.
        pearson: linear correlation.
        length: rank correlation of the texts' lengths, in characters, with the ratings: what no metric needs to be
            bought for.
        given_length: rank correlation of estimates and ratings with the length held fixed.
    """

    n_texts: int
    coverage: float
    mean_squared_error: float
    baseline_error: float
    r_squared: float
    spearman: Correlation
    pearson: Correlation
    length: Correlation
    given_length: Correlation

    @property
    def explained(self) -> float:
        """The share of the ratings' variance that a straight line through the estimates explains.

        A text without an estimate counts as one of which nothing is explained.
        """
        return self.coverage * self.pearson.value**2 if math.isfinite(self.pearson.value) else 0.0

    @property
    def reason(self) -> str:
        """Why the verdict is what it is, one of `REASONS`."""
        if round(self.coverage * self.n_texts) < FEWEST_COVERED:
            return "few"
        if not self.mean_squared_error < self.baseline_error:
            return "error"
        if not self.spearman.low > 0:
            return "chance"
        if self.explained < _USEFUL_SHARE:
            return "variance"
        return "useful" if self.given_length.low > 0 else "length"

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`.

        *No better than the mean*: fewer than 30 texts covered, an error not below the mean's, or a rank correlation
        whose 95 % interval reaches 0. *Useful*: a straight line through the estimates tells at least a tenth of the
        ratings' variance, and the rank correlation is above 0 with the length held fixed as well. *Weak*: what lies
        between.
        """
        return REASONS[self.reason][0]


def agreement(
    estimates: ArrayLike,
    ratings: ArrayLike,
    texts: Sequence[str],
    *,
    baseline: float | None = None,
    n_resamples: int = 2000,
    seed: int = 12345,
) -> Agreement:
    """Compare estimates with ratings.

    Args:
        estimates: of n texts, shape (n,), NaN where there is none; none may be made with its text's own rating.
        ratings: shape (n,), finite.
        texts: the n texts.
        baseline: the rating that is guessed where nothing is known of a text; None for the mean of the others' ratings.
        n_resamples: bootstrap resamples behind the correlations' intervals.
        seed: of the bootstrap.

    Raises:
        ValueError: for unequal lengths.
    """
    guessed, rated = np.asarray(estimates, dtype=float), np.asarray(ratings, dtype=float)
    if not guessed.shape == rated.shape == (len(texts),):
        raise ValueError(
            f"Expected arguments `estimates` and `ratings` to have one value for each of the {len(texts)} texts, but "
            f"got shapes {guessed.shape} and {rated.shape}"
        )
    n = len(rated)
    others = mean_of_others(rated) if baseline is None else np.full(n, baseline)
    covered = ~np.isnan(guessed)
    spread = float(((others - rated) ** 2).sum())
    lengths = np.array([len(text) for text in texts], dtype=float)

    spearman, pearson, length, given_length = correlations(
        [
            (guessed, rated, "spearman"),
            (guessed, rated, "pearson"),
            (lengths, rated, "spearman"),
            (_apart_from(guessed[covered], lengths[covered]), _apart_from(rated[covered], lengths[covered]), "pearson"),
        ],
        n_resamples=n_resamples,
        seed=seed,
    )
    return Agreement(
        n_texts=n,
        coverage=float(covered.mean()) if n else math.nan,
        mean_squared_error=mean_squared_error(guessed, rated),
        baseline_error=mean_squared_error(np.where(covered, others, np.nan), rated),
        r_squared=1 - float(((np.where(covered, guessed, others) - rated) ** 2).sum()) / spread
        if spread > 0
        else math.nan,
        spearman=spearman,
        pearson=pearson,
        length=length,
        given_length=given_length,
    )


def on_common_mean(estimates: Floats, training_means: Floats, ratings: Floats) -> Floats:
    """Return estimates of left-out parts as if one set of ratings had made them all, which is how they will be made.

    A part of high ratings leaves low ones to learn from, so that the estimates of all parts together go against the
    ratings by construction, and most where there is little to tell. Each estimate is therefore taken from the mean
    rating that it was made with to the mean of all, which is then also what it is to be held against (`baseline`).

    Args:
        estimates: of n texts, shape (n,), NaN where there is none.
        training_means: for each text the mean of the ratings that its estimate was made with, shape (n,).
        ratings: shape (n,).
    """
    return np.asarray(estimates - training_means + ratings.mean())


def worst(verdicts: Sequence[str]) -> str:
    """Return the worst of verdicts: what holds by one way of looking alone does not hold.

    >>> worst(["useful", "weak"])
    'weak'
    """
    return max(verdicts, key=VERDICTS.index)


@dataclass(frozen=True)
class Verdict:
    """What leaving rated texts out showed, as an estimator and its file carry it.

    Attributes:
        reason: why the verdict is what it is, one of `REASONS`.
        coverage: the share of rated texts with an estimate, each left out.
        spearman: the rank correlation of estimates and ratings; NaN where there is none.
        low: of its 95 % interval.
        high: likewise.
        explained: the share of the ratings' variance that a straight line through the estimates explains.
        by_group: whether whole groups were left out, and not single texts.
    """

    reason: str
    coverage: float
    spearman: float
    low: float
    high: float
    explained: float
    by_group: bool

    @property
    def verdict(self) -> str:
        """`useful`, `weak` or `no better than the mean` (see `Agreement.verdict`)."""
        return REASONS[self.reason][0]

    @property
    def summary(self) -> str:
        """The verdict in a sentence, with what decided it: the one sentence that every command and page shows."""
        what = "texts of groups left out" if self.by_group else "rated texts left out"
        why = REASONS[self.reason][1].format(what=what, explained=self.explained)
        rho = "" if math.isnan(self.spearman) else f"ρ {self.spearman:.2f} [{self.low:.2f}, {self.high:.2f}], "
        return f"{self.verdict.capitalize()}: {why} ({rho}coverage {self.coverage:.2f})."

    @property
    def details(self) -> Record:
        """What results hold of it: the verdict, and the rank correlation, None where there is none."""
        return {"verdict": self.verdict, "expected_spearman": None if math.isnan(self.spearman) else self.spearman}

    def header(self) -> Record:
        """Return the figures as JSON holds them."""
        values = {name: getattr(self, name) for name in ("reason", *FIGURES, "by_group")}
        return {name: None if value != value else value for name, value in values.items()}


def verdict_from(texts: Agreement, groups: Agreement | None = None) -> Verdict:
    """Return the verdict on texts that were left out and, where there are any, groups: the worse of the two.

    Args:
        texts: the agreement of texts left out.
        groups: that of groups left out, whose figures the verdict carries where it is no better.
    """
    decides = texts if groups is None or worst([groups.verdict, texts.verdict]) != groups.verdict else groups
    rho = decides.spearman
    figures = (decides.coverage, rho.value, rho.low, rho.high, decides.explained)
    return Verdict(decides.reason, *figures, by_group=decides is groups)


def read_verdict(header: Record) -> Verdict:
    """Return what `Verdict.header` wrote, checked.

    Raises:
        KeyError: for a missing name.
        ValueError: for content that no calibration can have given; the message is about "it", the file.
    """
    if header["reason"] not in REASONS:
        raise ValueError(f"the reason of its calibration should be one of {', '.join(REASONS)}")
    if type(header["by_group"]) is not bool:
        raise ValueError("in its calibration, 'by_group' should be true or false")
    figures = {name: read_figure(name, header[name], -1.0) for name in FIGURES}
    return Verdict(header["reason"], **figures, by_group=header["by_group"])


def read_figure(name: str, value: object, least: float) -> float:
    """Return a figure of a calibration, NaN for None.

    Raises:
        ValueError: for anything but None and a number from `least` to 1.
    """
    if value is None:
        return math.nan
    if type(value) not in (int, float) or not least <= value <= 1:  # type: ignore[operator]
        raise ValueError(f"in its calibration, {name!r} should be a number from {least:g} to 1")
    return float(value)  # type: ignore[arg-type]


def _apart_from(values: Floats, held: Floats) -> Floats:
    """Return what of the values' ranks a line through the ranks of `held` does not tell."""
    from scipy.stats import rankdata

    if len(values) < 3:
        return values
    ranks: Floats = np.asarray(rankdata(values))
    by: Floats = np.asarray(rankdata(held))
    around = by - by.mean()
    spread = float(around @ around)
    slope = float(around @ ranks) / spread if spread else 0.0
    left: Floats = ranks - ranks.mean() - slope * around
    left[np.abs(left) < 1e-9 * len(values)] = 0.0  # what rounding leaves of ranks that the line tells in full
    return left

"""Agreement of estimates with ratings, that of simpler predictors beside it, and the verdict that follows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.assessment.further_system import further_system
from referenceless_metrics.assessment.meta_evaluation import (
    Correlation,
    correlation,
    mean_of_others,
    mean_squared_error,
)
from referenceless_metrics.core.support.statistics import ranks
from referenceless_metrics.core.support.validation import Floats, Integers, Record

USEFUL, WITHIN, WEAK, NO_BETTER = VERDICTS = (
    "useful",
    "useful for the rated systems alone",
    "weak",
    "no better than the mean",
)
"""What estimates are worth, the best first. The first is given only where whole systems were left out."""

TEXTS, NEAR_COPIES, SLOTTED, GROUPS, SYSTEMS = LEFT_OUT = (
    "texts",
    "near copies",
    "delexicalised texts",
    "groups",
    "systems",
)
"""What is left out together, the most lenient first: single texts; texts that differ by a word or two; texts that are
equal once the values of their source are placeholders; groups that the user names; all texts of a system."""

OTHER_SYSTEMS = (
    "Another system may get far less: 300 rated outputs of the system LOLS gave ρ 0.50 on its further outputs, and "
    "0.13 on those of WEN. Rate texts of several systems and name their column (--system-column) to measure it."
)
"""What is said of estimates that were not measured on systems without ratings."""

FEWEST_COVERED = 30
"""With fewer covered texts no figure means much."""

FIGURES = ("coverage", "spearman", "low", "high", "explained")
"""The numbers of a verdict."""

_USEFUL_SHARE = 0.1  # of the variance: a correlation of about .32, which spares every tenth rating

_LEFT_OUT_INFLATION = 2.0
"""Factor on the variance of a correlation if texts estimate one another."""

_EXPLAINED = "a straight line through the estimates of {what} explains {explained:.1%} of the variance of their ratings"

REASONS: Mapping[str, tuple[str, str]] = {
    "few": (NO_BETTER, f"fewer than {FEWEST_COVERED} {{what}} get an estimate"),
    "error": (NO_BETTER, "estimates of {what} err no less than the mean rating does"),
    "chance": (NO_BETTER, "the interval of the rank correlation of estimates and ratings of {what} includes 0"),
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
        mean_squared_error: over the covered texts; NaN if there are none.
        baseline_error: the error over the same texts of always predicting the mean of the ratings of the other texts.
        r_squared: the share of the ratings' variance that the estimates explain, over all texts: 1 less the error over
            the baseline's, with the baseline's prediction if there is no estimate. Below 0 the mean alone is better.
        spearman: rank correlation of estimates and ratings.
        pearson: linear correlation.
        length: rank correlation of the texts' lengths, in characters, with the ratings, which takes no metric.
        given_length: rank correlation of estimates and ratings with the length held fixed, of corrected estimates.
        corrected: rank correlation to expect of further texts: without the bias of leaving texts out, and with an
            interval that counts the draw of the rated texts, or where systems were left out, of the systems.
        corrected_pearson: linear correlation without that bias.
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
    corrected: Correlation
    corrected_pearson: Correlation

    @property
    def explained(self) -> float:
        """The share of the ratings' variance that a straight line through the corrected estimates explains.

        A text without an estimate counts as one of which nothing is explained.
        """
        r = self.corrected_pearson.value
        return self.coverage * r**2 if math.isfinite(r) else 0.0

    def figures(self) -> dict[str, float]:
        """Return the figures by name, for a table or JSON."""
        row = {
            "coverage": self.coverage,
            "mse": self.mean_squared_error,
            "mse_of_mean": self.baseline_error,
            "r_squared": self.r_squared,
        }
        correlations = {
            "spearman": self.spearman,
            "spearman_corrected": self.corrected,
            "pearson": self.pearson,
            "length_spearman": self.length,
            "spearman_given_length": self.given_length,
        }
        for name, r in correlations.items():
            row[name] = r.value
            row[f"{name}_low"] = r.low
            row[f"{name}_high"] = r.high
            row[f"{name}_p"] = r.p_value
        return row

    @property
    def reason(self) -> str:
        """Why the verdict is what it is, one of `REASONS`.

        *No better than the mean*: fewer than 30 texts covered, an error not below the mean's, or a rank correlation
        whose 95 % interval reaches 0. *Useful*: a straight line through the estimates tells at least a tenth of the
        ratings' variance, and the rank correlation is above 0 with the length held fixed as well, both corrected.
        *Weak*: what lies between.
        """
        if round(self.coverage * self.n_texts) < FEWEST_COVERED:
            return "few"
        if not self.mean_squared_error < self.baseline_error:
            return "error"
        if not self.corrected.low > 0:
            return "chance"
        if self.explained < _USEFUL_SHARE:
            return "variance"
        return "useful" if self.given_length.low > 0 else "length"

    @property
    def worth(self) -> tuple[int, float]:
        """A key that orders agreements: by their verdicts first, then by the corrected ρ; without any ρ the least."""
        verdict = REASONS[self.reason][0]
        rho = self.corrected.value
        return -VERDICTS.index(verdict), -math.inf if math.isnan(rho) else rho


def agreement(
    estimates: ArrayLike,
    ratings: ArrayLike,
    texts: Sequence[str],
    *,
    baseline: float | None = None,
    systems: Integers | None = None,
) -> Agreement:
    """Compare estimates with ratings.

    Correlations have Fisher's intervals (see `fisher_interval`), which lie within .02 of those of a bootstrap on the
    rated sets of the papers, and cost nothing.

    Of texts left out one by one, estimates go against the ratings by construction: the mean of the other ratings is low
    where a text's own rating is high, and any mean of others' ratings with it. The corrected estimates are those less
    the mean of the others. Their interval has twice the variance: each pair of texts counts in both directions, since
    either estimates the other (of shuffled ratings, ρ varies 1.3 to 1.45 times as much as between independent pairs).
    `reproduce study-designs` measures both.

    Args:
        estimates: of n texts, shape (n,), NaN if there is none; none may be made with its text's own rating.
        ratings: shape (n,), finite.
        texts: the n texts.
        baseline: the rating that is guessed where nothing is known of a text; None for the mean of the others' ratings,
            where each text was left out by itself.
        systems: the number of each text's system, shape (n,), for correlations within systems: of how far estimates,
            ratings and lengths lie from their system's means. That is what to expect among the outputs of one further
            system; over several systems together, ρ also holds how the systems differ (Topical-Chat's six systems: .67
            together, .25 within them, and .20 to .23 within systems without ratings). None for correlations over all.
    """
    guessed, rated = np.asarray(estimates, dtype=float), np.asarray(ratings, dtype=float)
    n = len(rated)
    others = mean_of_others(rated) if baseline is None else np.full(n, baseline)
    covered = ~np.isnan(guessed)
    spread = float(((others - rated) ** 2).sum())
    lengths = np.array([len(text) for text in texts], dtype=float)

    def within(values: Floats, of: Integers | None) -> Floats:
        return values if of is None else within_systems(values, of)

    of_covered = None if systems is None else systems[covered]
    estimated = within(guessed[covered], of_covered)
    # Estimates that are all one tell nothing, with or without the mean of the others.
    varies = bool(covered.any()) and np.ptp(guessed[covered]) > 0
    corrected = within((guessed - others)[covered] if varies else guessed[covered], of_covered)
    rated_covered = within(rated[covered], of_covered)
    lengths_covered = within(lengths[covered], of_covered)
    expected = correlation(corrected, rated_covered, inflation=_LEFT_OUT_INFLATION)
    if of_covered is not None:
        expected = further_system(corrected, rated_covered, of_covered)
    return Agreement(
        n_texts=n,
        coverage=float(covered.mean()) if n else math.nan,
        mean_squared_error=mean_squared_error(guessed, rated),
        baseline_error=mean_squared_error(np.where(covered, others, np.nan), rated),
        r_squared=1 - float(((np.where(covered, guessed, others) - rated) ** 2).sum()) / spread
        if spread > 0
        else math.nan,
        spearman=correlation(estimated, rated_covered),
        pearson=correlation(estimated, rated_covered, "pearson"),
        length=correlation(within(lengths, systems), within(rated, systems)),
        given_length=correlation(
            _apart_from(corrected, lengths_covered),
            _apart_from(rated_covered, lengths_covered),
            "pearson",
            inflation=_LEFT_OUT_INFLATION,
        ),
        corrected=expected,
        corrected_pearson=correlation(corrected, rated_covered, "pearson", inflation=_LEFT_OUT_INFLATION),
    )


def within_systems(values: Floats, systems: Integers) -> Floats:
    """Return how far values lie from the mean of their system."""
    sizes = np.bincount(systems)
    return np.asarray(values - (np.bincount(systems, weights=values) / np.maximum(sizes, 1))[systems])


_WHAT_IS_LEFT_OUT = {
    TEXTS: "rated texts left out",
    NEAR_COPIES: "rated texts left out with their near copies",
    SLOTTED: f"{SLOTTED} left out",
}


@dataclass(frozen=True)
class Verdict:
    """Verdict from leaving rated texts out, as an estimator and its file keep it.

    Attributes:
        reason: why the verdict is what it is, one of `REASONS`.
        coverage: the share of rated texts with an estimate, each left out.
        spearman: the rank correlation of estimates and ratings; NaN if there is none.
        low: of its 95 % interval.
        high: likewise.
        explained: the share of the ratings' variance that a straight line through the estimates explains.
        left_out: what was left out together, one of `LEFT_OUT`.
    """

    reason: str
    coverage: float
    spearman: float
    low: float
    high: float
    explained: float
    left_out: str

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`: *useful* only where systems were left out whole."""
        verdict = REASONS[self.reason][0]
        return WITHIN if verdict == USEFUL and self.left_out != SYSTEMS else verdict

    @property
    def summary(self) -> str:
        """The verdict in a sentence, with what decided it: the one sentence that every command and page shows."""
        what = _WHAT_IS_LEFT_OUT.get(self.left_out, f"texts of {self.left_out} left out")
        why = REASONS[self.reason][1].format(what=what, explained=self.explained)
        rho = "" if math.isnan(self.spearman) else f"ρ {self.spearman:.2f} [{self.low:.2f}, {self.high:.2f}], "
        warning = "" if self.left_out == SYSTEMS or self.verdict == NO_BETTER else f" {OTHER_SYSTEMS}"
        return f"{self.verdict.capitalize()}: {why} ({rho}coverage {self.coverage:.2f}).{warning}"

    @property
    def details(self) -> Record:
        """Details that results hold: the verdict, and the rank correlation, None if there is none."""
        return {"verdict": self.verdict, "expected_spearman": None if math.isnan(self.spearman) else self.spearman}

    def header(self) -> Record:
        """Return the figures as JSON holds them."""
        values = {name: getattr(self, name) for name in ("reason", *FIGURES, "left_out")}
        return {name: None if value != value else value for name, value in values.items()}


def verdict_from(agreed: Agreement, left_out: str = TEXTS) -> Verdict:
    """Return the verdict on texts of which `left_out`, one of `LEFT_OUT`, were left out together."""
    rho = agreed.corrected
    return Verdict(agreed.reason, agreed.coverage, rho.value, rho.low, rho.high, agreed.explained, left_out)


def read_verdict(header: Record) -> Verdict:
    """Return what `Verdict.header` wrote, checked.

    Raises:
        KeyError: for a missing name.
        ValueError: for content that no calibration can have given; the message is about "it", the file.
    """
    if header["reason"] not in REASONS:
        raise ValueError(f"the reason of its calibration should be one of {', '.join(REASONS)}")
    if header["left_out"] not in LEFT_OUT:
        raise ValueError(f"in its calibration, 'left_out' should be one of {', '.join(LEFT_OUT)}")
    figures = {name: read_figure(name, header[name], -1.0) for name in FIGURES}
    return Verdict(header["reason"], **figures, left_out=header["left_out"])


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


def _apart_from(values: Floats, lengths: Floats) -> Floats:
    """Return what of the values' ranks a line through the ranks of the lengths does not tell."""
    if len(values) < 3:
        return values
    around = ranks(lengths) - (len(lengths) + 1) / 2
    residual = ranks(values) - (len(values) + 1) / 2
    spread = float(around @ around)
    residual -= (float(around @ residual) / spread if spread else 0.0) * around
    residual[np.abs(residual) < 1e-9 * len(values)] = 0.0  # rounding, where the line tells the ranks in full
    return residual

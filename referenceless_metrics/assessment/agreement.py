"""Agreement of estimates with ratings, compared with simpler predictors, and the verdict on the estimates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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

USEFUL, WITHIN, WEAK, CANNOT_TELL, NO_BETTER = VERDICTS = (
    "useful",
    "useful for the rated systems alone",
    "weak",
    "cannot tell yet",
    "no better than the mean",
)
"""Verdicts on estimates, the best first. The first is given only if whole systems were left out."""

UNPROVEN = (CANNOT_TELL, NO_BETTER)
"""Verdicts on estimates that are not to be reported as quality."""

TEXTS, NEAR_COPIES, SLOTTED, GROUPS, SYSTEMS = LEFT_OUT = (
    "texts",
    "near copies",
    "delexicalised texts",
    "groups",
    "systems",
)
"""Units that are left out together, the most lenient first: single texts; texts that share half of their words; texts
that are equal once the values of their source are placeholders; groups that the user names; all texts of a system."""

OTHER_SYSTEMS = (
    "Another system may get far less, and so may a model after more training: rate texts of several systems and name "
    "these (--system-column, or systems= of `fit`) to measure it."
)
"""Remark on estimates that were not measured on systems without ratings."""

CORRECTED_TOLD = (
    "Spearman, corrected: the rank correlation with ratings of estimates that were made without the text's own rating, "
    "less the mean of the other ratings, which is the lower the higher a text's own rating is"
)
"""Meaning of the corrected ρ, for the notes below a table."""

FEWEST_COVERED = 30
"""Fewest covered texts for a verdict."""

FIGURES = ("coverage", "spearman", "low", "high", "explained")
"""The numbers of a verdict."""

_USEFUL_SHARE = 0.1  # share of the variance: a correlation of about .32, which saves every tenth rating
_USEFUL_RHO = math.sqrt(_USEFUL_SHARE)

_LEFT_OUT_INFLATION = 2.0
"""Factor of the variance of a correlation if texts estimate one another."""

_EXPLAINED = "a straight line through the estimates of {what} explains {explained:.1%} of the variance of their ratings"

REASONS: Mapping[str, tuple[str, str]] = {
    "few": (CANNOT_TELL, f"{{n}} {{what}} have estimates, {FEWEST_COVERED} are needed"),
    "error": (NO_BETTER, "estimates of {what} err no less than the mean rating does"),
    "chance": (NO_BETTER, "the interval of the rank correlation of estimates and ratings of {what} includes 0"),
    "wide": (
        CANNOT_TELL,
        "the interval of the rank correlation of estimates and ratings of {what} includes 0 as well as "
        f"{_USEFUL_RHO:.2f}, which would be useful",
    ),
    "variance": (WEAK, f"{_EXPLAINED}, less than the {_USEFUL_SHARE:.0%} of a useful metric"),
    "length": (WEAK, f"{_EXPLAINED}, but may tell nothing that the length of a text does not"),
    "useful": (USEFUL, f"{_EXPLAINED}, and tells more than the length of a text"),
}
"""Reasons of verdicts: for each word that files have, the verdict and the rest of its sentence."""


@dataclass(frozen=True)
class Agreement:
    """Agreement of n texts' ratings with estimates that were made without the text's own rating.

    Attributes:
        n_texts: n.
        coverage: the share of texts with an estimate.
        mean_squared_error: over the covered texts; NaN if there are none.
        baseline_error: the same error if every prediction is the mean rating of the other texts.
        r_squared: the share of the ratings' variance that the estimates explain, over all texts: 1 − error / baseline
            error. A text without an estimate gets the baseline's prediction. Below 0 the mean alone is better.
        spearman: rank correlation of estimates and ratings.
        pearson: linear correlation.
        length: rank correlation of the texts' lengths, in characters, with the ratings; it needs no metric.
        given_length: rank correlation of estimates and ratings with the length held fixed, of corrected estimates.
        corrected: rank correlation to expect for further texts, without the bias of leaving texts out. Its interval
            includes the random draw of the rated texts, or of the systems if systems were left out.
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
    def n_covered(self) -> int:
        """The number of texts with an estimate."""
        return round(self.coverage * self.n_texts) if self.n_texts else 0

    @property
    def explained(self) -> float:
        """The share of the ratings' variance that a straight line through the corrected estimates explains.

        Nothing is explained of a text without an estimate.
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
        """The reason of the verdict, one of `REASONS`.

        *Cannot tell yet*: fewer than 30 texts covered, or a rank correlation whose 95 % interval contains 0 as well
        as .32. *No better than the mean*: an error not below the mean's, or an interval that contains 0 and ends below
        .32. *Useful*: a straight line through the estimates explains at least a tenth of the ratings' variance, and
        the rank correlation is above 0 with the length held fixed, too; both are corrected. *Weak*: all others.
        """
        if self.n_covered < FEWEST_COVERED:
            return "few"
        if not self.mean_squared_error < self.baseline_error:
            return "error"
        if not self.corrected.low > 0:
            return "wide" if self.corrected.high >= _USEFUL_RHO else "chance"
        if self.explained < _USEFUL_SHARE:
            return "variance"
        return "useful" if self.given_length.low > 0 else "length"

    @property
    def worth(self) -> tuple[int, float]:
        """Sort key of agreements: the verdict first, then the corrected ρ; no ρ comes last."""
        verdict = REASONS[self.reason][0]
        verdict = NO_BETTER if verdict in UNPROVEN else verdict
        rho = self.corrected.value
        return -VERDICTS.index(verdict), -math.inf if math.isnan(rho) else rho


def agreement(
    estimates: ArrayLike,
    ratings: ArrayLike,
    texts: Sequence[str],
    *,
    baseline: float | None = None,
    training_means: Floats | None = None,
    systems: Integers | None = None,
) -> Agreement:
    """Compare estimates with ratings.

    Correlations have Fisher's intervals (see `fisher_interval`). On the rated sets of the papers, these are within .02
    of bootstrap intervals.

    If texts are left out one by one, estimates are biased against the ratings: the mean of the other ratings is low if
    a text's own rating is high, and so is any mean of others' ratings. Corrected estimates are the estimates minus the
    mean of the other ratings. Their interval has twice the variance, because texts estimate one another, so that each
    pair counts in both directions (for shuffled ratings, ρ varies 1.3 to 1.45 times as much as between independent
    pairs). `reproduce study-designs` measures both.

    Args:
        estimates: the estimates of n texts, shape (n,), NaN for abstentions; each made without its text's own rating.
        ratings: shape (n,), finite.
        texts: the n texts.
        baseline: the mean around which the estimates lie, whatever was left out; None for the mean of the other
            ratings, if each text was left out by itself.
        training_means: the mean of the ratings that each estimate was made with, shape (n,). Errors are those of the
            estimates around these means, beside the error of the means themselves, so that both know as little of a
            text; None if these means are the baseline.
        systems: the number of each text's system, shape (n,), for correlations within systems. Estimates, ratings and
            lengths are then differences from their system's means, as among the outputs of one further system. ρ over
            several systems also reflects how the systems differ (six systems of Topical-Chat: .67 together, .25 within
            them, and .20 to .23 within systems without ratings). None for correlations over all texts.
    """
    guessed, rated = np.asarray(estimates, dtype=float), np.asarray(ratings, dtype=float)
    n = len(rated)
    others = mean_of_others(rated) if baseline is None else np.full(n, baseline)
    covered = ~np.isnan(guessed)
    learned = others if training_means is None else training_means
    as_made = guessed - others + learned
    spread = float(((learned - rated) ** 2).sum())
    lengths = np.array([len(text) for text in texts], dtype=float)

    def within(values: Floats, of: Integers | None) -> Floats:
        return values if of is None else within_systems(values, of)

    of_covered = None if systems is None else systems[covered]
    estimated = within(guessed[covered], of_covered)
    # Equal estimates have no correlation, with or without the mean of the others.
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
        mean_squared_error=mean_squared_error(as_made, rated),
        baseline_error=mean_squared_error(np.where(covered, learned, np.nan), rated),
        r_squared=1 - float(((np.where(covered, as_made, learned) - rated) ** 2).sum()) / spread
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
    """Return the differences of values from the means of their systems."""
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
        reason: the reason, one of `REASONS`.
        coverage: the share of left-out rated texts with an estimate.
        spearman: the rank correlation of estimates and ratings; NaN if it is undefined.
        low: lower end of its 95 % interval.
        high: upper end of its 95 % interval.
        explained: the share of the ratings' variance that a straight line through the estimates explains.
        left_out: the units that were left out together, one of `LEFT_OUT`.
        n_covered: number of left-out texts with an estimate; None if it is not known, as in a file.
    """

    reason: str
    coverage: float
    spearman: float
    low: float
    high: float
    explained: float
    left_out: str
    n_covered: int | None = field(default=None, kw_only=True, compare=False)

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`; *useful* only if whole systems were left out."""
        verdict = REASONS[self.reason][0]
        return WITHIN if verdict == USEFUL and self.left_out != SYSTEMS else verdict

    @property
    def summary(self) -> str:
        """The sentence that every command and page shows: the verdict with its reason."""
        what = _WHAT_IS_LEFT_OUT.get(self.left_out, f"texts of {self.left_out} left out")
        n = f"fewer than {FEWEST_COVERED}" if self.n_covered is None else self.n_covered
        why = REASONS[self.reason][1].format(what=what, explained=self.explained, n=n)
        rho = "" if math.isnan(self.spearman) else f"ρ {self.spearman:.2f} [{self.low:.2f}, {self.high:.2f}], "
        warning = "" if self.left_out == SYSTEMS or self.verdict in UNPROVEN else f" {OTHER_SYSTEMS}"
        of_all = ", explained: coverage × r²" if _EXPLAINED in REASONS[self.reason][1] and self.coverage < 1 else ""
        return f"{self.verdict.capitalize()}: {why} ({rho}coverage {self.coverage:.2f}{of_all}).{warning}"

    @property
    def warning(self) -> str | None:
        """The same sentence if the estimates are not useful throughout, else None."""
        return None if self.verdict == USEFUL else self.summary

    @property
    def details(self) -> Record:
        """Details for results: the verdict, and the rank correlation or None."""
        return {"verdict": self.verdict, "expected_spearman": None if math.isnan(self.spearman) else self.spearman}

    def header(self) -> Record:
        """Return the figures for JSON."""
        values = {name: getattr(self, name) for name in ("reason", *FIGURES, "left_out")}
        return {name: None if value != value else value for name, value in values.items()}


def verdict_from(agreed: Agreement, left_out: str = TEXTS) -> Verdict:
    """Return the verdict if units of `left_out`, one of `LEFT_OUT`, were left out together."""
    rho = agreed.corrected
    figures = (agreed.coverage, rho.value, rho.low, rho.high, agreed.explained)
    return Verdict(agreed.reason, *figures, left_out, n_covered=agreed.n_covered)


def read_verdict(header: Record) -> Verdict:
    """Return the verdict that `Verdict.header` wrote, after checks.

    Raises:
        KeyError: for a missing name.
        ValueError: for impossible content; the message calls the file "it".
    """
    if header["reason"] not in REASONS:
        raise ValueError(f"the reason of its calibration should be one of {', '.join(REASONS)}")
    if header["left_out"] not in LEFT_OUT:
        raise ValueError(f"in its calibration, 'left_out' should be one of {', '.join(LEFT_OUT)}")
    coverage, spearman, low, high, explained = (read_figure(name, header[name], -1.0) for name in FIGURES)
    return Verdict(header["reason"], coverage, spearman, low, high, explained, header["left_out"])


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
    """Return the residuals of the values' ranks about a line through the ranks of the lengths."""
    if len(values) < 3:
        return values
    around = ranks(lengths) - (len(lengths) + 1) / 2
    residual = ranks(values) - (len(values) + 1) / 2
    spread = float(around @ around)
    residual -= (float(around @ residual) / spread if spread else 0.0) * around
    residual[np.abs(residual) < 1e-9 * len(values)] = 0.0  # rounding errors, if the line explains the ranks in full
    return residual

"""Signs that the rated outputs are not a random part of a system's outputs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings

_BEYOND_CHANCE = 0.01
"""Largest p of a difference that is reported."""


def selection_warnings(systems: Sequence[SystemRatings]) -> list[str]:
    """Return warnings about rated outputs that do not look like a random part of each system's outputs."""
    from scipy.stats import chi2_contingency, ttest_ind

    warnings = []
    rated = [int(system.rated.sum()) for system in systems]
    total = [len(system.ratings) for system in systems]
    missing = [system.n_missing for system in systems]
    if any(missing):
        listed = ", ".join(f"{system.name} {system.n_missing}" for system in systems)
        warnings.append(f"Missing ratings (blank, or a rater could not judge): {listed}.")
    n_ratings = [len(system.single_ratings) for system in systems]
    counts = np.array([n_ratings, missing] if any(missing) else [rated, np.subtract(total, rated)])
    if len(systems) > 1 and (counts.sum(axis=1) > 0).all() and chi2_contingency(counts).pvalue < _BEYOND_CHANCE:
        shares = zip(systems, counts[0], counts.sum(axis=0), strict=True)
        listed = ", ".join(f"{each.name} {n} of {m}" for each, n, m in shares)
        warnings.append(
            f"Warning: systems differ beyond chance in how much of them is rated ({listed}). Unless that was planned, "
            "what is missing may not be missing at random, and the means may be off."
        )
    for system in systems:
        known = ~np.isnan(system.estimates)
        inside, outside = system.estimates[known & system.rated], system.estimates[known & ~system.rated]
        few = min(len(inside), len(outside)) < 10
        if few or not np.ptp(np.r_[inside, outside]):
            continue
        p = float(ttest_ind(inside, outside, equal_var=False).pvalue)
        if p < _BEYOND_CHANCE:
            higher = "higher" if inside.mean() > outside.mean() else "lower"
            warnings.append(
                f"Warning: the rated outputs of {system.name} have {higher} estimates than the unrated ones, "
                f"{inside.mean():.3g} and {outside.mean():.3g} in the mean (p = {p:.2g}): they do not look like "
                f"a random part, and what is said of {system.name} may be wrong."
            )
    return warnings

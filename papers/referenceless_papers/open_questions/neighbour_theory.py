"""Simulation of coverage and ρ of an average of neighbours; `papers/docs/theory.md` explains it.

Qualities are drawn as a Gaussian process whose covariance is a function c of similarity, raters add noise, and the
published rule averages. c and the noise are read off the rated texts: c(s) is the mean product of standardised ratings
of pairs about s similar (a correlogram), the noise is the disagreement of raters of one text.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.tuning.plots import sweep_plot
from bleu_neighbors_metric.tuning.sweep import sweep
from referenceless_metrics.assessment.meta_evaluation import rank_correlation
from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.pages.drawing import drawing
from referenceless_papers.common.cells import Figure, PartResult, Table
from referenceless_papers.common.figures import FIRST, new_figure, save
from referenceless_papers.public_table.rated_sets import RatedSet, rated_sets

_BINS, _DRAWS, _SEED = 12, 200, 12345
_A, _B, _TAU = 5, 0.66, 0.08
_RATERS = (1, 2, 3, 5, 10, 20)
_THRESHOLDS = (0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2)


def similarities_of(rated: RatedSet) -> Floats:
    """Return BLEU* of each text (row) and each other text of the pool, shape (n, n); −1 on the diagonal."""
    pool = BLEUNeighbors.published(progress=False).fit(rated.texts, rated.ratings).pool_
    found = np.asarray(pool.similarities(rated.texts), dtype=np.float64)
    np.fill_diagonal(found, -1.0)
    return found


def covariance_from(similarities: Floats, ratings: Floats) -> Floats:
    """Return the covariance of qualities that a correlogram of the ratings tells, nearest to a valid one.

    Args:
        similarities: shape (n, n).
        ratings: shape (n,).

    Returns:
        Shape (n, n), in units of the ratings' variance, the diagonal being 1.
    """
    z = (ratings - ratings.mean()) / ratings.std()
    both = (similarities + similarities.T) / 2
    rows, columns = np.triu_indices(len(z), 1)
    alike, product = both[rows, columns], z[rows] * z[columns]
    edges = np.quantile(alike, np.linspace(0, 1, _BINS + 1)[1:-1])
    number = np.searchsorted(edges, alike)
    means = np.bincount(number, product, _BINS) / np.maximum(np.bincount(number, minlength=_BINS), 1)
    matrix = means[np.searchsorted(edges, both)]
    np.fill_diagonal(matrix, 1.0)
    values, vectors = np.linalg.eigh(matrix)
    valid = (vectors * np.maximum(values, 0)) @ vectors.T
    scale = np.sqrt(np.diag(valid))
    return np.asarray(valid / scale / scale[:, None])


def rule(similarities: Floats, ratings: Floats, threshold: float = _TAU) -> Floats:
    """Return Eq. 3's leave-one-out estimates for one or many draws of ratings, shape (n,) or (n, draws)."""
    near = similarities >= threshold
    count = near.sum(axis=1)
    means = (near @ ratings).T / np.maximum(count, 1)
    return np.where((count >= _A) & (count <= _B * len(near)), means, np.nan).T


def predicted(similarities: Floats, covariance: Floats, noise: float, threshold: float = _TAU) -> tuple[float, float]:
    """Return the mean and the standard deviation over draws of ρ between the rule's estimates and ratings.

    Args:
        similarities: shape (n, n).
        covariance: covariance of qualities, shape (n, n).
        noise: variance of a text's mean rating about its quality, in units of the qualities' variance.
        threshold: τ.
    """
    generator, n = np.random.default_rng(_SEED), len(similarities)
    values, vectors = np.linalg.eigh(covariance)
    quality = (vectors * np.sqrt(np.maximum(values, 0))) @ generator.standard_normal((n, _DRAWS))
    ratings = quality + np.sqrt(noise) * generator.standard_normal((n, _DRAWS))
    estimates = rule(similarities, ratings, threshold)
    covered = ~np.isnan(estimates[:, 0])
    if covered.sum() < 5:
        return float("nan"), float("nan")
    rho = [rank_correlation(estimates[covered, draw], ratings[covered, draw]) for draw in range(_DRAWS)]
    return float(np.mean(rho)), float(np.std(rho))


def theory(data_dir: Path) -> PartResult:
    """Predict coverage and ρ on HUSE's headlines from similarities and rater noise, beside measured ones."""
    (rated,) = rated_sets(data_dir, ("huse",))
    alike = similarities_of(rated)
    covariance = covariance_from(alike, rated.ratings)
    keys, judged = rated.judged
    order = {key: row for row, key in enumerate(dict.fromkeys(keys))}
    place = np.array([order[key] for key in keys])
    counts = np.bincount(place)
    mean = np.bincount(place, judged) / counts
    within = float(((judged - mean[place]) ** 2).sum() / (len(judged) - len(counts)))
    quality = float(rated.ratings.var() - within * np.mean(1 / counts))
    by_raters, by_threshold = [], []
    for raters in _RATERS:
        expected, spread = predicted(alike, covariance, within / raters / quality)
        found = [_measured(alike, place, judged, raters, seed) for seed in range(50 if raters < 20 else 1)]
        by_raters.append(
            {
                "raters a text": raters,
                "predicted ρ": expected,
                "± one draw": spread,
                "measured ρ": float(np.mean(found)),
            }
        )
    noise = within * float(np.mean(1 / counts)) / quality
    for threshold in _THRESHOLDS:
        estimates = rule(alike, rated.ratings, threshold)
        covered = ~np.isnan(estimates)
        n, near = len(alike), alike >= threshold
        expected, spread = predicted(alike, covariance, noise, threshold)
        by_threshold.append(
            {
                "τ": threshold,
                "coverage, from the histogram alone": _binomial_coverage(float(near.sum() / (n * (n - 1))), n),
                "coverage": float(covered.mean()),
                "predicted ρ": expected,
                "± one draw": spread,
                "measured ρ": rank_correlation(estimates[covered], rated.ratings[covered])
                if covered.sum() > 4
                else np.nan,
            }
        )
    neighbours = (alike >= _TAU).sum(axis=1)
    low, median, high = np.quantile(neighbours, (0.05, 0.5, 0.95))
    metric = BLEUNeighbors.published(progress=False).fit(rated.texts, rated.ratings)
    settings = sweep(metric)
    front = [
        {"τ": one.threshold, "a": one.min_neighbors, "b": one.max_fraction, "coverage": one.coverage, "ρ": one.spearman}
        for one in settings.pareto
    ]
    return PartResult(
        tables=[
            Table("ρ by the number of raters a text, τ = 0.08", tuple(by_raters)),
            Table("Coverage and ρ by τ, all raters", tuple(by_threshold)),
            Table("The Pareto front of coverage and ρ: no other setting has more of both", tuple(front)),
        ],
        figures=[
            Figure(
                "neighbour_counts",
                f"Neighbours of HUSE's headlines at τ = 0.08: median {median:.0f}, 5–95 % {low:.0f}–{high:.0f}",
                lambda path: _draw_counts(neighbours, path),
                ".svg",
            ),
            Figure(
                "pareto",
                "Coverage and ρ of all settings, and their Pareto front",
                lambda path: drawing([sweep_plot(settings)]).save(path),
                ".svg",
            ),
        ],
        notes=[
            f"HUSE's headlines, leave-one-out. One rating varies by {within:.4f} about a text's mean, qualities by "
            f"{quality:.4f}. The correlogram is read off the same ratings: the prediction has not seen which text has "
            "which rating, and knows how alike ratings of similar texts are. It predicts the level with all 20 "
            "raters from that; the fall with fewer raters is a true prediction, for which raters were drawn at random.",
            "The front is picked on the texts that it is measured on: its ρ are a little flattered.",
            _modes(neighbours),
        ],
    )


def _measured(alike: Floats, place: Any, judged: Floats, raters: int, seed: int) -> float:
    """Return ρ if each text has so many raters, drawn at random."""
    generator = np.random.default_rng(seed)
    order = np.lexsort((generator.random(len(place)), place))
    begins = np.searchsorted(place[order], np.arange(place.max() + 1))
    kept = order[np.arange(len(order)) - begins[place[order]] < raters]
    ratings = np.bincount(place[kept], judged[kept]) / np.bincount(place[kept])
    estimates = rule(alike, ratings)
    covered = ~np.isnan(estimates)
    return rank_correlation(estimates[covered], ratings[covered])


def _binomial_coverage(share: float, n: int) -> float:
    """Return the share of texts with a to b · n neighbours if each pair is near with one probability."""
    from scipy.stats import binom

    return float(binom.cdf(int(_B * n), n - 1, share) - binom.cdf(_A - 1, n - 1, share))


def _modes(neighbours: Any) -> str:
    counts = np.bincount(np.minimum(neighbours // 5, 14), minlength=15)
    told = ", ".join(f"{5 * number}–{5 * number + 4}: {count}" for number, count in enumerate(counts) if count)
    edged = np.r_[0, counts, 0]
    peaks = int(((edged[1:-1] > edged[:-2]) & (edged[1:-1] > edged[2:])).sum())
    return (
        f"Texts by their number of neighbours at τ = 0.08: {told}. The paper calls the distribution multi-modal: in "
        f"steps of five it has {peaks} local maxima."
    )


def _draw_counts(neighbours: Any, path: Path) -> None:
    figure, (axes,) = new_figure()
    axes.hist(neighbours, bins=range(0, int(neighbours.max()) + 3, 2), color=FIRST)
    axes.set(xlabel="neighbours", ylabel="headlines")
    save(figure, path, "Histogram of the number of neighbours of each headline")

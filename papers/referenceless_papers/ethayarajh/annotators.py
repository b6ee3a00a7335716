"""The human rows of Table 1, and Section 5.3: does the metric cover only texts that are easy to judge?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.kernel import KERNELS
from referenceless_metrics.assessment.meta_evaluation import correlation, rank_correlation
from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_papers.common.cells import Cell, PartResult, Table
from referenceless_papers.ethayarajh.sources import Sources
from referenceless_papers.statistics import permutation_p_value

_N_PERMUTATIONS = 9999


@dataclass(frozen=True)
class Annotators:
    """Agreement of each annotator with the mean judgement of the same items.

    Attributes:
        mse: mean squared error, shape (m,).
        spearman: rank correlation, shape (m,); NaN for fewer than three judgements and if one side is constant.
        n_judgements: number of judgements of each, shape (m,).
    """

    mse: Floats
    spearman: Floats
    n_judgements: Integers


def annotators(names: Sequence[str], items: Sequence[str], ratings: Floats) -> Annotators:
    """Compare each annotator with the mean judgement of each item, their own judgement included, as the paper does.

    Args:
        names: the annotator of each judgement, n of them.
        items: the judged item of each.
        ratings: the judgement, shape (n,).

    >>> result = annotators(["x", "y", "x", "y"], ["1", "1", "2", "2"], np.array([0.0, 1.0, 1.0, 1.0]))
    >>> result.mse.tolist()
    [0.125, 0.125]
    """
    _, item = np.unique(np.asarray(items), return_inverse=True)
    # Rounding keeps equal means equal, whatever the order in which they were summed.
    mean = (np.bincount(item, weights=ratings) / np.bincount(item)).round(12)[item]
    _, who = np.unique(np.asarray(names), return_inverse=True)
    mse, spearman, count = [], [], []
    for annotator in range(int(who.max()) + 1):
        own = who == annotator
        mse.append(float(np.mean((ratings[own] - mean[own]) ** 2)))
        spearman.append(rank_correlation(ratings[own], mean[own]))
        count.append(int(own.sum()))
    return Annotators(np.array(mse), np.array(spearman), np.array(count))


def human_rows(sources: Sources) -> PartResult:
    """Return the best and the average annotator of Table 1 for each task whose raw judgements are there."""
    result = PartResult()
    for task, row in sources.tasks(result, "Table 1, {}, human annotators"):
        rows = sources.judgements(task)
        found = annotators(rows["annotator"][:], rows["id"][:], np.asarray(rows["rating"][:], dtype=np.float64))
        defined = found.spearman[~np.isnan(found.spearman)]
        measured = {
            "best MSE": float(found.mse.min()),
            "average MSE": float(found.mse.mean()),
            "best Spearman": float(defined.max()) if len(defined) else math.nan,
            "average Spearman": float(defined.mean()) if len(defined) else math.nan,
            "best coverage": 1.0,  # an annotator abstains from nothing
            "average coverage": 1.0,
        }
        result.cells += [Cell(row, figure, value) for figure, value in measured.items()]
        result.notes.append(
            f"{row.split(', ')[1]}: {len(found.mse)} annotators, each against the mean judgement of what they judged, "
            "their own included. Left out of the average correlation for want of one (fewer than three judgements, or "
            f"all alike): {len(found.spearman) - len(defined)}. The best error and the best correlation need "
            "not be the same annotator's."
        )
    return result


def low_hanging_fruit(sources: Sources) -> PartResult:
    """Test whether texts that the metric covers are those on which annotators agree (Section 5.3)."""
    result = PartResult()
    rows = sources.judgements("summarization")
    texts, ratings = rows["text"][:], np.asarray(rows["rating"][:], dtype=np.float64)
    pool = sources.summarization
    metric = BLEUNeighbors.published().fit(pool.texts, pool.ratings)
    error = annotator_error(metric.texts_, texts, ratings)
    n_neighbors = metric.leave_one_out().n_neighbors
    table = []
    for label, rule in (
        ("published rule (a = 5, b = 0.66)", (5, 0.66)),
        ("a raised until half the texts are covered", (int(np.median(n_neighbors)), 1.0)),
        ("b lowered until half the texts are covered", (1, float(np.median(n_neighbors)) / (len(error) - 1))),
    ):
        covered = metric.set_params(min_neighbors=rule[0], max_fraction=rule[1]).leave_one_out().covered
        table.append({"rule": label, **compare_difficulty(error, covered)})
    result.tables.append(
        Table(
            "Annotators' mean squared error against the mean judgement, on covered and on uncovered texts", tuple(table)
        )
    )
    result.cells += difficulty_cells(sources, result)
    trend = correlation(n_neighbors.astype(np.float64), error, "spearman")
    p_value = permutation_p_value(n_neighbors, error, "spearman", n_permutations=_N_PERMUTATIONS)
    result.tables.append(
        Table(
            "Rank correlation of a text's number of neighbours with annotators' error on it",
            (
                {
                    "Spearman": trend.value,
                    "low": trend.low,
                    "high": trend.high,
                    "p (permutation)": p_value,
                    "n": trend.n,
                },
            ),
        )
    )
    result.notes += [
        "The question of Section 5.3 is whether coverage picks the texts that are easy to judge. The test here is "
        "ours: a text's difficulty is its annotators' mean squared error against its mean judgement; covered and "
        "uncovered texts are compared by a two-sided permutation test of the difference of means and by Mann and "
        "Whitney's test.",
        "The published rule leaves too few headlines uncovered for any test, so coverage is also cut to about half by "
        "a or by b alone; neither choice looks at ratings.",
    ]
    return result


def difficulty_cells(sources: Sources, result: PartResult) -> list[Cell]:
    """Return the fall in annotators' errors on covered texts, by task; missing cells are added to `result`."""
    cells = []
    for task, row in sources.tasks(result, "Section 5.3, {}"):
        rows, pool = sources.judgements(task), sources.task(task)
        metric = BLEUNeighbors.published(n_jobs=-1).fit(pool.texts, pool.ratings)
        error = annotator_error(metric.texts_, rows["text"][:], np.asarray(rows["rating"][:], dtype=np.float64))
        easy = _mean(error[metric.leave_one_out().covered])
        figures = {"annotators' MSE, covered against all, relative": easy / _mean(error) - 1.0}
        with result.attempt(row):
            rouge = BLEUNeighbors.published(threshold=KERNELS["rouge_l"].threshold or 0.06, kernel="rouge_l")
            rouge.fit(pool.texts, pool.ratings)
            figures["annotators' MSE, ROUGE's covered minus BLEU's"] = (
                _mean(error[rouge.leave_one_out().covered]) - easy
            )
        cells += [Cell(row, figure, value) for figure, value in figures.items()]
    return cells


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else math.nan


def annotator_error(distinct: Sequence[str], texts: Sequence[str], ratings: Floats) -> Floats:
    """Return the mean squared deviation of each distinct text's judgements from their mean, shape (n,)."""
    places = {text: place for place, text in enumerate(distinct)}
    which = np.array([places[text] for text in texts])
    count = np.bincount(which, minlength=len(distinct))
    mean = np.bincount(which, weights=ratings, minlength=len(distinct)) / count
    return np.asarray(np.bincount(which, weights=(ratings - mean[which]) ** 2, minlength=len(distinct)) / count)


def compare_difficulty(error: Floats, covered: NDArray[np.bool_], seed: int = 12345) -> dict[str, Any]:
    """Compare the difficulty of covered and uncovered texts; p-values are NaN for fewer than five of either."""
    from scipy import stats

    easy, hard = error[covered], error[~covered]
    row: dict[str, Any] = {
        "coverage": float(covered.mean()),
        "error, covered": float(easy.mean()) if len(easy) else math.nan,
        "error, uncovered": float(hard.mean()) if len(hard) else math.nan,
        "p (permutation)": math.nan,
        "p (Mann-Whitney)": math.nan,
    }
    if min(len(easy), len(hard)) >= 5:
        test = stats.permutation_test(
            (easy, hard),
            lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
            vectorized=True,
            n_resamples=_N_PERMUTATIONS,
            random_state=np.random.default_rng(seed),
        )
        row["p (permutation)"] = float(test.pvalue)
        row["p (Mann-Whitney)"] = float(stats.mannwhitneyu(easy, hard).pvalue)
    return row

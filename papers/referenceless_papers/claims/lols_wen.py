"""Two systems that people rate alike, and a metric that ranks one above the other: LOLS and WEN, restaurants.

Ratings of Novikova, Dušek, Cercas Curry & Rieser (2017), "Why We Need New Evaluation Metrics for NLG", EMNLP.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric
from bleu_neighbors_metric.tuning.calibration import EVERY_TEXT
from referenceless_metrics.comparison.comparison import compare_systems
from referenceless_metrics.comparison.output import COMPARISON_FORMATS, render_comparison
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import Floats
from referenceless_papers.claims.simulation import simulate

POOL_SIZE = 300
N_RATED = 50
_FILE = "emnlp_data_medians.csv"
_SIGNIFICANT = 0.05
_FORMATS = tuple(name for name in COMPARISON_FORMATS if name != "parquet")  # which is no text
_MARK = re.compile(r"[\d)]\*")  # of significance, and not of a style sheet


@dataclass(frozen=True, eq=False)
class RatedSystem:
    """Outputs of one system with their ratings.

    Attributes:
        texts: n outputs.
        inputs: the source of each output.
        ratings: shape (n,).
    """

    texts: list[str]
    inputs: list[str]
    ratings: Floats


@dataclass(frozen=True)
class Claims:
    """Comparison of the two systems by estimates and by people.

    Attributes:
        human_difference: people's mean rating of WEN less that of LOLS, on the scale from 1 to 6.
        human_p: p of no difference, by Welch's t test of all ratings.
        n_pools: pools of 300 ratings of LOLS that were drawn.
        wen_higher: number of pools for which the metric's mean of WEN is the higher one, on the common segments.
        higher_below_5: number of these with p < .05 of the metric's mean, as `compare` tests it.
        marked: number for which any format of `compare` marks significance.
        coverage: the share of draws of 50 ratings of each system in which the 95 % interval of `human-score` holds
            the difference between all ratings; the estimates are from all other systems' ratings.
        shrinkage: mean share by which the estimates narrowed that interval.
        type_one: mean share of draws in which two halves of one system differ at 5 %.
    """

    human_difference: float
    human_p: float
    n_pools: int
    wen_higher: int
    higher_below_5: int
    marked: int
    coverage: float
    shrinkage: float
    type_one: float


def read_systems(data_dir: str | os.PathLike[str]) -> dict[str, RatedSystem]:
    """Read all rated outputs, in the order of the file, by data set and system, such as `SFRES/LOLS`.

    Args:
        data_dir: the folder that holds `nlg-ratings/`.

    Raises:
        InputError: for a missing file.
    """
    table = read_table(str(Path(data_dir) / "nlg-ratings" / _FILE))
    rows: dict[str, list[tuple[str, str, float]]] = defaultdict(list)
    ratings = table.numbers("quality", "quality")
    for row, rating in zip(table.rows, ratings.tolist(), strict=True):
        rows[f"{row['dataset']}/{row['system']}"].append((row["sys_ref"], row["mr"], rating))
    return {
        name: RatedSystem([r[0] for r in own], [r[1] for r in own], np.array([r[2] for r in own]))
        for name, own in rows.items()
    }


def same_inputs(one: RatedSystem, other: RatedSystem) -> tuple[list[str], list[str]]:
    """Return outputs of two systems for the same inputs, in one order; of repeated inputs the first with the first."""
    waiting: dict[str, list[str]] = defaultdict(list)
    for text, source in zip(other.texts, other.inputs, strict=True):
        waiting[source].append(text)
    pairs = [
        (text, waiting[source].pop(0)) for text, source in zip(one.texts, one.inputs, strict=True) if waiting[source]
    ]
    return [left for left, _ in pairs], [right for _, right in pairs]


def lols_and_wen(data_dir: str | os.PathLike[str], *, n_pools: int = 20, n_draws: int = 2000, seed: int = 0) -> Claims:
    """Compare the two by estimates from random pools of LOLS ratings, and by a few ratings of each.

    Args:
        data_dir: the folder that holds `nlg-ratings/`.
        n_pools: random pools of 300 ratings of LOLS.
        n_draws: simulated draws of 50 ratings of each system.
        seed: seed of the pools and draws.
    """
    from scipy.stats import ttest_ind

    systems = read_systems(data_dir)
    lols, wen = systems["SFRES/LOLS"], systems["SFRES/WEN"]
    paired = list(zip(("LOLS", "WEN"), same_inputs(lols, wen), strict=True))
    generator = np.random.default_rng(seed)
    higher = below_5 = marked = 0
    for _ in range(n_pools):
        drawn = generator.permutation(len(lols.texts))[:POOL_SIZE].tolist()
        metric = _fitted([lols.texts[i] for i in drawn], lols.ratings[drawn])
        result = compare_systems(paired, BLEUNeighborsMetric(estimator=metric), n_samples=400)
        baseline, other = [row.results[result.metric] for row in result.rows]
        higher += other.score > baseline.score
        below_5 += other.score > baseline.score and (other.p_value or 1.0) < _SIGNIFICANT
        marked += any(_MARK.search(render_comparison(result, name)) for name in _FORMATS)
    rated = {}
    for name in ("SFRES/WEN", "SFRES/LOLS"):
        others = [other for key, other in systems.items() if key != name]
        pool = [text for other in others for text in other.texts]
        metric = BLEUNeighbors(**EVERY_TEXT, n_jobs=-1, progress=False)
        metric.fit(pool, np.concatenate([other.ratings for other in others]))
        estimates = metric.predict(systems[name].texts).values
        rated[name] = systems[name].ratings, np.where(np.isnan(estimates), np.nanmean(estimates), estimates)
    held = simulate(rated, N_RATED, n_draws=n_draws, seed=seed)
    return Claims(
        human_difference=float(wen.ratings.mean() - lols.ratings.mean()),
        human_p=float(ttest_ind(wen.ratings, lols.ratings, equal_var=False).pvalue),
        n_pools=n_pools,
        wen_higher=higher,
        higher_below_5=below_5,
        marked=marked,
        coverage=held.differences[0].coverage,
        shrinkage=held.differences[0].shrinkage,
        type_one=float(np.mean(list(held.type_one.values()))),
    )


def _fitted(texts: list[str], ratings: Floats) -> BLEUNeighbors:
    return BLEUNeighbors(n_jobs=-1, progress=False).fit(texts, ratings)

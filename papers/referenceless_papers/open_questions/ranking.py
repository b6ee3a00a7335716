"""Relative ranking of outputs of one MR (left open by Dušek et al. 2017), on the E2E challenge's magnitudes.

In a judgement one rater gave five systems' outputs of one MR magnitudes relative to one another (RankME, Novikova,
Dušek & Rieser 2018). Magnitudes have no common scale, so they are read within a judgement alone: as pairs, as
logarithms less their mean, or as ranks.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bleu_neighbors_metric.estimator import BLEUNeighbors
from quality_estimation_metric.estimator import QualityEstimator
from referenceless_metrics.assessment.folds import number_groups, random_folds
from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_papers.common.cells import PartResult, Table
from slor_metric.fluency import Fluency

N_FOLDS, SEED = 3, 12345
_MOST_JUDGEMENTS = 100  # that are learned from
_PAIRS_EACH = 5
_MOST_ITEMS = 80  # of the MRs: estimating all outputs takes most of the time
_DRAWS = 1000

Predict = Callable[[pd.DataFrame], Floats]


def read_judgements(data_dir: Path, criterion: str) -> pd.DataFrame:
    """Return one row per magnitude: judgement, item, mr, system, text, log (less the judgement's mean) and rank.

    Raises:
        FileNotFoundError: without the folder `e2e-ratings/`.
    """
    folder = data_dir / "e2e-ratings"
    table = pd.read_csv(folder / "judgements.csv").merge(pd.read_csv(folder / "outputs.csv"), on="output")
    table = table[(table["criterion"] == criterion) & (table["text"].str.strip() != "")]
    items = np.random.default_rng(SEED).permutation(table["mr_id"].unique())[:_MOST_ITEMS]
    table = table[table["mr_id"].isin(items)].reset_index(drop=True)
    within = table.groupby("judgement")["magnitude"]
    logs = np.log(np.maximum(table["magnitude"], 1.0))
    return table.assign(
        item=number_groups(table["mr_id"].tolist()),
        log=logs - logs.groupby(table["judgement"]).transform("mean"),
        rank=within.rank() - within.rank().groupby(table["judgement"]).transform("mean"),
    )


def pairs_of(table: pd.DataFrame) -> Integers:
    """Return rows (better, worse) for all pairs of a judgement whose magnitudes differ, shape (n, 2).

    >>> pairs_of(pd.DataFrame({"judgement": [1, 1, 1, 2], "magnitude": [50, 100, 50, 9]})).tolist()
    [[1, 0], [1, 2]]
    """
    magnitude = table["magnitude"].to_numpy()
    found = [
        (one, other) if magnitude[one] > magnitude[other] else (other, one)
        for rows in table.groupby("judgement").indices.values()
        for one, other in combinations(rows.tolist(), 2)
        if magnitude[one] != magnitude[other]
    ]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _pairwise(train: pd.DataFrame, *, sources: bool) -> Predict:
    generator, pairs = np.random.default_rng(SEED), pairs_of(train)
    judgement = train["judgement"].to_numpy()[pairs[:, 0]]
    order = pd.Series(generator.random(len(pairs))).groupby(judgement).rank()
    pairs = pairs[(order <= _PAIRS_EACH).to_numpy()]
    better, worse = (train["text"].to_numpy()[side].tolist() for side in pairs.T)
    mrs = train["mr"].to_numpy()[pairs[:, 0]].tolist()
    model = QualityEstimator().fit_preferences(better, worse, sources=mrs if sources else None, groups=mrs)
    return _predicting(model, sources=sources)


def _pointwise(train: pd.DataFrame, *, value: str = "log", sources: bool) -> Predict:
    mrs = train["mr"].tolist()
    texts, ratings = train["text"].tolist(), train[value].to_numpy()
    model = QualityEstimator().fit(texts, ratings, sources=mrs if sources else None, groups=mrs)
    return _predicting(model, sources=sources)


def _predicting(model: QualityEstimator, *, sources: bool) -> Predict:
    return lambda test: model.predict(test["text"].tolist(), sources=test["mr"].tolist() if sources else None).values


def _neighbors(train: pd.DataFrame) -> Predict:
    metric = BLEUNeighbors(progress=False).fit(train["text"].tolist(), train["log"].to_numpy())
    return lambda test: metric.predict(test["text"].tolist()).values


WAYS: Mapping[str, Callable[[pd.DataFrame], Predict]] = {
    "−length in characters": lambda _: lambda test: -test["text"].str.len().to_numpy(np.float64),
    "Fluency": lambda _: lambda test: Fluency().predict(test["text"].tolist()).values,
    "BLEU Neighbors, logarithms": _neighbors,
    "pointwise, logarithms": lambda train: _pointwise(train, sources=False),
    "pairwise": lambda train: _pairwise(train, sources=False),
    "pointwise, logarithms, with MR": lambda train: _pointwise(train, sources=True),
    "pointwise, ranks, with MR": lambda train: _pointwise(train, value="rank", sources=True),
    "pairwise, with MR": lambda train: _pairwise(train, sources=True),
}
"""Functions from judgements to a function from outputs to their values; the first two learn nothing."""


def ranking(data_dir: Path) -> PartResult:
    """Measure pairwise and pointwise training on held-out MRs and on held-out systems."""
    result = PartResult()
    for criterion in ("quality", "naturalness"):
        table = read_judgements(data_dir, criterion)
        rows = []
        for held_out in ("MRs", "systems"):
            unit = table["item"].to_numpy() if held_out == "MRs" else number_groups(table["system"].tolist())
            folds = random_folds(unit, N_FOLDS, SEED)
            rows += [
                {"held out": held_out, "way": name} | figures(table, cross_fitted(way, table, folds), folds)
                for name, way in WAYS.items()
            ]
        result.tables.append(
            Table(f"E2E, {criterion}: raters agree in {rater_agreement(table):.3f} of pairs", tuple(rows))
        )
    result.notes += [
        f"{_MOST_ITEMS} MRs, drawn at random. {N_FOLDS} folds of MRs, or of systems: then both outputs of a test pair "
        "are of systems that were not learned from, their MRs were. At most "
        f"{_MOST_JUDGEMENTS} judgements of five outputs are learned from in each: pairwise {_PAIRS_EACH} pairs of "
        "each, pointwise all five values. No setting was chosen here: penalties are chosen inside the training part.",
        "Accuracy: the share of pairs of one judgement, with unlike magnitudes, that the values put in the rater's "
        "order, ties of values counting one half; 95 % intervals from resampled MRs. τ-b: within an MR, with the mean "
        "of centred logarithms, averaged over MRs of three or more outputs. Raters' agreement: of two judgements of "
        "one pair, both with unlike magnitudes.",
    ]
    return result


def cross_fitted(way: Callable[[pd.DataFrame], Predict], table: pd.DataFrame, folds: Integers) -> Floats:
    """Return a value of each row by a model that has not seen its fold (of MRs, or of systems)."""
    values = np.full(len(table), np.nan)
    for fold in np.unique(folds):
        train, test = table[folds != fold], np.flatnonzero(folds == fold)
        names = train["judgement"].unique()
        drawn = np.random.default_rng(SEED).permutation(names)[:_MOST_JUDGEMENTS]
        outputs = table.iloc[test].drop_duplicates("output")
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="no training source had", category=UserWarning)
            chosen = train[train["judgement"].isin(drawn)].reset_index(drop=True)
            of_output = dict(zip(outputs["output"], way(chosen)(outputs), strict=True))
        values[test] = [of_output[output] for output in table["output"].iloc[test]]
    return values


def figures(table: pd.DataFrame, values: Floats, folds: Integers) -> dict[str, Any]:
    """Return the accuracy on pairs of one fold, with its interval, and the mean τ-b within MRs."""
    from scipy.stats import kendalltau

    pairs = pairs_of(table)
    pairs = pairs[folds[pairs[:, 0]] == folds[pairs[:, 1]]]
    difference = values[pairs[:, 0]] - values[pairs[:, 1]]
    pairs, difference = pairs[~np.isnan(difference)], difference[~np.isnan(difference)]
    right, items = (np.sign(difference) + 1) / 2, table["item"].to_numpy()[pairs[:, 0]]
    n_items = int(table["item"].max()) + 1
    sums, counts = np.bincount(items, right, n_items), np.bincount(items, minlength=n_items)
    drawn = np.random.default_rng(SEED).integers(n_items, size=(_DRAWS, n_items))
    low, high = np.quantile(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1), (0.025, 0.975))
    outputs = table.assign(value=values, fold=folds).groupby(["item", "fold", "output"], as_index=False)
    means = outputs[["value", "log"]].mean().dropna()
    taus = [
        kendalltau(own["value"], own["log"]).statistic for _, own in means.groupby(["item", "fold"]) if len(own) > 2
    ]
    return {
        "pairs": len(pairs),
        "accuracy": float(right.mean()),
        "95% interval": f"{low:.3f} to {high:.3f}",
        "τ-b within MR": float(np.nanmean(taus)),
    }


def rater_agreement(table: pd.DataFrame) -> float:
    """Return the share of two judgements of one pair of outputs, both with unlike magnitudes, with the same order."""
    output = table["output"].to_numpy()
    ahead: dict[tuple[int, int], list[int]] = {}
    for better, worse in output[pairs_of(table)].tolist():
        ahead.setdefault((min(better, worse), max(better, worse)), []).append(int(better < worse))
    alike = both = 0
    for given in ahead.values():
        n, first = len(given), sum(given)
        both += n * (n - 1) // 2
        alike += first * (first - 1) // 2 + (n - first) * (n - first - 1) // 2
    return alike / both if both else float("nan")

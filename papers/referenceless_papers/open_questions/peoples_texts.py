"""Can an estimator of systems' outputs judge people's texts, and the other way (inlg16)? When to fall back on rules?

Dušek et al. (2017) name two uses at run time: to filter people's texts, and to fall back on a rule-based text if no
candidate is good enough.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from quality_estimation_metric.estimator import QualityEstimator
from referenceless_metrics.assessment.folds import number_groups, random_folds
from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.selection.mbr import rerank
from referenceless_papers.common.cells import PartResult, Table
from referenceless_papers.public_table.columns import LENGTH, estimator, surface
from referenceless_papers.public_table.rated_sets import RatedSet, rated_sets, sampled
from referenceless_papers.resampled_correlations import correlation
from slor_metric.fluency import Fluency

_CROSSED = (
    ("E2E, naturalness", "INLG 2016, naturalness"),
    ("E2E, quality", "INLG 2016, informativeness"),
    ("nlg-ratings SFRES, naturalness", "INLG 2016, naturalness"),
)
_SHARES = (0.1, 0.2, 0.3, 0.5)


def peoples_texts(data_dir: Path) -> PartResult:
    """Return ρ of estimators of systems' outputs on people's texts, and the reverse, beside the set's own."""
    sets = {one.name: sampled(one) for one in rated_sets(data_dir, ("nlg-ratings", "e2e-ratings", "inlg16"))}
    rows = []
    for learned, judged in (*_CROSSED, *((people, systems) for systems, people in _CROSSED)):
        train, test = sets[learned], sets[judged]
        values = {
            "from the other, texts alone": transferred(train, test, sources=False),
            "from the other, with MR": transferred(train, test, sources=True),
            "from its own, folds of MRs": estimator(test, sources=True),
            LENGTH: -surface(test.texts)["words"],
            "Fluency": Fluency().predict(test.texts).values,
        }
        rho = {name: correlation(column, test.ratings, "spearman", n_resamples=1) for name, column in values.items()}
        rows.append(
            {"learned from": train.name, "judged": test.name} | {name: found.value for name, found in rho.items()}
        )
    return PartResult(
        tables=[Table("ρ with the ratings of the judged set", tuple(rows))],
        notes=[
            "INLG 2016: texts that people wrote for MRs of E2E's kind, rated 1 to 6, most by one rater; E2E and "
            "nlg-ratings: outputs of systems. At most 600 texts of a set, whole MRs. Scales differ, so ranks alone "
            "are compared. No setting was chosen here."
        ],
    )


def transferred(train: RatedSet, test: RatedSet, *, sources: bool) -> Floats:
    """Return estimates of one set by an estimator of another."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="no training source had", category=UserWarning)
        fitted = QualityEstimator().fit(
            train.texts, train.ratings, sources=train.sources if sources else None, groups=train.items.tolist()
        )
        return fitted.predict(test.texts, sources=test.sources if sources else None).values


def fallback(data_dir: Path) -> PartResult:
    """Return people's ratings of the picks that a limit keeps, and of those that it hands to a rule-based text."""
    rows = []
    for rated in rated_sets(data_dir, ("nlg-ratings",)):
        if not rated.name.endswith(", quality") or "BAGEL" in rated.name:
            continue
        rows += fallback_rows(rated, random_folds(rated.items, 5, 12345))
    return PartResult(
        tables=[Table("Picks of two systems' outputs, the worst of them handed to rules", tuple(rows))],
        notes=[
            "The recipe: `found = rerank(candidates, estimator, sources=mrs)`, then the rule-based text wherever "
            "`found.chosen.values` is below a limit. The limit is a quantile of the training folds' own picks; five "
            "folds of MRs; MRs with outputs of at least two texts. Nobody rated rule-based texts for these MRs, so the "
            "break-even is shown: the exchange pays where people rate the rules' text above what was handed over.",
        ],
    )


def fallback_rows(rated: RatedSet, folds: np.ndarray) -> list[dict[str, object]]:
    """Return a row for each share that shall be handed over.

    Args:
        rated: outputs with their sources.
        folds: the fold of each output, whole items, shape (n,).
    """
    items = rated.items
    kept = np.isin(items, np.flatnonzero(np.bincount(items) > 1))
    picks: dict[float, list[tuple[float, bool]]] = {share: [] for share in _SHARES}
    for fold in np.unique(folds):
        train = rated.rows(np.flatnonzero(folds != fold))
        fitted = QualityEstimator().fit(train.texts, train.ratings, sources=train.sources, groups=train.items.tolist())
        test = rated.rows(np.flatnonzero((folds == fold) & kept))
        values, ratings = picked(fitted, test)
        of_training, _ = picked(fitted, train)
        for share in _SHARES:
            limit = np.quantile(of_training, share)
            picks[share] += zip(ratings.tolist(), (values < limit).tolist(), strict=True)
    found = []
    for share, each in picks.items():
        ratings, handed = (np.array(column) for column in zip(*each, strict=True))
        found.append(
            {
                "outputs": rated.name,
                "MRs": len(ratings),
                "limit: quantile": share,
                "handed to rules": float(handed.mean()),
                "rating, all picks": float(ratings.mean()),
                "rating, kept": float(ratings[~handed].mean()),
                "rating, handed over": float(ratings[handed].mean()) if handed.any() else float("nan"),
            }
        )
    return found


def picked(fitted: QualityEstimator, rated: RatedSet) -> tuple[Floats, Floats]:
    """Return the estimate and the rating of each item's best output by the estimates."""
    numbers = number_groups(rated.items.tolist())
    rows = [np.flatnonzero(numbers == item) for item in range(int(numbers.max()) + 1)]
    candidates = [[rated.texts[row] for row in own] for own in rows]
    sources = [(rated.sources or [])[own[0]] for own in rows]
    best = rerank(candidates, fitted, sources=sources)
    chosen = [own[place] for own, place in zip(rows, best.indices, strict=True)]
    return best.chosen.values, rated.ratings[chosen]

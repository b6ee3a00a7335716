"""The ways to estimate ratings that advice compares, and the choice among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.tuning.parts import part_estimates as pool_part_estimates
from quality_estimation_metric.estimator import QualityEstimator
from quality_estimation_metric.evaluation import part_estimates
from quality_estimation_metric.kernel_model.features import TextFeatures
from quality_estimation_metric.kernel_model.model import KernelModel
from quality_estimation_metric.rated_inputs import group_numbers, parse_sources
from quality_estimation_metric.sources.slot_errors import choose_scope
from referenceless_metrics.assessment.agreement import FEWEST_COVERED, SYSTEMS, TEXTS, within_systems
from referenceless_metrics.assessment.assessment import PartEstimates
from referenceless_metrics.assessment.folds import random_folds
from referenceless_metrics.assessment.meta_evaluation import mean_of_others, rank_correlation
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL
from referenceless_metrics.core.support.validation import Floats, Integers

FEWEST_FOR_QUALITY_ESTIMATION = 40
"""Fewest distinct rated texts for which the trained estimator is a candidate."""

QUALITY_ESTIMATOR = "quality estimator"
_N_FOLDS = 5


@dataclass(frozen=True)
class Candidate:
    """A way to estimate ratings.

    Attributes:
        name: its name in tables and files.
        title: a description.
        call: the Python expression that makes the metric.
        make: a function that trains the metric on all rated texts.
        from_parts: a function that estimates the texts from parts of them.
        n_draws: draws of each size for its learning curve.
    """

    name: str
    title: str
    call: str
    make: Callable[[], Any]
    from_parts: PartEstimates
    n_draws: int = 20


def pool_candidates(texts: Sequence[str], ratings: Floats) -> list[Candidate]:
    """Return BLEU Neighbors by the published rule and with similarity weights, on n distinct rated texts."""
    published = BLEUNeighbors.published(n_jobs=-1, progress=False).fit(texts, ratings)
    by_similarity = BLEUNeighbors(n_jobs=-1, progress=False).fit(texts, ratings)
    return [
        Candidate(
            "published BLEU Neighbors",
            "BLEU Neighbors as published: the mean rating of the texts that resemble a text, none where few do",
            "BLEUNeighbors.published()",
            lambda: published,
            pool_part_estimates(published),
        ),
        Candidate(
            "BLEU Neighbors",
            "BLEU Neighbors with neighbours that count by their similarity, and a threshold that covers the ratings",
            "BLEUNeighbors()",
            lambda: by_similarity,
            pool_part_estimates(by_similarity),
        ),
    ]


def trained_candidate(
    texts: Sequence[str], ratings: Floats, sources: Sequence[Any] | None
) -> tuple[Candidate, Integers]:
    """Return the trained estimator on n distinct rated texts, and the number of each one's delexicalised text.

    Reading a text, with its n-grams and language models, takes most of the time of a fit. Each text is read once for
    all parts.
    """
    triples = None if sources is None else parse_sources(sources, len(texts))
    described = TextFeatures.of(texts, triples, choose_scope(triples))
    delexicalised = group_numbers(None, described.readings)
    settings = QualityEstimator()

    def fit(part: TextFeatures, part_ratings: Floats, groups: Integers) -> KernelModel:
        return KernelModel.fit(part, part_ratings, groups, min_df=settings.min_df, seed=settings.seed)

    candidate = Candidate(
        QUALITY_ESTIMATOR,
        "ridge regression on n-grams and on what language models say of a text",
        "QualityEstimator()",
        lambda: QualityEstimator().fit(texts, ratings, sources),
        part_estimates(fit, described, ratings, delexicalised),
        n_draws=FEWEST_FOR_INTERVAL,
    )
    return candidate, delexicalised


def choose(
    estimates: Sequence[Mapping[str, Floats]], ratings: Floats, groupings: Mapping[str, Integers], seed: int
) -> tuple[int, dict[str, Floats]]:
    """Choose the candidate with the highest ρ by the strictest way of leaving texts out.

    A candidate with fewer estimates than a verdict needs is chosen only if all have fewer: the ρ of a handful of texts
    is chance.
    An abstention counts as the mean rating, so that abstaining never pays. The choice itself is assessed by nested
    cross-validation: each fifth of the texts gets the estimates of the candidate that is best on the other four. If all
    five choices agree, these are the chosen candidate's own estimates.

    Args:
        estimates: the result of `left_out_estimates` for each candidate, shape (n,) each.
        ratings: the ratings of n texts, shape (n,).
        groupings: see `left_out_estimates`.
        seed: the seed of the folds.

    Returns:
        The index of the chosen candidate, and the estimates by which the choice is assessed.
    """
    strictest = list(estimates[0])[-1]
    # If texts are left out one by one, estimates are biased like the mean of the other ratings, which is subtracted.
    level = mean_of_others(ratings) if strictest == TEXTS else np.full(len(ratings), ratings.mean())
    columns = [np.where(np.isnan(each[strictest]), 0.0, each[strictest] - level) for each in estimates]
    rated = ratings
    if strictest == SYSTEMS:
        columns = [within_systems(column, groupings[SYSTEMS]) for column in columns]
        rated = within_systems(ratings, groupings[SYSTEMS])

    has_enough = np.array([np.isfinite(each[strictest]).sum() >= FEWEST_COVERED for each in estimates])
    excluded = ~has_enough & has_enough.any()

    def best(rows: Any) -> int:
        rhos = [np.nan_to_num(rank_correlation(each[rows], rated[rows]), nan=-1.0) for each in columns]
        return int(np.argmax(np.where(excluded, -np.inf, rhos)))

    folds = random_folds(np.arange(len(ratings)), _N_FOLDS, seed)
    choices = np.array([best(folds != fold) for fold in range(_N_FOLDS)])[folds]
    assessed = {left_out: np.choose(choices, [each[left_out] for each in estimates]) for left_out in estimates[0]}
    return best(slice(None)), assessed

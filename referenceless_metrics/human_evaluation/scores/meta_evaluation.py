"""Metrics judged by people's ratings of the same systems, as WMT's metrics tasks do it."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from referenceless_metrics.assessment.system_pairs import (
    FEWEST_SYSTEMS,
    N_PERMUTATIONS,
    MetricDifference,
    SoftAccuracy,
    TieCalibrated,
    metric_difference,
    pairwise_accuracy,
    random_signs,
    soft_pairwise_accuracy,
    tie_calibrated_accuracy,
)
from referenceless_metrics.core.support.validation import Booleans, Floats, InputError, shortened
from referenceless_metrics.human_evaluation.inference.estimated_means import holm
from referenceless_metrics.human_evaluation.scores.table import ScoreTable

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable

_FEWEST_ITEMS = 2
"""Fewest shared items for a permutation test."""


class TooFewSystemsError(InputError):
    """Fewer than three systems have scores and ratings."""


@dataclass(frozen=True)
class JudgedMetric:
    """Agreement of a metric with people about systems, and about outputs.

    Attributes:
        metric: the score's name.
        n_systems: number of systems that are rated and scored.
        n_items: number of items with a score and a rating of every system.
        n_outputs: number of outputs with a score and a rating.
        accuracy: pairwise accuracy of the systems' means.
        soft: soft pairwise accuracy, over the shared items; None without any.
        ties: accuracy with ties, over pairs of outputs of one item; NaN without such pairs.
    """

    metric: str
    n_systems: int
    n_items: int
    n_outputs: int
    accuracy: float
    soft: SoftAccuracy | None
    ties: TieCalibrated

    @property
    def n_pairs(self) -> int:
        """Number of pairs of systems."""
        return self.n_systems * (self.n_systems - 1) // 2


@dataclass(frozen=True)
class JudgedPair:
    """A difference of two metrics in their agreement with people.

    Attributes:
        metric: the better one by accuracy with ties, as far as that is known.
        other: the other one.
        soft: the difference of soft pairwise accuracy; None without shared items.
        ties: the difference of accuracy with ties.
        soft_adjusted: p of `soft`, corrected for the number of pairs of metrics (Holm).
        ties_adjusted: p of `ties`, corrected in the same way.
    """

    metric: str
    other: str
    soft: MetricDifference | None
    ties: MetricDifference
    soft_adjusted: float = math.nan
    ties_adjusted: float = math.nan


@dataclass(frozen=True)
class MetaEvaluation:
    """Metrics judged by people's ratings.

    Attributes:
        metrics: one for each score.
        pairs: each pair of them, compared on the outputs that both score.
        notes: outputs that were left out, in sentences.
    """

    metrics: tuple[JudgedMetric, ...]
    pairs: tuple[JudgedPair, ...]
    notes: tuple[str, ...]


def ratings_by_output(ratings: RatingTable, scores: ScoreTable) -> tuple[Floats, list[str]]:
    """Return people's mean rating of each output that scores name, with notes on scores and ratings without a partner.

    Args:
        ratings: ratings with systems and items.
        scores: scores whose items and systems are named like those of the ratings.

    Returns:
        The ratings, shape (systems, items) as in `scores`, NaN without one; and notes.

    Raises:
        InputError: for ratings without systems or items, and if no rating is of an output that has a score.
    """
    frame = ratings.frame
    lacking = [name for name in ("system", "item", "rating") if name not in frame]
    if lacking:
        raise InputError(
            f"{ratings.source}: there is no column {lacking[0]!r} by which ratings find the scores of the same output; "
            "ratings need the columns system, item and rating, or options that name them"
        )
    rated = frame.dropna(subset="rating")
    systems = {name: place for place, name in enumerate(scores.systems)}
    items = {name: place for place, name in enumerate(scores.items)}
    keys = [rated["system"].map(str).str.strip(), rated["item"].map(lambda item: _named_item(item, items))]
    means = rated["rating"].groupby(keys, sort=False).mean()
    human = np.full((len(systems), len(items)), np.nan)
    strange = []
    for (system, item), rating in means.items():
        if system in systems and item in items:
            human[systems[system], items[item]] = rating
        else:
            strange.append(f"{system}, {item}")
    if not np.isfinite(human).any():
        raise InputError(
            f"{ratings.source}: no rating is of an output with a score: the ratings are of {shortened(strange[0], 40)} "
            f"and others, the scores of {scores.systems[0]}, {scores.items[0]} and others; items and systems must be "
            "called alike"
        )
    notes = []
    if strange:
        listed = shortened("; ".join(strange), 60)
        notes.append(f"{len(strange)} rated outputs have no score, and do not count: {listed}.")
    return human, notes


def _named_item(item: object, known: Container[str]) -> str:
    """Return an item as scores call it: with its document or slice only if item numbers begin again in each."""
    if isinstance(item, tuple):
        whole = "/".join(map(str, item))
        return whole if whole in known else str(item[-1])
    return str(item).strip()


def meta_evaluation(
    scores: ScoreTable, human: Floats, *, n_permutations: int = N_PERMUTATIONS, seed: int = 0
) -> MetaEvaluation:
    """Judge each score by people's ratings. Higher scores are taken to be better, but for `scores.lower_is_better`.

    Args:
        scores: metrics' scores.
        human: people's mean ratings, shape (systems, items) as in `scores`, NaN without a rating.
        n_permutations: number of permutations of each test.
        seed: seed of the permutations.

    Raises:
        InputError: for fewer than three systems with scores and ratings.
    """
    scores = scores.with_higher_better()
    notes = []
    judged = [_judged(name, values, human, scores, n_permutations, seed) for name, values in scores.values.items()]
    if any(each.soft is None for each in judged):
        notes.append(
            "No two items have scores and ratings of all systems, so that these cannot be compared on the same items: "
            "soft pairwise accuracy is left out, and pairwise accuracy is of means of different items."
        )
    pairs = [_pair(one, other, scores, human, n_permutations, seed) for one, other in combinations(judged, 2)]
    return MetaEvaluation(tuple(judged), tuple(_adjusted(pairs)), tuple(notes))


def _judged(
    name: str, values: Floats, human: Floats, scores: ScoreTable, n_permutations: int, seed: int
) -> JudgedMetric:
    known = np.isfinite(values) & np.isfinite(human)
    systems = _systems(known, scores.systems, name)
    values, human, known = values[systems], human[systems], known[systems]
    metric_means, human_means = (
        np.array([of[row][known[row]].mean() for row in range(len(systems))]) for of in (values, human)
    )
    shared = known.all(axis=0)
    return JudgedMetric(
        name,
        len(systems),
        int(shared.sum()),
        int(known.sum()),
        pairwise_accuracy(metric_means, human_means),
        _soft(values[:, shared], human[:, shared], n_permutations, seed),
        tie_calibrated_accuracy(values, human),
    )


def _systems(known: Booleans, names: Sequence[str], metric: str) -> list[int]:
    """Return the places of systems with an output that has a score and a rating.

    Raises:
        InputError: for fewer than three.
    """
    systems = np.flatnonzero(known.any(axis=1)).tolist()
    if len(systems) < FEWEST_SYSTEMS:
        have = ", ".join(names[place] for place in systems) or "none"
        raise TooFewSystemsError(
            f"a metric is judged on at least {FEWEST_SYSTEMS} systems with scores and ratings, but {metric!r} has them "
            f"of {have}"
        )
    return systems


def _soft(values: Floats, human: Floats, n_permutations: int, seed: int) -> SoftAccuracy | None:
    n_items = values.shape[1]
    if n_items < _FEWEST_ITEMS:
        return None
    return soft_pairwise_accuracy(values, human, random_signs(n_items, n_permutations, seed))


def _pair(
    one: JudgedMetric, other: JudgedMetric, scores: ScoreTable, human: Floats, n_permutations: int, seed: int
) -> JudgedPair:
    """Return how two metrics differ, on the outputs that both score and people rated."""
    if other.ties.value > one.ties.value:
        one, other = other, one
    first, second = scores.values[one.metric], scores.values[other.metric]
    known = np.isfinite(first) & np.isfinite(second) & np.isfinite(human)
    systems = _systems(known, scores.systems, f"{one.metric} and {other.metric}")
    first, second, rated = (np.where(known, of, np.nan)[systems] for of in (first, second, human))
    differing = partial(metric_difference, n_permutations=n_permutations, seed=seed)
    shared = known[systems].all(axis=0)
    soft = None
    if shared.sum() >= _FEWEST_ITEMS:
        figure = _soft_figure(rated[:, shared], random_signs(int(shared.sum()), n_permutations, seed))
        soft = differing(first[:, shared], second[:, shared], figure)
    ties = differing(first, second, lambda metric: tie_calibrated_accuracy(metric, rated).value)
    return JudgedPair(one.metric, other.metric, soft, ties)


def _soft_figure(human: Floats, signs: Floats) -> Callable[[Floats], float]:
    return lambda metric: soft_pairwise_accuracy(metric, human, signs).value


def _adjusted(pairs: Sequence[JudgedPair]) -> list[JudgedPair]:
    """Return pairs with p corrected for their number, for each of the two figures."""
    ties = holm([pair.ties.p_value for pair in pairs])
    soft = iter(holm([pair.soft.p_value for pair in pairs if pair.soft is not None]))
    return [
        replace(pair, ties_adjusted=p, soft_adjusted=math.nan if pair.soft is None else next(soft))
        for pair, p in zip(pairs, ties, strict=True)
    ]


def judge_metrics(
    scores: str | Sequence[str], ratings: str | Sequence[str], *, n_permutations: int = N_PERMUTATIONS, **columns: Any
) -> MetaEvaluation:
    """Judge metrics by people's ratings of the same systems' outputs, from files.

    Args:
        scores: tables with item, system and a column for each metric (`score_columns`), or exports of tools.
        ratings: tables with item, system and rating, exports of annotation tools, or a study's folder.
        n_permutations: number of permutations of each test.
        **columns: arguments of `read_scores`, such as `score_columns=["bleu", "comet"]`.

    Raises:
        InputError: for files that cannot be read or do not fit together, and for fewer than three systems.
    """
    from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table
    from referenceless_metrics.human_evaluation.scores.table import read_scores

    read = read_scores([scores] if isinstance(scores, str) else scores, **columns)
    rated = read_rating_table([ratings] if isinstance(ratings, str) else ratings, alone=True)
    return judge_scores(read, rated, n_permutations=n_permutations)


def judge_scores(scores: ScoreTable, ratings: RatingTable, *, n_permutations: int = N_PERMUTATIONS) -> MetaEvaluation:
    """Judge the scores of a table by a table of ratings.

    Raises:
        InputError: like `ratings_by_output` and `meta_evaluation`.
    """
    human, notes = ratings_by_output(ratings, scores)
    found = meta_evaluation(scores, human, n_permutations=n_permutations)
    return replace(found, notes=(*notes, *found.notes))

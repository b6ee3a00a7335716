"""Metrics judged by people's ratings of the same systems, as WMT's metrics tasks do it."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from operator import eq
from typing import TYPE_CHECKING, Any

import numpy as np

from referenceless_metrics.assessment.folds import number_groups
from referenceless_metrics.assessment.system_pairs import (
    FEWEST_SYSTEMS,
    N_PERMUTATIONS,
    MetricDifference,
    SoftAccuracy,
    TieCalibrated,
    metric_difference,
    pairwise_accuracy,
    random_signs,
    soft_accuracy_with,
    soft_difference_error,
    soft_pairwise_accuracy,
    tie_calibrated_accuracy,
)
from referenceless_metrics.core.files.names import are_one_file
from referenceless_metrics.core.files.reading import BY_SUFFIX, Reading, tell
from referenceless_metrics.core.support.validation import Booleans, Floats, InputError, Integers, shortened
from referenceless_metrics.human_evaluation.inference.estimated_means import holm
from referenceless_metrics.human_evaluation.judges.item_numbers import check_count_alike, count_from_0, on_first_line
from referenceless_metrics.human_evaluation.judges.judged_outputs import without_documents
from referenceless_metrics.human_evaluation.ratings.model_raters import PEOPLE
from referenceless_metrics.human_evaluation.ratings.rated_places import items_of_texts, plain_text
from referenceless_metrics.human_evaluation.scores.table import ScoreTable

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable

_FEWEST_UNITS = 2
"""Fewest shared items, or clusters of them, for a permutation test."""

_FEWEST_FOR_OUTPUTS = 2
"""Fewest systems for pairs of outputs of one item."""


class TooFewSystemsError(InputError):
    """Fewer than two systems have scores and ratings."""


@dataclass(frozen=True)
class JudgedMetric:
    """Agreement of a metric with people about systems, and about outputs.

    Attributes:
        metric: the score's name.
        n_systems: number of systems that are rated and scored.
        n_items: number of items with a score and a rating of every system.
        n_outputs: number of outputs with a score and a rating.
        accuracy: pairwise accuracy of the systems' means; NaN of fewer than three systems.
        soft: soft pairwise accuracy, over the shared items; None without any, and of fewer than three systems.
        ties: accuracy with ties, over pairs of outputs of one item; NaN without such pairs.
        n_clusters: number of clusters of the shared items, which permutations for `soft` keep together; 0 without
            permutations, and if items are independent.
    """

    metric: str
    n_systems: int
    n_items: int
    n_outputs: int
    accuracy: float
    soft: SoftAccuracy | None
    ties: TieCalibrated
    n_clusters: int = 0

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
        n_outputs: number of rated outputs that have both scores.
        soft: the difference of soft pairwise accuracy; None without shared items.
        ties: the difference of accuracy with ties.
        n_clusters: number of clusters of the outputs, which permutations for `ties` keep together; 0 if items are
            independent.
        soft_adjusted: p of `soft`, corrected for the number of pairs of metrics (Holm).
        ties_adjusted: p of `ties`, corrected in the same way.
    """

    metric: str
    other: str
    n_outputs: int
    soft: MetricDifference | None
    ties: MetricDifference
    n_clusters: int = 0
    soft_adjusted: float = math.nan
    ties_adjusted: float = math.nan


@dataclass(frozen=True)
class MetaEvaluation:
    """Metrics judged by people's ratings.

    Attributes:
        metrics: one for each score.
        pairs: each pair of them, compared on the outputs that both score.
        notes: outputs that were left out, in sentences.
        n_permutations: number of permutations of each test.
        given_by: who gave the ratings; see `ratings.model_raters`.
        n_raters: number of raters; 0 if they are not known.
        asked: the criterion of the ratings, as their column is called; "" if its name says none.
    """

    metrics: tuple[JudgedMetric, ...]
    pairs: tuple[JudgedPair, ...]
    notes: tuple[str, ...]
    n_permutations: int = N_PERMUTATIONS
    given_by: str = PEOPLE
    n_raters: int = 0
    asked: str = ""

    @property
    def n_clusters(self) -> tuple[int, ...]:
        """Numbers of clusters that permutations keep together, in order; none if items are independent."""
        numbers = {metric.n_clusters for metric in self.metrics} | {pair.n_clusters for pair in self.pairs}
        return tuple(sorted(numbers - {0}))


def ratings_by_output(ratings: RatingTable, scores: ScoreTable) -> tuple[Floats, list[str]]:
    """Return people's mean rating of each output that scores name, with notes on scores and ratings without a partner.

    Args:
        ratings: ratings with systems and items.
        scores: scores whose items and systems are named like those of the ratings.

    Returns:
        The ratings, shape (systems, items) as in `scores`, NaN without one; and notes.

    Raises:
        InputError: for ratings without systems or items, for items that are counted otherwise than in the scores, and
            if no rating is of an output that has a score.
    """
    frame = ratings.frame
    lacking = [name for name in ("system", "item", "rating") if name not in frame]
    if lacking:
        raise InputError(
            f"{ratings.source}: there is no column {lacking[0]!r} by which ratings find the scores of the same output; "
            "ratings need the columns system, item and rating, or options that name them"
        )
    rated = frame.dropna(subset="rating")
    known = set(scores.items)
    if known.isdisjoint(_named_item(item, known) for item in rated["item"]):
        rated = without_documents(rated)
    check_count_alike({"scores": scores.items, "ratings": rated["item"]}, ratings.source)
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
            f"and others, the scores of {scores.systems[0]}, {shortened(scores.items[0], 40)} and others; items and "
            "systems must be called alike; if both hold the texts of the outputs, `referenceless evaluate` joins them "
            "by these"
        )
    notes = []
    if strange:
        listed = shortened("; ".join(strange), 60)
        notes.append(f"{len(strange)} rated outputs have no score, and do not count: {listed}.")
    return human, notes


def _clusters(ratings: RatingTable, scores: ScoreTable) -> Integers | None:
    """Return the number of each item's cluster, from 0 up, which scores or else ratings tell, shape (items,).

    Returns:
        None if neither tells clusters, or each item is one of its own.
    """
    if not scores.is_single:
        return number_groups(scores.clusters.tolist())
    if "cluster" not in ratings.frame:
        return None
    known = ratings.frame.dropna(subset="cluster").drop_duplicates("item")
    names = set(scores.items)
    if names.isdisjoint(_named_item(item, names) for item in known["item"]):
        known = without_documents(known)
    called = dict(zip((_named_item(item, names) for item in known["item"]), known["cluster"], strict=True))
    grouped = [("in", called[item]) if item in called else ("alone", item) for item in scores.items]
    clusters = number_groups(grouped)
    return None if len(set(grouped)) == len(scores.items) else clusters


def _named_item(item: object, known: Container[str]) -> str:
    """Return an item as scores call it: with its document or slice only if item numbers begin again in each."""
    if isinstance(item, tuple):
        whole = "/".join(map(str, item))
        return whole if whole in known else str(item[-1])
    return str(item).strip()


@dataclass(frozen=True)
class _Draws:
    """Permutations of items, which are those of whole clusters if these are known.

    Attributes:
        n: their number.
        seed: seed of the random draws.
        clusters: the number of each item's cluster, shape (items,); None for independent items.
    """

    n: int
    seed: int
    clusters: Integers | None

    def among(self, items: Booleans) -> Integers | None:
        """Return the clusters of some items, numbered from 0 up; None for independent items."""
        return None if self.clusters is None else np.unique(self.clusters[items], return_inverse=True)[1]

    def n_units(self, items: Booleans) -> int:
        """Return the number of the clusters of some items, or of the items if these are independent."""
        return int(items.sum()) if self.clusters is None else len(np.unique(self.clusters[items]))

    def n_clusters(self, items: Booleans) -> int:
        """Return the number of the clusters of some items; 0 for independent items."""
        return 0 if self.clusters is None else self.n_units(items)

    def signs(self, items: Booleans) -> Floats:
        """Return the permutations of some items; see `random_signs`."""
        return random_signs(int(items.sum()), self.n, self.seed, clusters=self.among(items))


def meta_evaluation(
    scores: ScoreTable,
    human: Floats,
    *,
    n_permutations: int = N_PERMUTATIONS,
    seed: int = 0,
    clusters: Integers | None = None,
) -> MetaEvaluation:
    """Judge each score by people's ratings. Higher scores are taken to be better, but for `scores.lower_is_better`.

    Of two systems only accuracy with ties is told: they make one pair.

    Args:
        scores: metrics' scores.
        human: people's mean ratings, shape (systems, items) as in `scores`, NaN without a rating.
        n_permutations: number of permutations of each test.
        seed: seed of the permutations.
        clusters: the number of each item's cluster, from 0 up, shape (items,), which permutations keep together; None
            for independent items.

    Raises:
        InputError: for fewer than two systems with scores and ratings.
    """
    scores = scores.with_higher_better()
    draws = _Draws(n_permutations, seed, clusters)
    notes = []
    judged = [_judged(name, values, human, scores, draws) for name, values in scores.values.items()]
    if any(each.n_systems < FEWEST_SYSTEMS for each in judged):
        notes.append(
            f"Pairwise accuracy and soft are of at least {FEWEST_SYSTEMS} systems with scores and ratings: two make "
            "one pair, and only their outputs are judged."
        )
    if any(each.soft is None and each.n_systems >= FEWEST_SYSTEMS for each in judged):
        units = "items" if clusters is None else "clusters of items"
        notes.append(
            f"No two {units} have scores and ratings of all systems, so that these cannot be compared on the same "
            "items: soft pairwise accuracy is left out, and pairwise accuracy is of means of different items."
        )
    comparable = [each for each in judged if not math.isnan(each.ties.value)]
    pairs = [_pair(one, other, scores, human, draws) for one, other in combinations(comparable, 2)]
    pairs = [pair for pair in pairs if not math.isnan(pair.ties.value)]
    if len(pairs) < math.comb(len(judged), 2):
        notes.append(
            "Scores are compared by how they order outputs of one item: they are not where no item has both scores and "
            "ratings of two systems."
        )
    return MetaEvaluation(tuple(judged), tuple(_adjusted(pairs)), tuple(notes), n_permutations)


def _judged(name: str, values: Floats, human: Floats, scores: ScoreTable, draws: _Draws) -> JudgedMetric:
    known = np.isfinite(values) & np.isfinite(human)
    systems = _systems(known, scores.systems, name)
    values, human, known = values[systems], human[systems], known[systems]
    metric_means, human_means = (
        np.array([of[row][known[row]].mean() for row in range(len(systems))]) for of in (values, human)
    )
    shared: Booleans = np.logical_and.reduce(known, axis=0)
    accuracy, soft = math.nan, None
    if len(systems) >= FEWEST_SYSTEMS:
        accuracy = pairwise_accuracy(metric_means, human_means)
        soft = _soft(values, human, shared, draws)
    return JudgedMetric(
        name,
        len(systems),
        int(shared.sum()),
        int(known.sum()),
        accuracy,
        soft,
        tie_calibrated_accuracy(values, human),
        0 if soft is None else draws.n_clusters(shared),
    )


def _systems(known: Booleans, names: Sequence[str], metric: str) -> list[int]:
    """Return the places of systems with an output that has a score and a rating.

    Raises:
        InputError: for fewer than two.
    """
    systems = np.flatnonzero(known.any(axis=1)).tolist()
    if len(systems) < _FEWEST_FOR_OUTPUTS:
        have = ", ".join(names[place] for place in systems) or "none"
        raise TooFewSystemsError(
            f"a metric is judged on at least {_FEWEST_FOR_OUTPUTS} systems with scores and ratings, but {metric!r} has "
            f"them of {have}"
        )
    return systems


def _soft(values: Floats, human: Floats, shared: Booleans, draws: _Draws) -> SoftAccuracy | None:
    if draws.n_units(shared) < _FEWEST_UNITS:
        return None
    return soft_pairwise_accuracy(values[:, shared], human[:, shared], draws.signs(shared))


def _pair(one: JudgedMetric, other: JudgedMetric, scores: ScoreTable, human: Floats, draws: _Draws) -> JudgedPair:
    """Return how two metrics differ, on the outputs that both score and people rated."""
    if other.ties.value > one.ties.value:
        one, other = other, one
    first, second = scores.values[one.metric], scores.values[other.metric]
    known = np.isfinite(first) & np.isfinite(second) & np.isfinite(human)
    systems = _systems(known, scores.systems, f"{one.metric} and {other.metric}")
    first, second, rated = (np.where(known, of, np.nan)[systems] for of in (first, second, human))
    differing = partial(metric_difference, n_permutations=draws.n, seed=draws.seed)
    shared: Booleans = np.logical_and.reduce(known[systems], axis=0)
    soft = None
    if len(systems) >= FEWEST_SYSTEMS and draws.n_units(shared) >= _FEWEST_UNITS:
        both, signs = (first[:, shared], second[:, shared]), draws.signs(shared)
        error = soft_difference_error(*both, rated[:, shared], signs)
        figure = soft_accuracy_with(rated[:, shared], signs)
        soft = differing(*both, figure, clusters=draws.among(shared), value_error=error)
    every = np.ones(known.shape[1], dtype=bool)
    ties = differing(
        first, second, lambda metric: tie_calibrated_accuracy(metric, rated).value, clusters=draws.among(every)
    )
    judged: Booleans = np.logical_or.reduce(known, axis=0)
    return JudgedPair(one.metric, other.metric, int(known[systems].sum()), soft, ties, draws.n_clusters(judged))


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

    Permutations take items as independent, as WMT does. They keep items of one cluster, such as a document, together if
    `cluster_column` names the column in the scores or in the ratings, or the ratings are a tool's that tells documents;
    `cluster_column="item"` takes all items as independent.

    Args:
        scores: tables with item, system and a column for each metric (`score_columns`), or exports of tools.
        ratings: tables with item, system and rating, exports of annotation tools, or a study's folder.
        n_permutations: number of permutations of each test.
        **columns: arguments of `read_scores`, such as `score_columns=["bleu", "comet"]`.

    Raises:
        InputError: for files that cannot be read or do not fit together, and for fewer than two systems.
    """
    from referenceless_metrics.human_evaluation.scores.table import read_scores

    files = [scores] if isinstance(scores, str) else scores
    read = read_scores(files, are_judged=True, **columns)
    named = {kind: columns.get(f"{kind}_column") for kind in ("cluster", "rater")}
    named["item"] = columns.get("item_column") or read.item_column
    sources = [ratings] if isinstance(ratings, str) else ratings
    rated = ratings_for(read, files, sources, named, columns.get("reading", BY_SUFFIX))
    return judge_scores(read, rated, n_permutations=n_permutations)


def ratings_for(
    scores: ScoreTable,
    files: Sequence[str],
    sources: Sequence[str],
    named: Mapping[str, str | None],
    reading: Reading,
    **how: Any,
) -> RatingTable:
    """Return the ratings by which scores are judged. Only in one file with both does the order of rows tell items.

    Args:
        scores: the scores.
        files: their files.
        sources: the files of ratings, or a study's folder.
        named: see `read_judged_ratings`. A column of raters that the scores lack has to be in the ratings.
        reading: see there.
        **how: likewise.

    Raises:
        InputError: like `read_judged_ratings`, and if nothing tells the items of the scores or of the ratings.
    """
    from referenceless_metrics.human_evaluation.ratings.rating_files import read_judged_ratings

    are_of_one_file = all(any(are_one_file(source, file) for file in files) for source in sources)
    if named.get("rater") is not None and not scores.have_raters:
        how["rater"] = named["rater"]
        named = {**named, "rater": None}
    ratings = read_judged_ratings(sources, named, reading, alone=are_of_one_file, **how)
    lacking = "ratings" if "item" not in ratings.frame else "scores"
    if lacking == "ratings" or (scores.is_by_order and not are_of_one_file):
        raise InputError(
            f"{' and '.join([*files, *sources])}: the {lacking} have no column of items by which scores and ratings "
            "are joined (--item-column NAME, a column of both)"
        )
    return ratings


def _counted_as_rated(scores: ScoreTable, ratings: RatingTable) -> ScoreTable:
    """Return scores of lines that nothing numbers, with lines that are counted from 0 if the ratings' items are."""
    n = len(scores.items)
    if not scores.are_lines or "item" not in ratings.frame:
        return scores
    if not count_from_0(ratings.frame["item"], n):
        have_texts = scores.texts and "text" in ratings.frame  # these tell whether items are the same
        tell([] if have_texts else on_first_line("the scores", ratings.frame["item"], n))
        return scores
    tell(["the lines of the scores are counted from 0, as the items of the ratings are"])
    return replace(scores, items=tuple(str(int(item) - 1) for item in scores.items))


def _called_as_scored(scores: ScoreTable, ratings: RatingTable) -> RatingTable:
    """Return ratings whose items are called as in the scores, by texts of both if items do not join equal ones."""
    frame = ratings.frame
    if not scores.texts or not {"system", "item", "text"} <= set(frame):
        return ratings
    known = set(scores.items)
    for items in (frame["item"], without_documents(frame)["item"]):
        keys = zip(frame["system"].map(str).str.strip(), (_named_item(item, known) for item in items), strict=True)
        scored = [plain_text(scores.texts.get(key, "")) for key in keys]
        if sum(map(eq, scored, frame["text"].map(plain_text))) >= len(frame) / 2:
            return ratings
    called = items_of_texts(frame, scores.texts, scores.items, ratings.source)
    if called is None:
        return ratings
    tell(["few items have one text in both files: scores and ratings are joined by the texts of the outputs"])
    return replace(ratings, frame=called)


def judge_scores(scores: ScoreTable, ratings: RatingTable, *, n_permutations: int = N_PERMUTATIONS) -> MetaEvaluation:
    """Judge the scores of a table by a table of ratings; clusters that either has are permuted whole.

    Raises:
        InputError: like `ratings_by_output` and `meta_evaluation`.
    """
    scores = _counted_as_rated(scores, ratings)
    ratings = _called_as_scored(scores, ratings)
    human, notes = ratings_by_output(ratings, scores)
    found = meta_evaluation(scores, human, n_permutations=n_permutations, clusters=_clusters(ratings, scores))
    n_raters = ratings.frame["rater"].nunique() if "rater" in ratings.frame else 0
    return replace(
        found, notes=(*notes, *found.notes), given_by=ratings.given_by, n_raters=n_raters, asked=ratings.asked
    )

"""Studies drawn from fitted variances, or from the judgements themselves, and the share of their intervals that hold.

Five systems that people rate alike are drawn: each interval of a difference should hold 0, and after Holm's correction
hardly a study should show a difference. Intervals and tests do not depend on the size of other differences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_metrics.human_evaluation.inference.borrowed_variance import (
    added_variances,
    interval_of_equal_differences,
)
from referenceless_metrics.human_evaluation.inference.crossed import Crossed, crossed
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference, holm, on_scale, share_p_value
from referenceless_metrics.human_evaluation.studies.planning import VarianceComponents
from referenceless_papers.study_designs.judgements import JudgedSet

N_SYSTEMS = 5
N_RATERS = 20
LEVEL = 0.95
_TIE = 0.25  # of the spread of differences, below which a preference is a tie
_DESIGNS = 10
FEW_RATERS, VIEWS = 6, 10
"""A small number of raters, and the factor of the variance of their views of systems over a set's."""

Array = Floats
Codes = Integers


@dataclass(frozen=True)
class Cell:
    """Record of the intervals in one kind of study.

    Attributes:
        judged: the set whose variances were taken.
        design: design of the study, in words.
        n_items: its items.
        n_raters: raters of each item.
        coverage: the share of intervals that hold the truth, over pairs of systems.
        worst: the same of the pair for which it is smallest.
        error: the standard error of `coverage`, by the number of draws.
        wider: mean ratio of their width to that of Student's t intervals; NaN if it is not asked.
        these: the same for these raters, of their ratings of all items; NaN if it is not asked.
        false_higher: the share of studies that show any difference, after Holm, of each system with the first.
        false_pairs: the same over all pairs.
        narrower: mean share by which intervals are narrower than those of independent samples.
        narrower_these: the same of intervals for these raters, whom alone the former ones were of.
        by_design: the same by Student's t in place of these, like the former ones: the saving by pairing alone.
    """

    judged: str
    design: str
    n_items: int
    n_raters: int
    coverage: float
    worst: float
    error: float
    wider: float
    these: float
    false_higher: float
    false_pairs: float
    narrower: float
    narrower_these: float
    by_design: float


def paired_cell(
    judged: JudgedSet, n_items: int, n_raters: int, *, fixed: bool, n_draws: int, seed: int, few: bool = False
) -> Cell:
    """Draw studies in which each item's raters rate all systems.

    Args:
        judged: the set whose name, variances and knowledge of raters the studies have.
        n_items: items of a study.
        n_raters: raters of each item.
        fixed: whether the same raters rate all items; else each item's are drawn from `N_RATERS`.
        n_draws: studies.
        seed: seed of the draws.
        few: whether they are drawn from `FEW_RATERS`, whose views of systems vary `VIEWS` times as much.
    """
    components = judged.components
    if few:
        components = replace(components, rater_system=VIEWS * components.rater_system)
    generator = np.random.default_rng(seed)
    held, these, shown, shown_pairs, widths, narrow, before, plain = [], [], [], [], [], [], [], []
    pairs = list(combinations(range(N_SYSTEMS), 2))
    for _ in range(_DESIGNS):
        items, raters = _assignment(generator, n_items, n_raters, FEW_RATERS if few else N_RATERS, fixed=fixed)
        draws = n_draws // _DESIGNS
        ratings, of_raters = drawn_ratings(generator, components, items, raters, draws)
        n = len(items)
        weights = np.full(n, 1 / n)
        p = np.zeros((len(pairs), draws))
        inside, inside_these = np.zeros((len(pairs), draws)), np.zeros((len(pairs), draws))
        found = steadied(
            [
                crossed(ratings[b] - ratings[a], weights, items, raters if judged.raters_known else None)
                for a, b in pairs
            ],
            n_items,
        )
        for place, (a, b) in enumerate(pairs):
            said, of_raters_alone, student = found[place]
            reach, p[place] = _reach(said), p_values(said)
            plain.append(float(_reach(student).mean()))
            inside[place] = np.abs(said.value) <= reach
            truth = weights @ (of_raters[b] - of_raters[a])
            of_these = _reach(of_raters_alone)
            inside_these[place] = np.abs(said.value - truth) <= of_these
            widths.append(float(reach.mean()))
            narrow.append(float(of_these.mean()))
            before.append(float(_welch(ratings[a], ratings[b], items, n_items).mean()))
        held.append(inside.mean(axis=1))
        these.append(inside_these.mean(axis=1))
        adjusted = [(holm(p[: N_SYSTEMS - 1, draw].tolist()), holm(p[:, draw].tolist())) for draw in range(draws)]
        shown.append(np.mean([min(each[0]) <= 1 - LEVEL for each in adjusted]))
        shown_pairs.append(np.mean([min(each[1]) <= 1 - LEVEL for each in adjusted]))
    of_pairs = np.mean(held, axis=0)
    return Cell(
        judged.name,
        f"paired, {FEW_RATERS} raters, views × {VIEWS}" if few else "paired, the same raters" if fixed else "paired",
        n_items,
        n_raters,
        float(of_pairs.mean()),
        float(of_pairs.min()),
        _error(of_pairs.mean(), n_draws),
        float(np.sum(widths) / np.sum(plain)),
        float(np.mean(these)),
        float(np.mean(shown)),
        float(np.mean(shown_pairs)),
        1 - float(np.sum(widths) / np.sum(before)),
        1 - float(np.sum(narrow) / np.sum(before)),
        1 - float(np.sum(plain) / np.sum(before)),
    )


def unpaired_cell(judged: JudgedSet, n_items: int, n_raters: int, *, n_draws: int, seed: int) -> Cell:
    """Draw studies in which each system is rated on items of its own, by raters from the same `N_RATERS`."""
    generator = np.random.default_rng(seed)
    held, shown, widths, before = [], [], [], []
    for _ in range(_DESIGNS):
        draws = n_draws // _DESIGNS
        assigned = [_assignment(generator, n_items, n_raters, fixed=False) for _ in range(N_SYSTEMS)]
        items = np.concatenate([own + place * n_items for place, (own, _) in enumerate(assigned)])
        raters = np.concatenate([own for _, own in assigned])
        ratings, _ = drawn_ratings(generator, judged.components, items, raters, draws)
        n = n_items * n_raters
        rows = [slice(place * n, (place + 1) * n) for place in range(N_SYSTEMS)]
        p = np.zeros((N_SYSTEMS - 1, draws))
        pairs = list(combinations(range(N_SYSTEMS), 2))
        drawn = []
        for one, other in pairs:
            both = [np.concatenate([codes[rows[other]], codes[rows[one]]]) for codes in (items, raters)]
            values = np.concatenate([ratings[other][rows[other]], ratings[one][rows[one]]])
            of_both = both[1] if judged.raters_known else None
            drawn.append(crossed(values, np.repeat([1 / n, -1 / n], n), both[0], of_both, np.repeat([0, 1], n)))
        each_pair = dict(zip(pairs, steadied(drawn, n_items), strict=True))
        for place in range(1, N_SYSTEMS):
            values = np.concatenate([ratings[place][rows[place]], ratings[0][rows[0]]])
            found = each_pair[0, place][0]
            reach, p[place - 1] = _reach(found), p_values(found)
            held.append(np.mean(np.abs(found.value) <= reach))
            widths.append(float(reach.mean()))
            of = assigned[place][0], assigned[0][0]
            before.append(float(_welch(values[:n], values[n:], of[0], n_items, of[1]).mean()))
        shown.append(np.mean([min(holm(p[:, draw].tolist())) <= 1 - LEVEL for draw in range(draws)]))
    of_pairs = np.array(held).reshape(_DESIGNS, -1).mean(axis=0)
    nan = float("nan")
    return Cell(
        judged.name,
        "not paired",
        n_items,
        n_raters,
        float(of_pairs.mean()),
        float(of_pairs.min()),
        _error(of_pairs.mean(), n_draws),
        nan,
        nan,
        float(np.mean(shown)),
        nan,
        1 - float(np.sum(widths) / np.sum(before)),
        nan,
        nan,
    )


def preference_cell(judged: JudgedSet, n_items: int, n_raters: int, *, n_draws: int, seed: int) -> Cell:
    """Draw preferences between two systems from two ratings of one rater; small differences are ties."""
    generator = np.random.default_rng(seed)
    held, shown = [], []
    for _ in range(_DESIGNS):
        items, raters = _assignment(generator, n_items, n_raters, fixed=False)
        ratings, _ = drawn_ratings(generator, judged.components, items, raters, n_draws // _DESIGNS)
        differences = ratings[1] - ratings[0]
        shares = np.where(np.abs(differences) < _TIE * differences.std(), 0.5, differences > 0)
        n = len(items)
        found = crossed(shares, np.full(n, 1 / n), items, raters if judged.raters_known else None).said
        for drawn in zip(found.value, found.standard_error, found.degrees_of_freedom, strict=True):
            rate = Inference(*drawn, skewness=0.0)
            low, high = on_scale(rate, LEVEL, (0.0, 1.0), n_items, 0.5)
            held.append(low <= 0.5 <= high)
            shown.append(share_p_value(rate, LEVEL, n_items) <= 1 - LEVEL)
    nan, coverage = float("nan"), float(np.mean(held))
    error, false = _error(coverage, n_draws), float(np.mean(shown))
    of = judged.name, "preferences", n_items, n_raters
    return Cell(*of, coverage, coverage, error, nan, nan, false, nan, nan, nan, nan)


def resampled_cell(
    judged: str,
    pairs: Mapping[tuple[int, int], Array],
    n_items: int,
    *,
    n_systems: int,
    scale_width: float | None,
    n_draws: int,
    seed: int,
) -> Cell | None:
    """Resample the items of real pairs of judgements, by one rater each; the truth is the mean over all of a pair's.

    Args:
        judged: the set's name.
        pairs: judgements of two systems each, (m, 4): item, rater and the two ratings.
        n_items: items of a draw; pairs with fewer are left out.
        n_systems: number of systems of a study, 2 or 3: in the latter a third system's pairs tell of variances, too.
        scale_width: distance of the ends of the scale; None for ratings on no declared scale.
        n_draws: studies of each pair.
        seed: seed of the draws.

    Returns:
        None if no pair has enough items.
    """
    generator = np.random.default_rng(seed)
    drawn, truths, before = {}, {}, {}
    for pair, rows in pairs.items():
        _, first = np.unique(rows[:, 0], return_index=True)
        if len(first) >= max(n_items, 10):
            which, codes = generator.integers(0, len(first), (n_items, n_draws)), np.arange(n_items)
            one, other = rows[first, 2], rows[first, 3]
            drawn[pair] = crossed((other - one)[which], np.full(n_items, 1 / n_items), codes)
            truths[pair] = (other - one).mean()
            before[pair] = float(_welch(one[which], other[which], codes, n_items).mean())
    names = sorted({name for pair in drawn for name in pair})
    held, reaches, plain, independent = [], [], [], []
    for pair, found in drawn.items():
        thirds = [
            [drawn[other] for name in pair if (other := (min(name, third), max(name, third))) in drawn]
            for third in names
            if third not in pair
        ]
        thirds = [both for both in thirds if len(both) == 2]
        beside = [] if n_systems == 2 else thirds[int(generator.integers(len(thirds)))] if thirds else None
        if beside is None:
            continue
        said, _, student = steadied([found, *beside], n_items, scale_width)[0]
        reach = _reach(said)
        if scale_width is not None:
            bound = [interval_of_equal_differences(value, n_items, scale_width, LEVEL) for value in said.value]
            low, high = np.array(bound).T
            low, high = (
                np.where(student.standard_error == 0, bounds, said.value + sign * reach)
                for bounds, sign in ((low, -1), (high, 1))
            )
        else:
            low, high = said.value - reach, said.value + reach
        held.append(np.mean((low <= truths[pair]) & (truths[pair] <= high)))
        reaches.append(float((high - low).mean() / 2))
        plain.append(float(_reach(student).mean()))
        independent.append(before[pair])
    if not held:
        return None
    nan, narrower = float("nan"), 1 - float(np.sum(reaches) / np.sum(independent))
    scale = "" if scale_width is None else ", scale declared"
    return Cell(
        judged,
        f"real, paired ({len(held)} pairs; {n_systems} systems{scale})",
        n_items,
        1,
        float(np.mean(held)),
        float(np.min(held)),
        _error(float(np.mean(held)), n_draws * len(held)),
        float(np.sum(reaches) / np.sum(plain)),
        nan,
        nan,
        nan,
        narrower,
        narrower,
        1 - float(np.sum(plain) / np.sum(independent)),
    )


def steadied(
    found: Sequence[Crossed], n_items: int, scale_width: float | None = None
) -> list[tuple[Inference, Inference, Inference]]:
    """Return each difference of a study for raters drawn anew, for its own raters alone, and this by Student's t.

    If raters are not known the first two are one.
    """
    these = [each.these or each.said for each in found]
    added = added_variances(these, [n_items] * len(found), scale_width)
    both = zip(found, these, added, strict=True)
    return [
        ((each.others or alone).widened(variance), alone.widened(variance), alone) for each, alone, variance in both
    ]


def _error(share: float, n: int) -> float:
    return float(np.sqrt(share * (1 - share) / n))


def _assignment(
    generator: np.random.Generator, n_items: int, n_raters: int, pool: int = N_RATERS, *, fixed: bool
) -> tuple[Codes, Codes]:
    items = np.repeat(np.arange(n_items), n_raters)
    if fixed:
        return items, np.tile(np.arange(n_raters), n_items)
    return items, np.concatenate([generator.choice(pool, n_raters, replace=False) for _ in range(n_items)])


def drawn_ratings(
    generator: np.random.Generator, components: VarianceComponents, items: Codes, raters: Codes, draws: int
) -> tuple[list[Array], list[Array]]:
    """Return each system's ratings, (n, draws), and the part of them that is these raters' own view of the system."""
    block = np.unique(np.stack([items, raters]), axis=1, return_inverse=True)[1].ravel()

    def effect(codes: Codes, variance: float) -> Array:
        found: Array = np.sqrt(variance) * generator.normal(size=(int(codes.max()) + 1, draws))[codes]
        return found

    one = components
    shared = effect(items, one.item) + effect(raters, one.rater) + effect(block, one.rater_item)
    views = [effect(raters, one.rater_system) for _ in range(N_SYSTEMS)]
    single = np.arange(len(items))
    ratings = [shared + view + effect(items, one.item_system) + effect(single, one.rest) for view in views]
    return ratings, views


def _welch(one: Array, other: Array, items: Codes, n_items: int, items_of_other: Codes | None = None) -> Array:
    """Return half the width of the interval of independent samples of outputs, as `human-score` gave it before."""
    n = np.bincount(items, minlength=n_items)[:, None]
    means = [np.zeros((n_items, one.shape[1])) for _ in range(2)]
    np.add.at(means[0], items, one)
    np.add.at(means[1], items if items_of_other is None else items_of_other, other)
    left, right = ((mean / n).var(axis=0, ddof=1) / n_items for mean in means)
    total = left + right
    squares = np.maximum((left**2 + right**2) / (n_items - 1), 1e-300)
    found = Inference(0.0, np.sqrt(total), np.maximum(total**2 / squares, 1.0), 0.0)
    return _reach(found)


def _reach(found: Inference) -> Array:
    """Return half the width of the interval in each draw."""
    return np.asarray(found.width(LEVEL) / 2)


def p_values(found: Inference) -> Array:
    """Return the p of 0 in each draw."""
    from scipy.special import stdtr

    error = np.maximum(found.standard_error, 1e-150)
    return np.asarray(2 * stdtr(found.degrees_of_freedom, -np.abs(found.value) / error))

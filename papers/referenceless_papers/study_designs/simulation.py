"""Studies drawn from fitted variances, or from the judgements themselves, and what intervals of them hold.

Five systems that people rate alike are drawn: each interval of a difference should hold 0, and after Holm's correction
hardly a study should show a difference. Intervals and tests do not depend on how far systems differ otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from metric_commons.support.validation import Floats, Integers
from metric_commons.systems.crossed import crossed
from metric_commons.systems.inference import Inference, holm, on_scale, share_p_value
from metric_commons.systems.studies.planning import VarianceComponents

N_SYSTEMS = 5
N_RATERS = 20
LEVEL = 0.95
_TIE = 0.25  # of the spread of differences, below which a preference is a tie
_DESIGNS = 10
_UNPAIRED_DESIGNS = 4

Array = Floats
Codes = Integers


@dataclass(frozen=True)
class Cell:
    """How intervals did in one kind of study.

    Attributes:
        judged: the set whose variances were taken.
        design: of the study, in words.
        n_items: its items.
        n_raters: raters of each item.
        coverage: the share of intervals that hold the truth, over pairs of systems.
        worst: the same of the pair for which it is smallest.
        these: the same for these raters, of what they would say of all items; NaN where it is not asked.
        false_higher: the share of studies that show any difference, after Holm, of each system with the first.
        false_pairs: the same over all pairs.
        narrower: by which share intervals are narrower than those of independent samples, in the mean.
        narrower_these: the same of intervals for these raters, whom alone the former ones were of.
    """

    judged: str
    design: str
    n_items: int
    n_raters: int
    coverage: float
    worst: float
    these: float
    false_higher: float
    false_pairs: float
    narrower: float
    narrower_these: float


def paired_cell(
    judged: str,
    components: VarianceComponents,
    n_items: int,
    n_raters: int,
    *,
    fixed: bool,
    n_draws: int,
    seed: int,
    raters_known: bool = True,
) -> Cell:
    """Draw studies in which each item's raters rate all systems.

    Args:
        judged: the set's name.
        components: how ratings vary.
        n_items: items of a study.
        n_raters: raters of each item.
        fixed: whether the same raters rate all items; else each item's are drawn from `N_RATERS`.
        n_draws: studies.
        seed: of the draws.
        raters_known: whether the table of ratings tells the raters.
    """
    generator = np.random.default_rng(seed)
    held, these, shown, shown_pairs, widths, narrow, before = [], [], [], [], [], [], []
    pairs = list(combinations(range(N_SYSTEMS), 2))
    for _ in range(_DESIGNS):
        items, raters = _assignment(generator, n_items, n_raters, fixed=fixed)
        draws = n_draws // _DESIGNS
        ratings, of_raters = _ratings(generator, components, items, raters, draws)
        n = len(items)
        weights = np.full(n, 1 / n)
        p = np.zeros((len(pairs), draws))
        inside, inside_these = np.zeros((len(pairs), draws)), np.zeros((len(pairs), draws))
        for place, (a, b) in enumerate(pairs):
            differences = ratings[b] - ratings[a]
            found = crossed(differences, weights, [items], raters if raters_known else None)
            reach, p[place] = _reach(found.said), _p_values(found.said)
            inside[place] = np.abs(found.these.value) <= reach
            truth = weights @ (of_raters[b] - of_raters[a])
            of_these = _reach(found.these)
            inside_these[place] = np.abs(found.these.value - truth) <= of_these
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
        judged,
        "paired, the same raters" if fixed else "paired",
        n_items,
        n_raters,
        float(of_pairs.mean()),
        float(of_pairs.min()),
        float(np.mean(these)),
        float(np.mean(shown)),
        float(np.mean(shown_pairs)),
        1 - float(np.sum(widths) / np.sum(before)),
        1 - float(np.sum(narrow) / np.sum(before)),
    )


def unpaired_cell(
    judged: str, components: VarianceComponents, n_items: int, n_raters: int, *, n_draws: int, seed: int
) -> Cell:
    """Draw studies in which each system is rated on items of its own, by raters from the same `N_RATERS`."""
    generator = np.random.default_rng(seed)
    held, shown, widths, before = [], [], [], []
    for _ in range(_UNPAIRED_DESIGNS):
        draws = n_draws // _UNPAIRED_DESIGNS
        assigned = [_assignment(generator, n_items, n_raters, fixed=False) for _ in range(N_SYSTEMS)]
        items = np.concatenate([own + place * n_items for place, (own, _) in enumerate(assigned)])
        raters = np.concatenate([own for _, own in assigned])
        ratings, _ = _ratings(generator, components, items, raters, draws)
        n = n_items * n_raters
        rows = [slice(place * n, (place + 1) * n) for place in range(N_SYSTEMS)]
        p = np.zeros((N_SYSTEMS - 1, draws))
        for place in range(1, N_SYSTEMS):
            both = [np.concatenate([codes[rows[place]], codes[rows[0]]]) for codes in (items, raters)]
            values = np.concatenate([ratings[place][rows[place]], ratings[0][rows[0]]])
            weights = np.repeat([1 / n, -1 / n], n)
            found = crossed(values, weights, [both[0]], both[1], np.repeat([0, 1], n)).said
            reach, p[place - 1] = _reach(found), _p_values(found)
            held.append(np.mean(np.abs(found.value) <= reach))
            widths.append(float(reach.mean()))
            of = assigned[place][0], assigned[0][0]
            before.append(float(_welch(values[:n], values[n:], of[0], n_items, of[1]).mean()))
        shown.append(np.mean([min(holm(p[:, draw].tolist())) <= 1 - LEVEL for draw in range(draws)]))
    of_pairs = np.array(held).reshape(_UNPAIRED_DESIGNS, -1).mean(axis=0)
    nan = float("nan")
    return Cell(
        judged,
        "not paired",
        n_items,
        n_raters,
        float(of_pairs.mean()),
        float(of_pairs.min()),
        nan,
        float(np.mean(shown)),
        nan,
        1 - float(np.sum(widths) / np.sum(before)),
        nan,
    )


def preference_cell(
    judged: str, components: VarianceComponents, n_items: int, n_raters: int, *, n_draws: int, seed: int
) -> Cell:
    """Draw preferences between two systems: by which rating of one rater is higher, ties where they differ little."""
    generator = np.random.default_rng(seed)
    held, shown = [], []
    for _ in range(_DESIGNS):
        items, raters = _assignment(generator, n_items, n_raters, fixed=False)
        ratings, _ = _ratings(generator, components, items, raters, n_draws // _DESIGNS)
        differences = ratings[1] - ratings[0]
        shares = np.where(np.abs(differences) < _TIE * differences.std(), 0.5, differences > 0)
        n = len(items)
        found = crossed(shares, np.full(n, 1 / n), [items], raters).said
        for drawn in zip(found.value, found.standard_error, found.degrees_of_freedom, strict=True):
            rate = Inference(*drawn, skewness=0.0)
            low, high = on_scale(rate, LEVEL, (0.0, 1.0), n_items, 0.5)
            held.append(low <= 0.5 <= high)
            shown.append(share_p_value(rate, LEVEL, n_items) <= 1 - LEVEL)
    nan, coverage = float("nan"), float(np.mean(held))
    return Cell(judged, "preferences", n_items, n_raters, coverage, coverage, nan, float(np.mean(shown)), nan, nan, nan)


def resampled_cell(judged: str, pairs: Sequence[Array], n_items: int, *, n_draws: int, seed: int) -> Cell | None:
    """Resample the items of real pairs of judgements, by one rater each; the truth is the mean over all of a pair's.

    Args:
        judged: the set's name.
        pairs: of two systems each, (m, 4): item, rater and the two ratings.
        n_items: items of a draw; pairs with fewer are left out.
        n_draws: over all pairs.
        seed: of the draws.

    Returns:
        None where no pair has enough items.
    """
    generator = np.random.default_rng(seed)
    usable = [rows for rows in pairs if len(np.unique(rows[:, 0])) >= max(n_items, 10)]
    if not usable:
        return None
    held, shown, widths, before = [], [], 0.0, 0.0
    for rows in usable:
        _, first = np.unique(rows[:, 0], return_index=True)
        values = rows[first, 3] - rows[first, 2]
        draws = max(n_draws // len(usable), 10)
        which = generator.integers(0, len(values), (n_items, draws))
        drawn = values[which]
        codes = np.arange(n_items)
        found = crossed(drawn - values.mean(), np.full(n_items, 1 / n_items), [codes]).said
        reach = _reach(found)
        held.append(np.mean(np.abs(found.value) <= reach))
        shown.append(np.mean(_p_values(found) <= 1 - LEVEL))
        widths += float(reach.mean())
        before += float(_welch(rows[first, 2][which], rows[first, 3][which], codes, n_items).mean())
    nan = float("nan")
    return Cell(
        judged,
        f"real, paired ({len(usable)} pairs)",
        n_items,
        1,
        float(np.mean(held)),
        float(np.min(held)),
        nan,
        nan,
        nan,
        1 - widths / before,
        1 - widths / before,
    )


def _assignment(generator: np.random.Generator, n_items: int, n_raters: int, *, fixed: bool) -> tuple[Codes, Codes]:
    items = np.repeat(np.arange(n_items), n_raters)
    if fixed:
        return items, np.tile(np.arange(n_raters), n_items)
    drawn = np.concatenate([generator.choice(N_RATERS, n_raters, replace=False) for _ in range(n_items)])
    return items, np.unique(drawn, return_inverse=True)[1]


def _ratings(
    generator: np.random.Generator, components: VarianceComponents, items: Codes, raters: Codes, draws: int
) -> tuple[list[Array], list[Array]]:
    """Return each system's ratings, (n, draws), and what of them is these raters' own view of the system."""
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
    found = Inference(0.0, np.sqrt(total), total**2 / ((left**2 + right**2) / (n_items - 1)), 0.0)
    return _reach(found)


def _reach(found: Inference) -> Array:
    """Return half the width of the interval in each draw."""
    return np.asarray(found.width(LEVEL) / 2)


def _p_values(found: Inference) -> Array:
    """Return the p of 0 in each draw."""
    from scipy.special import stdtr

    error = np.maximum(found.standard_error, 1e-150)
    return np.asarray(2 * stdtr(found.degrees_of_freedom, -np.abs(found.value) / error))

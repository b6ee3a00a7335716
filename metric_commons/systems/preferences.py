"""Preferences between outputs of two systems for one item: win rates, sign tests, and Bradley-Terry strengths."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.errors import InputError
from metric_commons.support.installation import import_extra
from metric_commons.support.validation import check_choice
from metric_commons.systems.crossed import Crossed, crossed
from metric_commons.systems.inference import LEVEL, Inference, holm, share_interval, share_p_value
from metric_commons.systems.output_ratings import FEWEST_RATINGS
from metric_commons.systems.rated_means import Part, powered

TIES = ("half", "apart")
"""What a tie is: half a win of each, or no part of the win rate."""

Estimates = Mapping[tuple[str, str], float]
"""A metric's estimates by system and item."""

_FAR = 10.0  # log odds: beyond it one system has won throughout


@dataclass(frozen=True, eq=False)
class Preferences:
    """n preferences.

    Attributes:
        source: what to call them in a message.
        items: of each, n names.
        first: one system.
        second: the other.
        shares: 1 where the output of `first` is better, 0 where that of `second` is, .5 for a tie, shape (n,).
        raters: who judged; None where not known.
        weights: how many items each one's stands for, shape (n,); None where all stand for as many.
        n_missing: preferences that were asked for and are not there.
    """

    source: str
    items: Sequence[str]
    first: Sequence[str]
    second: Sequence[str]
    shares: NDArray[np.float64]
    raters: Sequence[str] | None = None
    weights: NDArray[np.float64] | None = None
    n_missing: int = 0


@dataclass(frozen=True)
class WinRate:
    """How often people prefer a system to another.

    Attributes:
        system: the system's name.
        baseline: the other's.
        wins: judgements for the system.
        ties: for neither.
        losses: for the other.
        n_items: how many items they are of.
        rate: the share of wins, an item counting once: from preferences and estimates together.
        alone: the same from the preferences.
        raters: for these raters and for others; its `said` is `rate`.
        sign_p: two-sided p of the exact sign test over items, each counting for the system that won it more often.
        level: of the interval.
        p_adjusted: p of a rate of one half, adjusted for the number of comparisons (Holm).
    """

    system: str
    baseline: str
    wins: int
    ties: int
    losses: int
    n_items: int
    rate: Inference
    alone: Inference
    raters: Crossed
    sign_p: float
    level: float
    p_adjusted: float = float("nan")

    @property
    def p_value(self) -> float:
        """Two-sided p of a rate of one half."""
        return share_p_value(self.rate, self.level, self.n_items)

    @property
    def is_shown(self) -> bool:
        """Whether the preferences show that one system is preferred: the adjusted p is at most 1 − level."""
        return self.p_adjusted <= 1 - self.level

    def interval(self, rate: Inference | None = None) -> tuple[float, float]:
        """Return the interval of the rate, or of another inference of it, from 0 to 1."""
        return share_interval(rate or self.rate, self.level, self.n_items)


@dataclass(frozen=True)
class Strength:
    """A system's Bradley-Terry strength.

    Attributes:
        system: the system's name.
        log_odds: of being preferred to the baseline, with its error; of the baseline 0 without one.
        raters: for these raters and for others; its `said` is `log_odds`.
    """

    system: str
    log_odds: Inference
    raters: Crossed | None


def win_rates(
    given: Preferences,
    systems: Sequence[str],
    *,
    level: float = LEVEL,
    comparisons: str = "baseline",
    ties: str = "half",
    estimates: Estimates | None = None,
) -> tuple[WinRate, ...]:
    """Return how often each system is preferred to the baseline, or to each system before it.

    Args:
        given: the preferences.
        systems: their systems, the baseline first.
        level: the nominal level of the intervals.
        comparisons: `baseline` or `all`; p values are adjusted for their number (Holm).
        ties: `half` or `apart`; see `TIES`.
        estimates: of the systems' outputs of all items, whose differences narrow the intervals as far as they agree.

    Raises:
        InputError: for a pair with preferences on fewer than 10 items.
        ValueError: for an unknown choice.
    """
    check_choice(ties, "ties", TIES)
    pairs = [
        (a, b) for place, b in enumerate(systems) for a in systems[:place] if comparisons == "all" or a == systems[0]
    ]
    found = []
    for baseline, system in pairs:
        one = _win_rate(given, system, baseline, level, ties, estimates or {})
        if one is not None:
            found.append(one)
    if not found:
        raise InputError(f"{given.source}: there are no preferences between the systems that are compared")
    adjusted = holm([one.p_value for one in found])
    return tuple(replace(one, p_adjusted=p) for one, p in zip(found, adjusted, strict=True))


def _win_rate(
    given: Preferences, system: str, baseline: str, level: float, ties: str, estimates: Estimates
) -> WinRate | None:
    pairs = zip(given.first, given.second, strict=True)
    signs = np.array([1 if pair == (system, baseline) else -1 if pair == (baseline, system) else 0 for pair in pairs])
    rows = np.flatnonzero(signs)
    if not len(rows):
        return None
    shares = np.where(signs > 0, given.shares, 1 - given.shares)[rows]
    counts = int((shares > 0.5).sum()), int((shares == 0.5).sum()), int((shares < 0.5).sum())
    names, items = np.unique(np.array(given.items)[rows], return_inverse=True)
    n_items = len(names)
    net = np.bincount(items, shares - 0.5)
    if ties == "apart":
        kept = shares != 0.5
        rows, shares, items = rows[kept], shares[kept], items[kept]
        left, items = np.unique(items, return_inverse=True)
        names = names[left]
    if len(names) < FEWEST_RATINGS:
        raise InputError(
            f"{given.source}: {len(names)} items have preferences between {system} and {baseline}, too few for an "
            f"interval; ask for at least {FEWEST_RATINGS}, drawn at random"
        )
    raters = None if given.raters is None else _numbers(given.raters)[rows]
    stands_for = np.ones(len(rows)) if given.weights is None else given.weights[rows]
    weights = stands_for / np.bincount(items)[items]
    weights /= weights.sum()
    contrast = {
        item: value - estimates[baseline, item]
        for (of, item), value in estimates.items()
        if of == system and (baseline, item) in estimates
    }
    of_items = np.array([contrast.get(str(name), np.nan) for name in names])
    unrated = np.array([value for item, value in contrast.items() if item not in set(names)])
    if np.isnan(of_items).any() or np.ptp(stands_for):  # an item without estimates, or strata: they are not used
        of_items, unrated = np.zeros(len(names)), np.zeros(0)
    part = Part(shares, weights, [items], raters)
    alone, found, _ = powered(
        part, np.bincount(items, shares) / np.bincount(items), of_items, of_items[items], unrated, level
    )
    from scipy.stats import binomtest

    decided = int((net != 0).sum())
    sign_p = float(binomtest(int((net > 0).sum()), decided).pvalue) if decided else 1.0
    return WinRate(system, baseline, *counts, n_items, found.said, alone.said, found, sign_p, level)


def strengths(given: Preferences, systems: Sequence[str]) -> tuple[Strength, ...]:
    """Return Bradley-Terry strengths, as log odds of being preferred to the first system.

    Bradley & Terry (1952), "Rank analysis of incomplete block designs", Biometrika 39, a tie counting as half a win of
    each; the fit is that of the package `evalica`. Errors are those of the estimating equations, clustered by items and
    raters (Cameron, Gelbach & Miller 2011; see `crossed`): each preference's residual, times what it moves the
    strength.

    Raises:
        ImportError: without evalica; the message names the extra.
        InputError: where a system has won, or lost, throughout, so that its strength has no bound.
    """
    won = {name: [float(s) for s, a in zip(given.shares, given.first, strict=True) if a == name] for name in systems}
    for share, name in zip(given.shares, given.second, strict=True):
        won[name].append(1 - float(share))
    if any(set(shares) in ({0.0}, {1.0}) for shares in won.values()):
        raise InputError(f"{given.source}: a system has won or lost throughout, so there is no Bradley-Terry strength")
    evalica = import_extra("evalica", "preferences", "Bradley-Terry strengths")
    winner = {1.0: evalica.Winner.X, 0.5: evalica.Winner.Draw, 0.0: evalica.Winner.Y}
    result = evalica.bradley_terry(
        list(given.first),
        list(given.second),
        [winner[float(share)] for share in given.shares],
        tolerance=1e-10,
        limit=10_000,
    )
    with np.errstate(all="ignore"):
        logs = np.log([float(result.scores[name]) for name in systems])
    if not np.isfinite(logs).all() or np.ptp(logs) > _FAR:
        raise InputError(
            f"{given.source}: some systems always win against others: there are no Bradley-Terry strengths"
        )
    logs -= logs[0]
    places = {name: place for place, name in enumerate(systems)}
    n = len(given.shares)
    design = np.zeros((n, len(systems)))
    design[np.arange(n), [places[name] for name in given.first]] += 1
    design[np.arange(n), [places[name] for name in given.second]] -= 1
    expected = 1 / (1 + np.exp(-design @ logs))
    bread = np.linalg.pinv(design.T @ (design * (expected * (1 - expected))[:, None]))
    moved = (design @ bread) * (given.shares - expected)[:, None]
    items = _numbers(given.items)
    raters = None if given.raters is None else _numbers(given.raters)
    found = [Strength(systems[0], Inference(0.0, 0.0, math.inf, 0.0), None)]
    for place in range(1, len(systems)):
        values = n * (moved[:, place] - moved[:, 0])
        error = crossed(values, np.full(n, 1 / n), np.zeros(n, dtype=np.int64), [items], raters, fitted=0)
        found.append(_strength(systems[place], float(logs[place]), error))
    return tuple(found)


def _numbers(names: Sequence[str]) -> NDArray[np.int64]:
    return np.unique(np.array(names), return_inverse=True)[1].astype(np.int64)


def _strength(system: str, value: float, error: Crossed) -> Strength:
    def at(one: Inference) -> Inference:
        return replace(one, value=value, skewness=0.0)

    raters = replace(error, these=at(error.these), others=error.others and at(error.others))
    return Strength(system, raters.said, raters)

"""Preferences between outputs of two systems for one item: win rates, and Bradley-Terry strengths.

Preferences are a table with one row each: `item`, `system_a`, `system_b`, `preference` (1 if the output of `system_a`
is better, 0 if that of `system_b` is, .5 for a tie) and, if they are known, `rater`, `cluster` (the item's cluster) and
`weight` (number of items that this one stands for).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from referenceless_metrics.core.support.validation import Floats, InputError, Integers
from referenceless_metrics.human_evaluation.inference.crossed import crossed
from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL, Inference, on_scale, share_p_value
from referenceless_metrics.human_evaluation.inference.human_score import Contrast, adjusted, pairs_of
from referenceless_metrics.human_evaluation.inference.output_ratings import FEWEST_RATINGS
from referenceless_metrics.human_evaluation.inference.rater_weights import weights_of_ratings

if TYPE_CHECKING:
    import pandas as pd

PREFERENCE_TEST = "Student's t against one half, or Jeffreys' interval of a share where its p is greater"
"""The test of a win rate, in words; see `WinRate.p_value`."""

_FAR = 10.0  # log odds: beyond it one system has won throughout
_CLOSE = 1e-10  # log odds
_MOST_STEPS = 100


@dataclass(frozen=True, kw_only=True)
class WinRate(Contrast):
    """Win rate of a system against another: the share of wins, each item counting once.

    Attributes:
        EQUAL: the rate of two systems that people like alike.
        EQUAL_TOLD: the same in words.
        wins: judgements for the system.
        ties: judgements for neither.
        losses: judgements for the other.
        n_effective: number of items of one weight that would tell the rate as well; `n_items` if all weigh alike.
    """

    EQUAL: ClassVar[float] = 0.5
    EQUAL_TOLD: ClassVar[str] = "one half"
    wins: int
    ties: int
    losses: int
    n_effective: float

    @property
    def p_value(self) -> float:
        """Two-sided p of a rate of one half."""
        return self._p_of(self.mean)

    def _p_of(self, mean: Inference) -> float:
        return share_p_value(mean, self.level, self.n_effective)

    @property
    def test(self) -> str:
        """The test that gave p, in words: the one of two whose p is greater."""
        by_t, of_share = "Student's t against one half", "Jeffreys' interval of a share"
        tests = (of_share, by_t) if self.p_value > self.mean.p_value(self.EQUAL) else (by_t, of_share)
        return f"{tests[0]}, whose p is greater than that of {tests[1]}"

    def _ends(self, mean: Inference, level: float) -> tuple[float, float]:
        # The wider of Student's t interval and Jeffreys'.
        return on_scale(mean, level, (0.0, 1.0), self.n_effective, 0.5)


def win_rates(
    preferences: pd.DataFrame,
    systems: Sequence[str],
    *,
    level: float = LEVEL,
    comparisons: str = "baseline",
    source: str = "the preferences",
) -> tuple[WinRate, ...]:
    """Return the share of wins of each system against the baseline, or in all pairs that of the system that is ahead.

    Args:
        preferences: the preferences.
        systems: their systems, the baseline first.
        level: the nominal level of the intervals.
        comparisons: `baseline` or `all`; p values are adjusted for their number (Holm).
        source: name of the preferences in a message, such as the file's name.

    Raises:
        InputError: for a pair with preferences on fewer than 10 items.
        ValueError: for an unknown choice.
    """
    are_of_pairs = comparisons == "all" and len(systems) > 2
    rates = []
    for baseline, system in pairs_of(systems, comparisons):
        asked = _between(preferences, baseline, system)
        if asked.empty:
            continue
        n_items = asked["item"].nunique()
        if n_items < FEWEST_RATINGS:
            raise InputError(
                f"{source}: {n_items} items have preferences between {system} and {baseline}, too few for an "
                f"interval; ask for at least {FEWEST_RATINGS}, drawn at random"
            )
        rate = _win_rate(asked, baseline, system, level)
        if are_of_pairs and rate.lead < 0:
            rate = _win_rate(asked.assign(share=1 - asked["share"]), system, baseline, level)
        rates.append(rate)
    if not rates:
        raise InputError(f"{source}: there are no preferences between the systems that are compared")
    return adjusted(rates, level)


def without_small_pairs(
    preferences: pd.DataFrame, systems: Sequence[str], comparisons: str
) -> tuple[pd.DataFrame, list[str]]:
    """Return preferences without the pairs of systems that have too few items, if others have enough, with notes.

    Args:
        preferences: like the others, see `win_rates`.
        systems: their systems, the baseline first.
        comparisons: `baseline` or `all`.
    """
    small = {}
    n_large = 0
    for baseline, system in pairs_of(systems, comparisons):
        n_items = _between(preferences, baseline, system)["item"].nunique()
        if 0 < n_items < FEWEST_RATINGS:
            small[frozenset((baseline, system))] = f"{system} and {baseline} ({n_items})"
        n_large += n_items >= FEWEST_RATINGS
    if not small or not n_large:
        return preferences, []
    pairs = zip(preferences["system_a"], preferences["system_b"], strict=True)
    kept = [frozenset(pair) not in small for pair in pairs]
    listed = ", ".join(small.values())
    return preferences[kept], [f"left out: pairs with preferences on fewer than {FEWEST_RATINGS} items: {listed}"]


def n_items_of_pairs(preferences: pd.DataFrame, systems: Sequence[str], comparisons: str) -> list[int]:
    """Return the number of items on which each pair of systems that are compared has preferences.

    Args:
        preferences: like the others, see `win_rates`.
        systems: their systems, the baseline first.
        comparisons: `baseline` or `all`.
    """
    return [
        int(_between(preferences, baseline, system)["item"].nunique())
        for baseline, system in pairs_of(systems, comparisons)
    ]


def _between(preferences: pd.DataFrame, baseline: str, system: str) -> pd.DataFrame:
    """Return the preferences between two systems, with the `share` of a win of the second."""
    turned = preferences["system_b"] == system
    other = preferences["system_a"].where(turned, preferences["system_b"])
    asked = preferences[(turned | (preferences["system_a"] == system)) & (other == baseline)]
    return asked.assign(share=asked["preference"].where(asked["system_a"] == system, 1 - asked["preference"]))


def _win_rate(asked: pd.DataFrame, baseline: str, system: str, level: float) -> WinRate:
    """Return the share of wins of a system against another; an item counts once, or by its weight."""
    import pandas as pd

    shares = asked["share"].to_numpy()
    items = pd.factorize(asked["item"])[0]
    of_item = _item_weights(asked, items)
    weights = (of_item / (of_item.sum() * np.bincount(items)))[items]
    clusters = pd.factorize(asked["cluster"])[0] if "cluster" in asked else items
    raters = pd.factorize(asked["rater"])[0] if "rater" in asked else None
    if raters is not None and "weight" not in asked:
        weights = weights_of_ratings(shares, weights, clusters, raters)
    judged = crossed(shares, weights, clusters, raters)
    return WinRate(
        system=system,
        baseline=baseline,
        raters=judged,
        ratings_alone=judged.said,
        level=level,
        n_items=len(of_item),
        n_clusters=len(np.unique(clusters)) if "cluster" in asked else 0,
        n_effective=float(of_item.sum() ** 2 / (of_item**2).sum()),
        wins=int((shares > 0.5).sum()),
        ties=int((shares == 0.5).sum()),
        losses=int((shares < 0.5).sum()),
        rated_by=frozenset(asked.get("rater", ())),
    )


def _item_weights(asked: pd.DataFrame, items: Integers) -> Floats:
    """Return the weight of each item, shape (items,): the mean of its rows' weights; 1 if none are known."""
    counts = np.bincount(items)
    if "weight" not in asked:
        return np.ones(len(counts))
    weights: Floats = np.bincount(items, asked["weight"].to_numpy(dtype=float)) / counts
    return weights


def strengths(
    preferences: pd.DataFrame, systems: Sequence[str], source: str = "the preferences"
) -> dict[str, Inference]:
    """Return Bradley-Terry strengths by system, as log odds of being preferred to the first.

    Bradley & Terry (1952), "Rank analysis of incomplete block designs", Biometrika 39, a tie counting as half a win of
    each, by maximum likelihood. Errors are those of the estimating equations, clustered by items and raters (Cameron,
    Gelbach & Miller 2011; see `crossed`): each preference's residual, times its influence on the strength.

    Raises:
        InputError: if some systems, or one, have won throughout against the others, so that strengths have no bound, if
            no preferences, even by way of others, compare some of them, and if all are ties.
    """
    import pandas as pd

    shares, n = (1 + np.sign(preferences["preference"].to_numpy() - 0.5)) / 2, len(preferences)
    weights = np.ones(n)
    if "weight" in preferences:
        weights = preferences["weight"].to_numpy(dtype=float)
        weights = weights / weights.mean()
    design = np.array([preferences["system_a"] == name for name in systems], dtype=float).T
    design -= np.array([preferences["system_b"] == name for name in systems]).T
    if np.linalg.matrix_rank(design.T @ design) < len(systems) - 1:
        raise InputError(f"{source}: not all systems are compared, even by way of others: no Bradley-Terry strengths")
    if (shares == 0.5).all():
        raise InputError(f"{source}: all preferences are ties: Bradley-Terry strengths have no interval")
    logs = np.zeros(len(systems))
    for _ in range(_MOST_STEPS):  # Newton's, none of them far
        expected = 1 / (1 + np.exp(-design @ logs))
        bread = np.linalg.pinv(design.T @ (design * (weights * expected * (1 - expected))[:, None]))
        step = bread @ ((weights * (shares - expected)) @ design)
        logs += np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < _CLOSE:
            break
    if np.ptp(logs) > _FAR:
        raise InputError(
            f"{source}: a system has won or lost throughout, or some systems always win against others: there are no "
            "Bradley-Terry strengths"
        )
    logs -= logs[0]
    moved = (design @ bread) * (weights * (shares - expected))[:, None]
    items, raters = (
        pd.factorize(preferences["item"])[0],
        pd.factorize(preferences["rater"])[0] if "rater" in preferences else None,
    )
    log_odds = {systems[0]: Inference(0.0, 0.0, np.inf, 0.0)}
    for place, name in enumerate(systems[1:], 1):
        error = crossed(n * (moved[:, place] - moved[:, 0]), np.full(n, 1 / n), items, raters).said
        log_odds[name] = error.plus(float(logs[place]) - error.value, 0.0, 1.0)
    return log_odds

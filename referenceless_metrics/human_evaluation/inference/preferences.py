"""Preferences between outputs of two systems for one item: win rates, and Bradley-Terry strengths.

Preferences are a table with a row each: `item`, `system_a`, `system_b`, `preference` (1 where the output of `system_a`
is better, 0 where that of `system_b` is, .5 for a tie) and, where they are known, `rater` and `weight` (how many items
this one stands for).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.inference.crossed import crossed
from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL, Inference, on_scale, share_p_value
from referenceless_metrics.human_evaluation.inference.human_score import Contrast, adjusted, pairs_of
from referenceless_metrics.human_evaluation.inference.output_ratings import FEWEST_RATINGS
from referenceless_metrics.human_evaluation.inference.rater_weights import weights_of_ratings

if TYPE_CHECKING:
    import pandas as pd

_FAR = 10.0  # log odds: beyond it one system has won throughout
_CLOSE = 1e-10  # log odds
_MOST_STEPS = 100


@dataclass(frozen=True, kw_only=True)
class WinRate(Contrast):
    """How often people prefer a system to another: the share of wins, an item counting once.

    Attributes:
        EQUAL: the rate of two systems that people like alike.
        wins: judgements for the system.
        ties: for neither.
        losses: for the other.
    """

    EQUAL: ClassVar[float] = 0.5
    wins: int
    ties: int
    losses: int

    @property
    def p_value(self) -> float:
        """Two-sided p of a rate of one half."""
        return share_p_value(self.mean, self.level, self.n_items)

    def _ends(self, mean: Inference, level: float) -> tuple[float, float]:
        # The wider of Student's t interval and Jeffreys'.
        return on_scale(mean, level, (0.0, 1.0), self.n_items, 0.5)


def win_rates(
    preferences: pd.DataFrame,
    systems: Sequence[str],
    *,
    level: float = LEVEL,
    comparisons: str = "baseline",
    source: str = "the preferences",
) -> tuple[WinRate, ...]:
    """Return how often each system is preferred to the baseline, or to each system before it.

    Args:
        preferences: the preferences.
        systems: their systems, the baseline first.
        level: the nominal level of the intervals.
        comparisons: `baseline` or `all`; p values are adjusted for their number (Holm).
        source: what to call the preferences in a message, such as the file's name.

    Raises:
        InputError: for a pair with preferences on fewer than 10 items.
        ValueError: for an unknown choice.
    """
    import pandas as pd

    rates = []
    for baseline, system in pairs_of(systems, comparisons):
        turned = preferences["system_b"] == system
        other = preferences["system_a"].where(turned, preferences["system_b"])
        asked = preferences[(turned | (preferences["system_a"] == system)) & (other == baseline)]
        if asked.empty:
            continue
        asked = asked.assign(share=asked["preference"].where(~turned, 1 - asked["preference"]))
        items = pd.Index(asked["item"].unique())
        if len(items) < FEWEST_RATINGS:
            raise InputError(
                f"{source}: {len(items)} items have preferences between {system} and {baseline}, too few for an "
                f"interval; ask for at least {FEWEST_RATINGS}, drawn at random"
            )
        shares, places = asked["share"].to_numpy(), items.get_indexer(asked["item"])
        raters = pd.factorize(asked["rater"])[0] if "rater" in asked else None
        weights = 1 / (len(items) * np.bincount(places))[places]
        if raters is not None:
            weights = weights_of_ratings(shares, weights, places, raters)
        judged = crossed(shares, weights, places, raters)
        rates.append(
            WinRate(
                system=system,
                baseline=baseline,
                raters=judged,
                ratings_alone=judged.said,
                level=level,
                n_items=len(items),
                wins=int((asked["share"] > 0.5).sum()),
                ties=int((asked["share"] == 0.5).sum()),
                losses=int((asked["share"] < 0.5).sum()),
            )
        )
    if not rates:
        raise InputError(f"{source}: there are no preferences between the systems that are compared")
    return adjusted(rates, level)


def strengths(
    preferences: pd.DataFrame, systems: Sequence[str], source: str = "the preferences"
) -> dict[str, Inference]:
    """Return Bradley-Terry strengths by system, as log odds of being preferred to the first.

    Bradley & Terry (1952), "Rank analysis of incomplete block designs", Biometrika 39, a tie counting as half a win of
    each, by maximum likelihood. Errors are those of the estimating equations, clustered by items and raters (Cameron,
    Gelbach & Miller 2011; see `crossed`): each preference's residual, times what it moves the strength.

    Raises:
        InputError: where some systems, or one, have won throughout against the others, so that strengths have no bound,
            where no preferences, even by way of others, compare some of them, and where all are ties.
    """
    import pandas as pd

    shares, n = (1 + np.sign(preferences["preference"].to_numpy() - 0.5)) / 2, len(preferences)
    design = np.array([preferences["system_a"] == name for name in systems], dtype=float).T
    design -= np.array([preferences["system_b"] == name for name in systems]).T
    if np.linalg.matrix_rank(design.T @ design) < len(systems) - 1:
        raise InputError(f"{source}: not all systems are compared, even by way of others: no Bradley-Terry strengths")
    if (shares == 0.5).all():
        raise InputError(f"{source}: all preferences are ties: Bradley-Terry strengths have no interval")
    logs = np.zeros(len(systems))
    for _ in range(_MOST_STEPS):  # Newton's, none of them far
        expected = 1 / (1 + np.exp(-design @ logs))
        bread = np.linalg.pinv(design.T @ (design * (expected * (1 - expected))[:, None]))
        step = bread @ ((shares - expected) @ design)
        logs += np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < _CLOSE:
            break
    if np.ptp(logs) > _FAR:
        raise InputError(
            f"{source}: a system has won or lost throughout, or some systems always win against others: there are no "
            "Bradley-Terry strengths"
        )
    logs -= logs[0]
    moved = (design @ bread) * (shares - expected)[:, None]
    items, raters = (
        pd.factorize(preferences["item"])[0],
        pd.factorize(preferences["rater"])[0] if "rater" in preferences else None,
    )
    log_odds = {systems[0]: Inference(0.0, 0.0, np.inf, 0.0)}
    for place, name in enumerate(systems[1:], 1):
        error = crossed(n * (moved[:, place] - moved[:, 0]), np.full(n, 1 / n), items, raters).said
        log_odds[name] = error.plus(float(logs[place]) - error.value, 0.0, 1.0)
    return log_odds

"""Pairs of outputs that one rater, or judge, saw in both orders: the effect of the order, and one preference per pair.

Language models as judges often prefer the output that stands first, or last (Wang et al. 2023, "Large language models
are not fair evaluators", arXiv:2305.17926). Judged in both orders, the preference for a place cancels in the mean of
the two answers. That mean is one preference: if the answers contradict each other it is a tie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from referenceless_metrics.human_evaluation.inference.crossed import crossed
from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL, Inference, on_scale, share_p_value
from referenceless_metrics.human_evaluation.inference.output_ratings import FEWEST_RATINGS

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class PositionBias:
    """Preference of a rater for the output that stands first, over pairs seen in both orders.

    Attributes:
        rater: the rater; "" if raters are not known.
        n_pairs: pairs seen in both orders.
        n_items: their items.
        mean: the share of wins of the first, a tie being half of one; .5 without bias.
        consistent: the share of pairs with one answer in both orders.
    """

    rater: str
    n_pairs: int
    n_items: int
    mean: Inference
    consistent: float

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Return the interval of the share of the first."""
        return on_scale(self.mean, level, (0.0, 1.0), self.n_items, 0.5)

    def p_value(self, level: float = LEVEL) -> float:
        """Return the two-sided p of no bias."""
        return share_p_value(self.mean, level, self.n_items)


def merge_swapped(preferences: pd.DataFrame) -> tuple[pd.DataFrame, list[PositionBias]]:
    """Return preferences with one row for each pair that was judged in both orders, and the effect of the order.

    Args:
        preferences: rows with `item`, `system_a` (the output that stood first), `system_b`, `preference` (1, .5 or 0:
            the win of `system_a`) and, if known, `rater`.

    Returns:
        The preferences; for swapped pairs the mean of the answers in both orders. And the bias of each rater with at
        least 10 swapped pairs.

    >>> import pandas as pd
    >>> both = pd.DataFrame({"item": "1", "system_a": ["x", "y"], "system_b": ["y", "x"], "preference": [1.0, 1.0]})
    >>> merge_swapped(both)[0].to_dict("list")
    {'item': ['1'], 'system_a': ['x'], 'system_b': ['y'], 'preference': [0.5]}
    """
    import pandas as pd

    forward = preferences["system_a"] < preferences["system_b"]
    rows = preferences.assign(first=preferences["preference"], forward=forward)
    rows.loc[~forward, ["system_a", "system_b"]] = rows.loc[~forward, ["system_b", "system_a"]].to_numpy()
    rows["preference"] = rows["first"].where(forward, 1 - rows["first"])
    keys = [key for key in ("item", "rater", "system_a", "system_b") if key in rows]
    swapped = rows.groupby(keys)["forward"].transform("nunique") == 2
    if not swapped.any():
        return preferences, []
    # Answers in one order are one answer, so that the two orders weigh alike.
    averaged = ["preference", "first", *(["weight"] if "weight" in rows else [])]
    orders = rows[swapped].groupby([*keys, "forward"])[averaged].mean()
    pairs = orders.groupby(keys, sort=False).mean()
    verdicts = np.sign(orders["preference"] - 0.5)
    pairs["consistent"] = verdicts.groupby(keys, sort=False).nunique() == 1
    pairs = pairs.reset_index()
    biases = []
    for rater, judged in pairs.groupby("rater") if "rater" in pairs else [("", pairs)]:
        n = len(judged)
        if n >= FEWEST_RATINGS:
            items = pd.factorize(judged["item"])[0]
            mean = crossed(judged["first"].to_numpy(), np.full(n, 1 / n), items).said
            consistent = float(judged["consistent"].mean())
            biases.append(PositionBias(str(rater), n, int(items.max()) + 1, mean, consistent))
    columns = list(preferences)
    return pd.concat([preferences[~swapped], pairs.reindex(columns=columns)], ignore_index=True), biases

"""The published recurrent network as a model of the estimator, with intervals from texts that it was not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.assessment.conformal import conformal_quantile
from quality_estimation_metric.kernel_model.ridge import group_rows
from quality_estimation_metric.sources import Triple

_HELD_OUT = 0.2


@dataclass(frozen=True)
class RecurrentModel:
    """A trained network.

    Attributes:
        network: the network (`gru_model.GRUModel`).
        errors: |rating − estimate| of the texts by which the pass was chosen, sorted, shape (h,).
        bounds: the least and the greatest rating.
    """

    network: Any
    errors: NDArray[np.float64]
    bounds: tuple[float, float]

    @classmethod
    def fit(
        cls,
        texts: Sequence[str],
        triples: Sequence[tuple[Triple, ...]] | None,
        ratings: NDArray[np.float64],
        groups: NDArray[np.int64],
        *,
        delexicalised: bool,
        augment: int,
        seed: int,
    ) -> RecurrentModel:
        """Train on four fifths of the groups; the last fifth chooses the pass and says how wide intervals are.

        Raises:
            ImportError: where torch is missing; the message names the extra.
        """
        from quality_estimation_metric.gru_model import GRUModel

        held = held_out_rows(groups, seed)
        kept = np.setdiff1d(np.arange(len(texts)), held)

        def pick(rows: NDArray[np.int64]) -> tuple[list[str], Any, list[float]]:
            chosen = rows.tolist()
            return [texts[row] for row in chosen], _pick(triples, chosen), ratings[rows].tolist()

        network = GRUModel(delexicalised=delexicalised, seed=seed)
        network.fit(*pick(kept), dev=pick(held), augment=augment)
        held_texts, held_sources, held_ratings = pick(held)
        errors = np.abs(network.predict(held_texts, held_sources) - held_ratings)
        return cls(network, np.sort(errors), (float(ratings.min()), float(ratings.max())))

    def predict_interval(
        self, texts: Sequence[str], triples: Sequence[tuple[Triple, ...]] | None, level: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return estimates and the lower and upper ends of their intervals, each of shape (n,)."""
        estimates = np.clip(self.network.predict(texts, triples), *self.bounds)
        half = conformal_quantile(self.errors, level)
        return estimates, np.clip(estimates - half, *self.bounds), np.clip(estimates + half, *self.bounds)


def held_out_rows(groups: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Return the rows of groups drawn at random until they are a fifth of all, in ascending order."""
    rows = group_rows(groups)
    drawn: list[int] = []
    for place in np.random.default_rng(seed).permutation(len(rows))[: len(rows) - 1].tolist():
        if len(drawn) >= _HELD_OUT * len(groups):
            break
        drawn.extend(rows[place].tolist())
    return np.array(sorted(drawn), dtype=np.int64)


def _pick(items: Sequence[Any] | None, rows: Sequence[int]) -> list[Any] | None:
    return None if items is None else [items[row] for row in rows]

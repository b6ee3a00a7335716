"""Simulation of looks every few items: the share in which a difference of equal means is shown at any of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.inference.any_time import Looks
from referenceless_metrics.human_evaluation.inference.every_look import Watched, watched_difference
from referenceless_metrics.human_evaluation.inference.one_sided import ends_of
from referenceless_metrics.human_evaluation.scores.paired import mean_of_clusters
from referenceless_papers.study_designs.gates import DIFFERENCES
from referenceless_papers.study_designs.held import HeldCell, held
from referenceless_papers.study_designs.keeping import Task

LOOKS = Looks()
_AT = range(LOOKS.first, 201, 5)
_LEVEL = 0.95
_ROOM = 1.1
"""Width of the scale, in sizes of a failure, so that noise stays on it."""


def look_tasks(_: str, n_draws: int, seed: int) -> Iterator[Task]:
    """Yield tasks that count equal means that differ at any look, by sequences and by intervals of one look."""
    for name, (_drawn, width) in DIFFERENCES.items():
        for by_betting in (False, True) if width else (False,):
            yield partial(_cells, name, by_betting, n_draws, seed)


def _cells(name: str, by_betting: bool, n_draws: int, seed: int) -> list[HeldCell]:
    drawn, width = DIFFERENCES[name]
    generator = np.random.default_rng(seed)
    shown, by_t, times = [], [], []
    for _draw in range(n_draws):
        values = drawn(generator, max(_AT))
        shown.append(any(_is_shown(values[:n], width, by_betting) for n in _AT))
        by_t.append(any(_is_shown_by_t(values[:n]) for n in _AT))
        times.append(_times_as_wide(values[: LOOKS.planned], width, by_betting))
    kind = "by betting" if by_betting else "asymptotic"
    known = [each for each in times if not np.isnan(each)]
    width_there = f"{np.mean(known):.2f} times as wide as one look's, in the mean" if known else "no interval"
    note = (
        f"By Student's t {np.mean(by_t):.1%}. At {LOOKS.planned} items {width_there}; no verdict there in "
        f"{1 - len(known) / n_draws:.0%}."
    )
    size = f"looks every 5 items from {LOOKS.first} to {max(_AT)}"
    return [held(f"equal means told apart, {kind}", name, size, shown, nominal=0.05, note=note)]


def _watched(values: Floats, width: float, by_betting: bool) -> Watched:
    ends = ends_of(np.array([]), values, (0.0, _ROOM * width) if width else None)
    return watched_difference(values, LOOKS, ends, by_betting=by_betting)


def _is_shown(values: Floats, width: float, by_betting: bool) -> bool:
    return _watched(values, width, by_betting).p_value() <= 1 - _LEVEL


def _is_shown_by_t(values: Floats) -> bool:
    return mean_of_clusters(values, np.arange(len(values))).p_value() <= 1 - _LEVEL


def _times_as_wide(values: Floats, width: float, by_betting: bool) -> float:
    """Return the width of the interval over that of Student's t; NaN without one."""
    low, high = _watched(values, width, by_betting).interval(_LEVEL)
    return (high - low) / mean_of_clusters(values, np.arange(len(values))).width(_LEVEL)

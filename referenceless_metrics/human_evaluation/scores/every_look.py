"""Scores of items that come in one after another: means and differences that hold however often one looks."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.inference.any_time import Looks
from referenceless_metrics.human_evaluation.inference.every_look import watched_difference, watched_mean
from referenceless_metrics.human_evaluation.inference.one_sided import ends_of
from referenceless_metrics.human_evaluation.scores.differences import Difference, Subset, SystemMean, paired_difference
from referenceless_metrics.human_evaluation.scores.table import ScoreTable


def check_looks(scores: ScoreTable, *, unpaired: bool) -> None:
    """Check that sequences can be made of scores.

    Raises:
        InputError: for items in clusters, which are not independent, and for items that are not paired.
    """
    if not scores.is_single:
        raise InputError(
            "--every-look takes independent items: leave out --every-look, or --cluster-column; if the file tells "
            "clusters, name the column of items by --cluster-column"
        )
    if unpaired:
        raise InputError("--every-look takes paired scores: leave out --unpaired, or --every-look")


def mean_at_look(of: Subset, system: str, level: float, looks: Looks) -> SystemMean:
    """Return a system's mean at this look."""
    values = of.values(system)
    values = values[np.isfinite(values)]
    known = of.scores.values[of.column]
    watched = watched_mean(values, looks, ends_of(known, np.array([]), of.scores.scale).scale)
    return SystemMean(system, of.column, of.part, len(values), watched.value, watched.interval(level))


def difference_at_look(of: Subset, system: str, baseline: str, looks: Looks) -> Difference:
    """Return the difference over the items that both systems have a score for, at this look."""
    difference = paired_difference(of, system, baseline)
    values = of.values(system) - of.values(baseline)
    values = values[np.isfinite(values)]
    ends = ends_of(of.scores.values[of.column], values, of.scores.scale)
    watched = watched_difference(values, looks, ends, by_betting=True)
    return replace(
        difference,
        ends_said=ends.sentence if ends.are_known or not watched.obstacle else "",
        p_value=math.nan if watched.obstacle else watched.p_value(),
        own_interval=watched.interval,
        one_sided=None,
        obstacle=watched.obstacle,
        detectable_share=None,
        few_unlike=True,
        coverage=None,
    )

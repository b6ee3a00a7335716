"""The size of a study that `sample` plans, and what it will find."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from referenceless_metrics.human_evaluation.studies.criteria import Criterion, Scale
from referenceless_metrics.human_evaluation.studies.design import Design

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.studies.planning import Plan, VarianceComponents


_MOST_PAIRS = 6
"""Most pairs of a pilot's systems that a plan lists."""

_CORRELATIONS = (0.4, 0.7)
"""Correlations of two raters' ratings of an output for which a plan tells what it finds, beside the assumed one."""


def with_planned_size(design: Design, pilot: str | None, find: Mapping[str, float]) -> str:
    """Describe the plan of a study of several systems, in one line for all criteria of which it finds the same.

    Args:
        design: the study's design.
        pilot: the study whose ratings the plan takes; None for public ones.
        find: the difference, or win rate, to find by each criterion, by its name; that of "" is for all.

    Raises:
        click.UsageError: for a criterion that is none, and one difference for criteria with different scales.
    """
    if len(design.systems) < 2:
        return ""
    _check_find(design, find)
    names: dict[str, list[str]] = {}
    for criterion in design.criteria:
        wanted = find.get(criterion.name, find.get(""))
        names.setdefault(_plan_by(design, criterion, pilot, wanted), []).append(criterion.name)
    return "\n".join(f"Planned{_for(of_plan)}: {plan}" for plan, of_plan in names.items())


def _check_find(design: Design, find: Mapping[str, float]) -> None:
    """Check that each difference to find is of a criterion, or of criteria with one scale.

    Raises:
        click.UsageError: if one is not.
    """
    scales = {criterion.name: str(criterion.scale) for criterion in design.criteria}
    for name, difference in find.items():
        if name not in scales and name:
            raise click.UsageError(f"--find {name}={difference:g}: the criteria are {', '.join(filter(None, scales))}")
    widths = {criterion.scale.high - criterion.scale.low for criterion in design.criteria}
    if "" in find and len(widths) > 1:
        told = ", ".join(f"{name} {scale}" for name, scale in scales.items())
        each = " ".join(f"--find {name}=DIFFERENCE" for name in scales)
        raise click.UsageError(
            f"--find {find['']:g}: the criteria have different scales ({told}): give each one, {each}"
        )


def _for(criteria: Sequence[str]) -> str:
    """Name the criteria that a plan is for; "" for one without a name.

    >>> _for(["fluency"]), _for(["fluency", "adequacy"]), _for([""])
    (', for fluency', ', for each of fluency and adequacy', '')
    """
    from referenceless_metrics.human_evaluation.wording.phrases import listed

    if len(criteria) > 1:
        return f", for each of {listed(criteria)}"
    return f", for {criteria[0]}" if criteria[0] else ""


def _plan_by(design: Design, criterion: Criterion, pilot: str | None, find: float | None) -> str:
    """Say which difference by one criterion the study will find, how wide the interval will be, and what is assumed.

    Each sentence has a line, indented below the first.
    """
    from referenceless_metrics.human_evaluation.inference.crossed import FEWEST_RATERS
    from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL
    from referenceless_metrics.human_evaluation.studies.planning import Plan, study_components

    scale = criterion.scale
    components, basis, by_pair = study_components(criterion, pilot, design.systems)
    n_items, overlap = len(design.items), len(design.items[0].raters)
    n_raters = min(len(design.raters), n_items * overlap)
    width = None if scale.is_preference else float(scale.high - scale.low)
    study = Plan(components, n_items, n_raters, overlap, preferences=scale.is_preference, scale_width=width)
    these, others = (study.inference(all_raters=general).width() / 2 for general in (False, True))
    of_others = f"fewer than {FEWEST_RATERS} raters tell nothing of raters in general"
    if study.about_others:
        of_others = f"±{others:.2g} for raters in general"
    what = "a win rate" if scale.is_preference else "a difference"
    n_all = (design.n_items if design.n_unlike is None else design.n_unlike) - design.n_earlier
    n_comparisons = design.n_comparisons()
    of_comparison = 1 - (1 - LEVEL) / n_comparisons
    lines = [f"{_found(study, n_all, n_comparisons, LEVEL, str(scale))}."]
    if find is not None:
        lines.append(_to_find(study, find, of_comparison, n_all, scale))
    lines += _on_pairs(study, by_pair, find, of_comparison)
    lines += _on_correlation(study, find, of_comparison, pilot)
    if study.about_others:
        alone = _size(study, study.detectable(of_comparison, all_raters=False))
        one_of = f"one of {alone}" if alone else "none"
        lines.append(f"Among these raters alone {n_items} items find {one_of}.")
    n_pairs = design.n_comparisons(all_pairs=True)
    if n_pairs > n_comparisons:
        of_pair = 1 - (1 - LEVEL) / n_pairs
        size = _size(study, study.detectable(of_pair))
        found = f"{n_items} items find {f'one of {size}' if size else 'none'}"
        if find is not None:
            found += f", and one of {find:g} takes {_items_needed(study, find, of_pair)}"
        lines.append(f"Over all pairs (human-score --all-pairs, {n_pairs} comparisons) {found}.")
    lines.append(
        f"The {LEVEL:.0%} interval of {what} (of one comparison, uncorrected) will be about ±{these:.2g} for these "
        f"raters; {of_others}."
    )
    return "\n  ".join([*lines, f"Assumed: {basis}."])


def _on_pairs(
    study: Plan, by_pair: Mapping[tuple[str, str], VarianceComponents], find: float | None, level: float
) -> list[str]:
    """Say what the items find of each pair of a pilot's systems, the hardest first; of many pairs of the two ends.

    Args:
        study: the plan.
        by_pair: components of each pair, which the plan pools; none if it is of one.
        find: the difference, or win rate, to find; None for none.
        level: confidence level of one of the study's comparisons.
    """
    plans = {pair: replace(study, components=components) for pair, components in by_pair.items()}
    hardest_first = sorted(plans, key=lambda pair: -plans[pair].detectable(level))
    if len(hardest_first) > _MOST_PAIRS:
        hardest_first = [hardest_first[0], hardest_first[-1]]
    told = []
    for pair in hardest_first:
        size = _size(plans[pair], plans[pair].detectable(level))
        needed = "" if find is None else f" (one of {find:g} takes {_items_needed(plans[pair], find, level)})"
        told.append(f"{f'one of {size}' if size else 'none'} between {' and '.join(pair)}{needed}")
    if not told:
        return []
    which = "By pair of the pilot's systems" if len(told) == len(plans) else "By the hardest and the easiest pair"
    return [f"{which}, {study.n_items} items find {', '.join(told)}; other figures here are of all pairs together."]


def _on_correlation(study: Plan, find: float | None, level: float, pilot: str | None) -> list[str]:
    """Say what the items find if raters agree more than is assumed; nothing with a pilot, one rater, or preferences.

    The more raters agree on an output, the less do further raters of it add.

    Args:
        study: the plan.
        find: the difference to find; None for none.
        level: confidence level of one of the study's comparisons.
        pilot: the study whose ratings the plan takes; None for public ones.
    """
    if pilot is not None or study.preferences or study.overlap < 2:
        return []
    found = []
    for correlation in _CORRELATIONS:
        other = replace(study, components=study.components.with_correlation(correlation))
        size = _size(other, other.detectable(level))
        told = f"at {correlation:g} the same items find {f'one of {size}' if size else 'none'}"
        if find is not None:
            told += f", and one of {find:g} takes {_items_needed(other, find, level)}"
        found.append(told)
    assumed = f"That is if two raters' ratings of an output correlate at {study.components.correlation:.2g}"
    return [f"{assumed}; {'; '.join(found)}."]


def _items_needed(study: Plan, wanted: float, level: float) -> str:
    """Return the number of items that find a difference, or a win rate, by the planned raters, in words.

    Args:
        study: the plan.
        wanted: the difference, or the win rate.
        level: confidence level of a comparison.
    """
    n_items = study.items_to_detect(wanted - 0.5 if study.preferences else wanted, level)
    return f"{n_items} items" if n_items is not None else "more raters"


def _size(study: Plan, difference: float) -> str:
    """Return a difference that a study finds, as a win rate if it is one of preferences; "" beyond the scale."""
    if study.preferences:
        return f"{0.5 + difference:.2g}" if difference < 0.5 else ""
    return f"{difference:.2g}" if difference < (study.scale_width or math.inf) else ""


def _to_find(study: Plan, wanted: float, level: float, n_all: int, scale: Scale) -> str:
    """Say how many items find a difference, or a win rate, at the level of one of the study's comparisons.

    Args:
        study: the plan.
        wanted: the difference, or the win rate.
        level: confidence level of a comparison.
        n_all: the number of items from which the study is drawn.
        scale: the scale of the ratings.

    Raises:
        click.UsageError: for a win rate of one half or less, or of 1, and a difference as great as the scale is wide.
    """
    if study.preferences and not 0.5 < wanted < 1:
        raise click.UsageError(f"--find {wanted:g}: of preferences, give a win rate above 0.5 and below 1")
    if study.scale_width is not None and wanted >= study.scale_width:
        of_shares = ", which is one of shares: 0.1 for 10 percentage points" if study.scale_width == 1 else ""
        raise click.UsageError(
            f"--find {wanted:g}: on the scale {scale}, give a true difference below {study.scale_width:g}{of_shares}"
        )
    difference = wanted - 0.5 if study.preferences else wanted
    by = f"{study.n_raters} raters" if study.n_raters > 1 else "1 rater"
    n_items = study.items_to_detect(difference, level)
    if n_items is not None:
        return f"To find one of {wanted:g} with {by}, draw {_items_each(study, n_items, n_all)}."
    more = study.raters_to_detect(difference, level)
    if more is None:
        return f"No number of items and raters finds one of {wanted:g}."
    return (
        f"No number of items finds one of {wanted:g} with {by}, since raters differ: take {more.n_raters} raters and "
        f"{_items_each(more, more.n_items, n_all)}."
    )


def _items_each(study: Plan, n_items: int, n_all: int) -> str:
    """Return a number of items, by how many raters each is rated, and that there are fewer items, in words."""
    by = "all of them" if study.overlap == study.n_raters else f"{study.overlap} of them"
    each = f"{n_items} items" if study.n_raters == 1 else f"{n_items} items, each for {by}"
    return f"{each} (there are {n_all}: have the systems write more)" if n_items > n_all else each


def _found(study: Plan, n_all: int, n_comparisons: int, level: float, scale: str) -> str:
    """Say which true differences the planned items find, and twice and four times as many, or all that there are.

    Args:
        study: the plan.
        n_all: the number of items from which the study is drawn.
        n_comparisons: the comparisons for which p is corrected.
        level: confidence level of a single comparison.
        scale: the scale of the ratings.
    """
    from referenceless_metrics.human_evaluation.inference.estimated_means import POWER

    numbers = sorted({min(times * study.n_items, n_all) for times in (1, 2, 4)})
    sizes = []
    for n_items in numbers:
        difference = replace(study, n_items=n_items).detectable(1 - (1 - level) / n_comparisons)
        sizes.append(_size(study, difference))
    n = study.n_items
    of_two = (
        "difference of the shares that are rated 1 of two systems" if scale == "0-1" else "difference of two systems"
    )
    what = "win rate" if study.preferences else of_two
    of_scale = "" if study.preferences else f" (scale {scale})"
    first = f"{n} items find a true {what} of {sizes[0]}{of_scale}" if sizes[0] else f"{n} items find no true {what}"
    further = [
        f"{f'all {n_items}' if n_items == n_all else f'{n_items} items'} {f'one of {size}' if size else 'none'}"
        for n_items, size in zip(numbers[1:], sizes[1:], strict=True)
    ]
    whose = "among raters in general" if study.about_others else "among these raters"
    corrected = f"corrected for {n_comparisons} comparisons" if n_comparisons > 1 else "of one comparison"
    share = f"at least {POWER:.0%}" if study.about_others else f"{POWER:.0%}"
    return f"{', '.join([f'{first} in {share} of studies', *further])} ({corrected}; {whose})"

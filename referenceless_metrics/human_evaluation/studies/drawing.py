"""A rating study drawn at random: items, who rates each of them, and the order in which each rater sees them."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

import numpy as np

from referenceless_metrics.core.support.validation import InputError, Integers, check_number, check_whole
from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs
from referenceless_metrics.human_evaluation.studies.criteria import (
    QUESTION,
    Criterion,
    Scale,
    check_criteria,
    usual_question,
)
from referenceless_metrics.human_evaluation.studies.design import LETTERS, SOURCE_LABEL, Design, Item, Screen
from referenceless_metrics.human_evaluation.studies.drawn_along import DifferenceByItem, drawn_along
from referenceless_metrics.human_evaluation.studies.spans import SCORE, SpanTask

_FEWEST_WORDS = 5
"""Fewest words of a text whose damage shows."""

_BLOCK = 10
"""Items of a block for each rater, about; raters go from block to block, so that items soon have all raters."""

_BLOCK_APART = 20
"""The same if outputs are shown apart: those of one item are about as many screens from one another."""

_Groups = tuple[tuple[int, ...], ...]


def draw_study(
    outputs: Outputs,
    items: int,
    raters: Sequence[str],
    *,
    scale: str | None = None,
    criteria: Sequence[Criterion] = (),
    criteria_apart: bool = False,
    overall: bool = False,
    spans: SpanTask | None = None,
    apart: bool = False,
    overlap: int | None = None,
    repeats: float = 0.05,
    checks: int = 0,
    completion_code: str = "",
    question: str | None = None,
    seed: int = 0,
    instructions: str = "",
    examples: Sequence[tuple[str, str]] = (),
    sources: Sequence[str] | None = None,
    metric: str = "",
    estimates_column: str = "",
    skip_equal: bool = False,
    along: DifferenceByItem | None = None,
    strata: bool = False,
    source_label: str = SOURCE_LABEL,
    earlier: Collection[int] = (),
) -> Design:
    """Draw the items to be rated, the same of all systems, and the screens of each rater.

    All systems' outputs of an item go to the same raters: in the difference of two systems, the difficulty of the item
    and the mildness of the rater then cancel. Items come in blocks whose order is the same for all raters, so that
    items soon have all their raters and a study can be looked at early; within a block the order of the items is drawn
    anew for each rater, and that of the outputs for each screen.

    Args:
        outputs: each system's name and outputs, N each, the baseline first.
        items: number of the N items to draw, without replacement.
        raters: their names, which become names of files.
        scale: answers of raters: LOW-HIGH in whole numbers, such as 0-100, or preference; 1-5 if it is not given.
        criteria: the criteria by which raters judge outputs, in place of `scale`, `question` and `examples`, which are
            those of one criterion without a name.
        criteria_apart: ask for one criterion after the other.
        overall: take the mean of the criteria in the analysis too, each as a share of its scale.
        spans: the errors that raters mark before they rate, with the criterion `score` from 0 to 100 if no criteria are
            given; None for no marking.
        apart: one output on a screen, in place of all outputs of an item; outputs of one item are then about 20 screens
            apart, or as many as the rater has items if these are fewer. Preferences show two at a time.
        overlap: number of raters of each item, all if not given; each rater gets as many items as the others as nearly
            as can be.
        repeats: share of a rater's screens that come again, for agreement with oneself; rounded up, at most a half.
            They are drawn from the first third, and shown in the last.
        checks: number of texts with shuffled words for each rater, for scales alone; `agreement` names
            raters who rated most of these, two at least, as high as the whole ones.
        completion_code: code shown once all is rated, for platforms that pay by it.
        question: text above each screen; if it is not given, one that fits the scale.
        seed: seed of all random choices.
        instructions: instructions for the raters, in lines; "" for none.
        examples: texts with the answers that anchor the scale, shown before the first screen and beside each.
        sources: the sources of the outputs, N texts; None if there are none.
        metric: the metric whose estimates the analysis takes, several with + between; "" for the ratings alone.
        estimates_column: the column of your own estimates that the analysis takes in place of a metric's; "" for none.
        skip_equal: draw items of which outputs differ; an item of which all systems wrote the same counts as a
            difference of 0, and nobody rates it.
        along: a metric's difference of the two systems, in whose order every k-th item is drawn; None for a simple
            draw.
        strata: with `along`, draw items at random within strata of ten ratings, and not every k-th.
        source_label: text above the source of an output, such as "The user's turn".
        earlier: places of the items of earlier studies, which are not drawn again.

    Raises:
        InputError: for systems of unequal lengths, names of raters that are no file names or the same, and more outputs
            on a screen than there are letters.
        ValueError: for a number outside its range.
    """
    asked = _criteria(criteria, scale, question, examples, spans)
    first = asked[0].scale
    n_all = len(outputs[0][1])
    overlap = len(raters) if overlap is None else overlap
    _check(outputs, raters, first, apart)
    if metric and estimates_column:
        raise InputError(
            "`metric` and `estimates_column` both name the estimates of the analysis: leave one of them out"
        )
    estimates = metric or estimates_column
    of_estimates = {"metric": bool(metric), "estimates_column": bool(estimates_column)}
    _check_analysis(asked, spans=spans, overall=overall, checks=checks, estimates=of_estimates)
    if criteria_apart and len(asked) < 2 and spans is None:
        raise InputError("`criteria_apart` is for two criteria or more, and there is one: leave it out")
    check_whole(items, "items", 1)
    check_whole(overlap, "overlap", 1, len(raters))
    check_number(repeats, "repeats", 0, 0.5)
    check_whole(seed, "seed", 0)
    check_whole(checks, "checks", 0)
    if sources is not None and len(sources) != n_all:
        raise InputError(f"there are {len(sources)} sources, but {n_all} items")
    places = _places(outputs, first, estimates) if skip_equal else np.arange(n_all)
    n_unlike = len(places) if skip_equal else None
    places = places[~np.isin(places, list(earlier))]
    n_earlier = (n_all if n_unlike is None else n_unlike) - len(places)
    if items > len(places):
        alike = "" if n_unlike is None else f", and of {n_all - n_unlike} items all outputs are equal"
        rated = f", and {n_earlier} are of earlier studies" if n_earlier else ""
        raise InputError(f"{items} items cannot be drawn: {outputs[0][0]} has {n_all} outputs{alike}{rated}")
    if along is not None and n_earlier:
        raise InputError(
            "a draw along a metric is of all items: leave out --along, or let it draw the items of earlier studies "
            "again (leave out --without-study)"
        )
    _check_along(along, strata, outputs, first, estimates)

    generator = np.random.default_rng(seed)
    drawn_so = None if along is None else drawn_along(along, places, items, generator, strata=strata)
    if drawn_so is None:
        chosen = generator.choice(places, items, replace=False)
    else:
        chosen = generator.permutation([each.item for each in drawn_so.items])
    drawn = _with_raters(chosen, outputs, sources, raters, overlap, generator)
    shown = [_shown(item.outputs, first, apart) for item in drawn]
    blocks = _blocks(items, items * overlap / len(raters), apart=apart)
    screens = {}
    for rater in raters:
        own = [[(place, shown[place]) for place in block.tolist() if rater in drawn[place].raters] for block in blocks]
        screens[rater] = _screens(own, repeats, generator)
    if checks:
        screens = {rater: _with_checks(seen, drawn, checks, generator) for rater, seen in screens.items()}
    return Design(
        seed=seed,
        instructions=instructions,
        criteria=asked,
        layout="apart" if apart else "together",
        systems=tuple(name for name, _ in outputs),
        n_items=n_all,
        items=drawn,
        raters=screens,
        metric=metric,
        estimates_column=estimates_column,
        code=completion_code,
        criteria_apart=criteria_apart,
        overall=overall,
        spans=spans,
        blocks=len(blocks),
        n_unlike=n_unlike,
        n_earlier=n_earlier,
        along=drawn_so,
        source_label=source_label,
    )


def _blocks(items: int, of_rater: float, *, apart: bool) -> list[Integers]:
    """Return the places of items in blocks of about one size.

    Args:
        items: number of items, in random order.
        of_rater: number of them that a rater rates.
        apart: whether outputs of an item are shown apart.
    """
    n_blocks = max(1, round(of_rater / (_BLOCK_APART if apart else _BLOCK)))
    return np.array_split(np.arange(items), n_blocks)


def _check_analysis(
    asked: Sequence[Criterion],
    *,
    spans: SpanTask | None,
    overall: bool,
    checks: int,
    estimates: Mapping[str, bool],
) -> None:
    """Check that the choices of the analysis go with the criteria.

    Raises:
        InputError: for marked errors, damaged texts, estimates and overall means in a study of preferences, and an
            overall mean of one criterion.
    """
    of_scales = {"spans": spans is not None, "overall": overall, "checks": checks > 0, **estimates}
    if asked[0].scale.is_preference and any(of_scales.values()):
        given = " and ".join(f"`{name}`" for name, is_given in of_scales.items() if is_given)
        several = sum(of_scales.values()) > 1
        raise InputError(
            f"{given} {'go' if several else 'goes'} with scales, and not with preferences: leave "
            f"{'them' if several else 'it'} out"
        )
    if overall and len(asked) < 2:
        raise InputError("`overall` is the mean of two criteria or more, and there is one: leave it out")


def _with_raters(
    places: Integers,
    outputs: Outputs,
    sources: Sequence[str] | None,
    raters: Sequence[str],
    overlap: int,
    generator: np.random.Generator,
) -> tuple[Item, ...]:
    """Return the items of some places with those who rate each: who has the fewest items so far, ties at random."""
    loads = np.zeros(len(raters))
    drawn = []
    for place in places:
        chosen = sorted(np.lexsort((generator.random(len(raters)), loads))[:overlap])
        loads[chosen] += 1
        texts = tuple(texts[place] for _, texts in outputs)
        source = None if sources is None else sources[place]
        drawn.append(Item(int(place), source, texts, tuple(raters[rater] for rater in chosen)))
    return tuple(drawn)


def _places(outputs: Outputs, scale: Scale, estimates: str) -> Integers:
    """Return the places of items of which not all outputs are equal.

    Raises:
        InputError: for one system, preferences, and studies whose analysis takes estimates.
    """
    if len(outputs) < 2 or scale.is_preference or estimates:
        raise InputError(
            "equal outputs count as a difference of 0 in ratings of two systems or more, without estimates: "
            "leave out --skip-equal"
        )
    of_items = zip(*(texts for _, texts in outputs), strict=True)
    return np.array([place for place, texts in enumerate(of_items) if len(set(texts)) > 1], dtype=np.int64)


def _check_along(along: DifferenceByItem | None, strata: bool, outputs: Outputs, scale: Scale, estimates: str) -> None:
    """Check that items can be drawn along a metric's difference.

    Raises:
        InputError: for strata without a metric, other numbers of systems than two, preferences, and an analysis that
            takes estimates.
    """
    if along is None:
        if strata:
            raise InputError("strata are of a metric's difference: name the metric too (--along NAME)")
        return
    if len(outputs) != 2:
        raise InputError(
            f"items are drawn along a metric's difference of two systems, and here are {len(outputs)}: leave out "
            "--along, or compare two"
        )
    if scale.is_preference:
        raise InputError("--along goes with scales, and not with preferences: leave it out")
    if estimates:
        raise InputError(
            "a draw along a metric has used what a metric tells, and its analysis takes no estimates: leave out "
            "--along or --metric (--estimates-column)"
        )


def _criteria(
    criteria: Sequence[Criterion],
    scale: str | None,
    question: str | None,
    examples: Sequence[tuple[str, str]],
    spans: SpanTask | None,
) -> tuple[Criterion, ...]:
    """Return the criteria of a study: those given, else `score` beside marked errors, else one without a name.

    Raises:
        InputError: for criteria beside the arguments of one without a name, and like `check_criteria`.
    """
    if not criteria and spans is not None:
        return (Criterion(SCORE, Scale.parse(scale or "0-100"), question or QUESTION, examples=tuple(examples)),)
    if not criteria:
        only = Scale.parse(scale or "1-5")
        return (Criterion("", only, question or usual_question(only), examples=tuple(examples)),)
    if scale is not None or question is not None or examples:
        raise InputError(
            "`scale`, `question` and examples are of a single criterion: give each criterion its own in `criteria`"
        )
    check_criteria(criteria)
    return tuple(criteria)


def _with_checks(
    screens: tuple[Screen, ...], items: Sequence[Item], checks: int, generator: np.random.Generator
) -> tuple[Screen, ...]:
    """Put damaged texts among a rater's screens, each after the whole one."""
    places = [
        (number, group)
        for number, screen in enumerate(screens)
        for group in screen.outputs
        if not screen.repeat and len(set(items[screen.item].outputs[group[0]].split())) >= _FEWEST_WORDS
    ]
    if len(places) < checks:
        long = f"{len(places)} of {_FEWEST_WORDS} words or more"
        raise InputError(f"{checks} texts cannot be damaged: a rater sees {long}")
    seen, chosen = list(screens), generator.choice(len(places), checks, replace=False)
    for number, group in sorted((places[i] for i in chosen), reverse=True):
        check = Screen(screens[number].item, (group,), repeat=True, check=True)
        seen.insert(int(generator.integers(number + 1, len(seen) + 1)), check)
    return tuple(seen)


def _check(outputs: Outputs, raters: Sequence[str], scale: Scale, apart: bool) -> None:
    lengths = {name: len(texts) for name, texts in outputs}
    if len(lengths) < len(outputs):
        raise InputError("two systems have one name; name each differently")
    if len(set(lengths.values())) != 1 or 0 in lengths.values():
        listed = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise InputError(f"{listed or 'there is no system'}: expected one output of each system for each item")
    if scale.is_preference and (len(outputs) < 2 or apart):
        raise InputError(
            "a preference is between two systems' outputs on one screen: give two systems, and leave out `apart`"
        )
    if not apart and not scale.is_preference and len(outputs) > len(LETTERS):
        raise InputError(
            f"{len(outputs)} systems are too many for one screen, at most {len(LETTERS)}: show them `apart`"
        )
    for rater in raters:
        if not re.fullmatch(r"\w[\w.-]{0,59}", rater):
            raise InputError(f"expected a rater's name of letters, digits, '-', '_' and '.', but got {rater!r}")
    if not raters or len({rater.casefold() for rater in raters}) < len(raters):
        raise InputError("expected raters of different names, at least one")


def _shown(texts: Sequence[str], scale: Scale, apart: bool) -> list[_Groups]:
    """Return the parts of an item that are shown at once: groups of systems whose outputs are equal."""
    by_text: dict[str, list[int]] = {}
    for system, text in enumerate(texts):
        by_text.setdefault(text, []).append(system)
    groups = [tuple(systems) for systems in by_text.values()]
    if scale.is_preference:
        return list(combinations(groups, 2))
    return [(group,) for group in groups] if apart else [tuple(groups)]


def _screens(
    blocks: Sequence[Sequence[tuple[int, list[_Groups]]]], repeats: float, generator: np.random.Generator
) -> tuple[Screen, ...]:
    """Return the screens of a rater.

    Args:
        blocks: the rater's items in each block, each with the groups of its outputs that are shown at once.
        repeats: share of the screens that come again.
        generator: source of all random choices.
    """

    def shuffled(item: int, groups: _Groups, repeat: bool) -> Screen:
        return Screen(item, tuple(groups[place] for place in generator.permutation(len(groups))), repeat)

    screens = []
    for items in blocks:
        order = [(item, generator.permutation(len(shown)), shown) for item, shown in items]
        order = [order[place] for place in generator.permutation(len(order))]
        screens += [
            shuffled(item, shown[places[turn]], False)
            for turn in range(max((len(shown) for _, shown in items), default=0))
            for item, places, shown in order
            if turn < len(shown)
        ]
    third = math.ceil(len(screens) / 3)
    again = generator.permutation(third)[: math.ceil(repeats * len(screens))]
    copies = [shuffled(screens[place].item, screens[place].outputs, True) for place in again]
    for copy in copies:
        screens.insert(int(generator.integers(2 * third, len(screens) + 1)) if len(screens) > 2 else len(screens), copy)
    return tuple(screens)

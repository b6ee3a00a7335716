"""Gates for continuous integration: commands that leave with a status which says whether something got worse.

0 is not worse, 1 worse, 3 that it cannot be told, 2 wrong usage or files that cannot be used. A system fails only if
its one-sided test rejects, at the level that is asked for over all systems together (Bonferroni). A system that the
finding beside the gate shows to be better passes, so that the two never contradict each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.human_evaluation.inference.one_sided import FEWEST_FOR_BOUNDS, OneSided
from referenceless_metrics.human_evaluation.wording.holm_level import percent

WORSE, CANNOT_TELL = 1, 3


def positive(value: str) -> float:
    """Return the finite number above 0 that an option is given."""
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise click.BadParameter(f"expected a finite number above 0, but got {value!r}")
    return number


FAIL_IF_WORSE = Rare(
    ["--fail-if-worse"],
    is_flag=True,
    help="Exit 1 where a system is shown to be worse than the baseline, and 3 where it cannot be told: with --margin, "
    "and without it of few items (below 20 items or clusters, say).",
)
MARGIN = Rare(
    ["--margin"],
    type=positive,
    metavar="NUMBER",
    help="How much lower (or higher, if lower is better) counts as not worse.",
)
LEVEL = Rare(
    ["--level"],
    type=click.FloatRange(0.5, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Level of the intervals, and of what is said.",
)
#: Options of the gate of a command that takes no other margin.
gate_options = adding(FAIL_IF_WORSE, MARGIN)


@dataclass(frozen=True)
class Judged:
    """The difference of a system from the baseline.

    Attributes:
        system: its name.
        baseline: the other's.
        value: the difference, the system's less the baseline's.
        interval: the difference's interval at a two-sided level.
        is_equal: whether the two are equal on every item, so that there is no interval and nothing is worse.
        one_sided: the bounds on which a verdict rests; None if the interval is enough.
        obstacle: the reason why no verdict can be given; "" if there is none.
        criterion: the criterion by which systems are compared; "" for one without a name.
        lower_is_better: whether lower values are better; the difference is then the baseline's less the system's.
        shown: the finding beside the gate, after its correction: 1 if the system is shown to be better, −1 if worse, 0
            if neither.
        too_few: the reason why there is no interval, as "8 segments, and 10 are needed"; "" if it is not their number.
    """

    system: str
    baseline: str
    value: float
    interval: Callable[[float], tuple[float, float]]
    is_equal: bool = False
    one_sided: OneSided | None = None
    obstacle: str = ""
    criterion: str = ""
    lower_is_better: bool = False
    shown: int = 0
    too_few: str = ""


def one_sided(level: float, n: int) -> float:
    """Return the two-sided level whose ends bound each of n differences from one side, at `level` for all together.

    >>> round(one_sided(0.95, 1), 6), round(one_sided(0.95, 2), 6)
    (0.9, 0.95)
    """
    return 1 - 2 * (1 - level) / max(n, 1)


def leave_if_worse(
    differences: Sequence[Judged],
    of: str,
    *,
    margin: float | None,
    level: float,
    less: str = "that of {}",
    note: str = "",
) -> None:
    """Say of each system whether it is worse, and leave with the status of the worst.

    Args:
        differences: the difference of each further system from the baseline.
        of: the compared figure, as a sentence begins: "The mean rating".
        margin: largest loss that counts as not worse; None to ask for no proof that a system is not worse.
        level: level of the one-sided tests, for all differences together.
        less: the figure that is subtracted, `{}` being the baseline.
        note: a further sentence, such as that a metric is not people.
    """
    if not differences:
        click.echo("cannot be told whether a system is worse: there is none to compare with the baseline", err=True)
        click.get_current_context().exit(CANNOT_TELL)
    statuses = []
    two_sided = one_sided(level, len(differences))
    for each in differences:
        what = f"{of} of {each.system} less {less.format(each.baseline)}"
        if each.lower_is_better:
            what = f"{of} of {each.baseline} less {less.format(each.system)}, of which lower is better,"
        status, finding = _finding(each, what, margin, level, two_sided)
        named = f"{each.system} ({each.criterion})" if each.criterion else each.system
        click.echo(f"{named}: {finding}", err=True)
        statuses.append(status)
    if note:
        click.echo(note, err=True)
    worst = next((status for status in (WORSE, CANNOT_TELL) if status in statuses), 0)
    click.get_current_context().exit(worst)


def _finding(each: Judged, what: str, margin: float | None, level: float, two_sided: float) -> tuple[int, str]:
    """Return the status of one system, and its verdict in words."""
    if each.is_equal:
        return 0, f"equal: {what} is 0 on every item"
    worse = "" if margin is None else f" by {margin:g}"
    if each.shown > 0:
        return 0, f"not worse{worse}, for it is shown to be better: {what} is {each.value:+.4g}"
    low, high = each.interval(two_sided)
    shown = f"{what} is {each.value:+.4g}, one-sided {percent(level)} bounds {low:+.4g} and {high:+.4g}"
    if each.one_sided is not None and not each.one_sided.ends.are_known:
        shown += f" ({each.one_sided.ends.said})"
    unsure = f"cannot be told whether it is worse{worse}"
    if each.obstacle:
        return CANNOT_TELL, f"{unsure}: {each.obstacle}"
    if not (math.isfinite(low) and math.isfinite(high)):
        if each.one_sided is not None and each.one_sided.n < FEWEST_FOR_BOUNDS:
            few = f"is of {each.one_sided.n} items or clusters, and {FEWEST_FOR_BOUNDS} are needed"
            few += ", though the finding shows that it is worse" if each.shown < 0 else ""
            return CANNOT_TELL, f"{unsure}: {what} {few}"
        few = f": it is of {each.too_few}" if each.too_few else ""
        return CANNOT_TELL, f"{unsure}: {what} has no interval{few}"
    least = margin or 0.0
    if high < -least:
        obstacle = _obstacle(each, -least - each.value, two_sided, upper=True)
        if obstacle:
            return CANNOT_TELL, f"{unsure}: {obstacle}: {shown}"
        return WORSE, f"worse{'' if margin is None else f' by more than {margin:g}'}: {shown}"
    if margin is None:
        return 0, f"not shown to be worse, which proves nothing (--margin asks for a proof): {shown}"
    if low > -margin:
        obstacle = _obstacle(each, each.value + margin, two_sided, upper=False)
        if obstacle:
            return CANNOT_TELL, f"{unsure}: {obstacle}: {shown}"
        return 0, f"not worse by {margin:g}: {shown}"
    return CANNOT_TELL, f"{unsure}: {shown}"


def _obstacle(each: Judged, distance: float, level: float, *, upper: bool) -> str:
    """Return why a bound is no ground for a verdict, as `OneSided.obstacle`; "" if it is."""
    return "" if each.one_sided is None else each.one_sided.obstacle(distance, level, upper=upper)


def leave_if_under(mean: float, least: float, of: str) -> None:
    """Leave with 1 if a mean is below the least that is asked for, and with 3 if there is no mean."""
    if math.isnan(mean):
        click.echo(f"cannot be told whether the mean of {of} is at least {least:g}: there is none", err=True)
        click.get_current_context().exit(CANNOT_TELL)
    if mean < least:
        click.echo(f"the mean of {of}, {mean:.4g}, is below {least:g} (--fail-under)", err=True)
        click.get_current_context().exit(WORSE)

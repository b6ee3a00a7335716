"""Gates for continuous integration: commands that leave with a status which says whether something got worse.

0 is not worse, 1 worse, 3 that it cannot be told, 2 wrong usage or files that cannot be used. A system fails only if
its one-sided test rejects, at the level that is asked for over all systems together (Bonferroni). A system that the
finding beside the gate shows to be better is never called worse. Nothing passes on the items that it covers alone: too
few values give no verdict, and neither do clearly fewer than the baseline has, unless the system is worse on the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.gating import CANNOT_TELL, WORSE, min_coverage_option
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.core.support.statistics import p_text
from referenceless_metrics.core.support.validation import NoValuesError
from referenceless_metrics.human_evaluation.inference.one_sided import FEWEST_FOR_BOUNDS, OneSided
from referenceless_metrics.human_evaluation.inference.paired_coverage import Coverage
from referenceless_metrics.human_evaluation.wording.holm_level import percent

_HALVINGS = 50
"""Halvings of the range in which the level of a one-sided test lies."""


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
    help="Exit 1 if a system is shown to be worse than the baseline, and 3 if it cannot be told: with --margin, and "
    "without it if there are few (below 10 segments in `compare` by a metric, 20 items or clusters in all else, say).",
)
MARGIN = Rare(
    ["--margin"],
    type=positive,
    metavar="NUMBER",
    help="How much lower (or higher, if lower is better) counts as not worse.",
)
_MARGIN_OF_PEOPLE = Rare(
    ["--margin"],
    type=positive,
    metavar="NUMBER",
    help="With --fail-if-worse: how much lower counts as not worse, in points of the scale; of preferences, in win "
    "rate less one half. That two are equal takes the gate both ways (--baseline).",
)
LEVEL = Rare(
    ["--level"],
    type=click.FloatRange(0.5, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Level of the intervals, and of what is said.",
)


#: Options of the gate of a command that takes no other margin; of ratings there are as many as were drawn.
gate_options = adding(FAIL_IF_WORSE, _MARGIN_OF_PEOPLE, min_coverage_option("--fail-if-worse", "any"))


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
            if neither; None if it rests on no test.
        too_few: the reason why there is no interval, as "8 segments, and 10 are needed"; "" if it is not their number.
        coverage: the items that the two have values for; None if that is no matter of the systems.
        figure: the compared figure, as a sentence begins, if it is not the one of all differences.
        min_coverage: least coverage for a verdict, if it is not the one of all differences.
        p_value: the two-sided p of a figure that has a test and no interval; None if the interval tells.
        is_least_p: whether this p is the least that shuffles can give, or that of the finding is; see `p_text`.
        p_of_finding: the two-sided p that stands beside the gate, for a figure with an interval; None without.
        warning: the worth of the metric, if it is not useful; "" if it is, and for people's ratings.
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
    shown: int | None = 0
    too_few: str = ""
    coverage: Coverage | None = None
    figure: str = ""
    min_coverage: float | None = None
    p_value: float | None = None
    is_least_p: bool = False
    p_of_finding: float | None = None
    warning: str = ""


@contextmanager
def without_values(*, asked: bool) -> Iterator[None]:
    """Leave with `CANNOT_TELL` within a `with` block if a system has no value at all, and a gate was asked for.

    Raises:
        NoValuesError: without a gate, as it came.
    """
    try:
        yield
    except NoValuesError as error:
        if not asked:
            raise
        click.echo(f"cannot be told whether a system is worse: {error}", err=True)
        click.get_current_context().exit(CANNOT_TELL)


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
    min_coverage: float | None = None,
    nothing: str = "there is none to compare with the baseline",
    untold: Sequence[str] = (),
) -> None:
    """Say of each system whether it is worse, and leave with the status of the worst.

    Args:
        differences: the difference of each further system from the baseline.
        of: the compared figure, as a sentence begins: "The mean rating".
        margin: largest loss that counts as not worse; None to ask for no proof that a system is not worse.
        level: level of the one-sided tests, for all differences together.
        less: the figure that is subtracted, `{}` being the baseline.
        note: a further sentence, such as that a metric is not people.
        min_coverage: least share of items with a value of both for a verdict; None for any, and 0 to leave coverage
            out altogether.
        nothing: the reason why there are no differences, if there are none.
        untold: the criteria without a difference, of which nothing can be told.
    """
    if not differences:
        click.echo(f"cannot be told whether a system is worse: {nothing}", err=True)
        click.get_current_context().exit(CANNOT_TELL)
    statuses = [CANNOT_TELL for _ in untold]
    for name in untold:
        click.echo(f"{name}: cannot be told whether a system is worse: no difference has an interval", err=True)
    for each in differences:
        figure = each.figure or of
        what = f"{figure} of {each.system} less {less.format(each.baseline)}"
        if each.lower_is_better:
            what = f"{figure} of {each.baseline} less {less.format(each.system)}, of which lower is better,"
        status, finding = _finding(each, what, margin, level, len(differences))
        if each.coverage is not None:
            error = (1 - level) / len(differences)
            least = min_coverage if each.min_coverage is None else each.min_coverage
            status, finding = _with_coverage(each.coverage, status, finding, least, error)
        named = f"{each.system} ({each.criterion})" if each.criterion else each.system
        warning = f"; {each.warning}" if each.warning else ""
        click.echo(f"{named}: {finding}{warning}", err=True)
        statuses.append(status)
    if note:
        click.echo(note, err=True)
    worst = next((status for status in (WORSE, CANNOT_TELL) if status in statuses), 0)
    click.get_current_context().exit(worst)


def _finding(each: Judged, what: str, margin: float | None, level: float, n: int) -> tuple[int, str]:
    """Return the status of one of n systems, and its verdict in words."""
    two_sided = one_sided(level, n)
    if each.is_equal:
        return 0, f"equal: {what} is 0 on every item"
    worse = "" if margin is None else f" by {margin:g}"
    if (each.shown or 0) > 0:
        return 0, f"not worse{worse}, for it is shown to be better: {what} is {each.value:+.4g}"
    if each.p_value is not None:
        return _finding_of_test(each.value, each.p_value, what, level, n, is_least=each.is_least_p)
    low, high = each.interval(two_sided)
    shown = f"{what} is {each.value:+.4g}, {_named(n)} {percent(level)} bounds {low:+.4g} and {high:+.4g}"
    if each.one_sided is not None and not each.one_sided.ends.are_known:
        shown += f" ({each.one_sided.ends.said})"
    unsure = f"cannot be told whether it is worse{worse}"
    # A gate asks for more than the finding beside it, which is said where the two would seem to contradict each other.
    beside = ", though the finding shows that it is worse" if (each.shown or 0) < 0 else ""
    if each.obstacle:
        return CANNOT_TELL, f"{unsure}: {each.obstacle}"
    if not (math.isfinite(low) and math.isfinite(high)):
        if each.one_sided is not None and each.one_sided.n < FEWEST_FOR_BOUNDS:
            few = f"is of {each.one_sided.n} items or clusters, and {FEWEST_FOR_BOUNDS} are needed"
            if each.one_sided.fewest > FEWEST_FOR_BOUNDS:
                few += f" with the ends of the scale (--scale LOW-HIGH), {each.one_sided.fewest} without them"
            return CANNOT_TELL, f"{unsure}{beside}: {what} {few}"
        few = f": it is of {each.too_few}" if each.too_few else ""
        return CANNOT_TELL, f"{unsure}: {what} has no interval{few}"
    least = margin or 0.0
    if high < -least:
        obstacle = _obstacle(each, -least - each.value, two_sided, upper=True)
        if obstacle:
            return CANNOT_TELL, f"{unsure}{beside}: {obstacle}: {shown}"
        by_more = "" if margin is None else f" by more than {margin:g}"
        return WORSE, f"worse{by_more}: {shown}, {_test(each, least, n)}"
    if margin is None and low > 0 and not _obstacle(each, each.value, two_sided, upper=False):
        return 0, f"not worse, for both bounds are above 0: {shown}"
    if margin is None:
        return 0, f"not shown to be worse, which proves nothing (--margin asks for a proof): {shown}"
    if low > -margin:
        obstacle = _obstacle(each, each.value + margin, two_sided, upper=False)
        if obstacle:
            return CANNOT_TELL, f"{unsure}: {obstacle}: {shown}"
        return 0, f"not worse by {margin:g}: {shown}"
    return CANNOT_TELL, f"{unsure}: {shown}"


def _finding_of_test(
    value: float, p_value: float, what: str, level: float, n: int, *, is_least: bool
) -> tuple[int, str]:
    """Return the status of one of n figures that has a two-sided p and no interval, and its verdict in words."""
    p = min(1.0, n * (p_value / 2 if value < 0 else 1 - p_value / 2))
    told = f"{what} is {value:+.4g}, one-sided {p_text(p, is_least=is_least and value < 0)}{_corrected(n)}"
    if p <= 1 - level:
        return WORSE, f"worse: {told}"
    return 0, f"not shown to be worse, which proves nothing: {told}"


def _named(n: int) -> str:
    """Return the kind of the bounds of one of n differences."""
    return "one-sided" if n == 1 else f"simultaneous one-sided (Bonferroni over {n})"


def _corrected(n: int) -> str:
    return f" after Bonferroni's correction for {n} differences" if n > 1 else ""


def _test(each: Judged, margin: float, n: int) -> str:
    """Return the p of the one-sided test that a system is not worse by a margin, corrected for n tests.

    The two-sided p of the finding stands beside it if there is one, and a finding that shows no difference is named,
    since the two tests answer different questions.
    """
    p = min(1.0, n * _one_sided_p(each.interval, -margin))
    told = f"one-sided {p_text(p)}{_corrected(n)}"
    is_skewed = each.one_sided is not None and each.one_sided.estimate.skewness != 0
    if each.p_of_finding is not None and not margin:
        by = ", skewness not taken out" if is_skewed else ""
        told += f" (two-sided, in the table{by}: {p_text(each.p_of_finding, is_least=each.is_least_p)})"
    return told if each.shown != 0 else f"{told}; the finding's test is two-sided, and shows no difference"


def _one_sided_p(interval: Callable[[float], tuple[float, float]], hypothesis: float) -> float:
    """Return the p of the one-sided test to which an interval belongs: that the difference is a hypothesis or more.

    The upper end at a two-sided level of 1 − 2 p lies on the hypothesis.
    """
    least, most = 0.0, 1.0
    for _ in range(_HALVINGS):
        level = (least + most) / 2
        least, most = (level, most) if interval(level)[1] < hypothesis else (least, level)
    return (1 - least) / 2


def _with_coverage(
    coverage: Coverage, status: int, finding: str, min_coverage: float | None, error: float
) -> tuple[int, str]:
    """Return a verdict as far as coverage allows it, with the number of values of both systems.

    Args:
        coverage: that of the system and its baseline.
        status: of the verdict on the items with a value of both.
        finding: this verdict in words.
        min_coverage: see `leave_if_worse`.
        error: of the one-sided test that the system has fewer values.
    """
    if coverage.is_complete:
        return status, finding
    reasons = []
    if min_coverage != 0 and status != WORSE and coverage.is_lower(error):
        reasons.append(
            f"{coverage.told} ({p_text(coverage.p_fewer)}, one-sided), and outputs that fail seldom have values "
            "(--min-coverage 0 leaves that out)"
        )
    if coverage.share < (min_coverage or 0.0):
        reasons.append(f"only {coverage.counts}, and --min-coverage is {min_coverage:g}")
    if reasons:
        rest = f"by the {coverage.compared} alone: {finding}"
        return CANNOT_TELL, f"cannot be told whether it is worse: {'; '.join(reasons)}; {rest}"
    return status, f"{finding}; {coverage.counts}"


def _obstacle(each: Judged, distance: float, level: float, *, upper: bool) -> str:
    """Return why a bound is no ground for a verdict, as `OneSided.obstacle`; "" if it is."""
    return "" if each.one_sided is None else each.one_sided.obstacle(distance, level, upper=upper)

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
from typing import NoReturn

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.gating import CANNOT_TELL, WORSE, min_coverage_option
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.core.files.output import STREAMED
from referenceless_metrics.core.support.statistics import p_text
from referenceless_metrics.core.support.validation import NoValuesError, Record
from referenceless_metrics.human_evaluation.inference.one_sided import FEWEST_FOR_BOUNDS, OneSided
from referenceless_metrics.human_evaluation.inference.paired_coverage import Coverage
from referenceless_metrics.human_evaluation.wording.holm_level import percent
from referenceless_metrics.human_evaluation.wording.phrases import listed

_GATE = "Gate: "
"""Beginning of a verdict among the findings of an output."""

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

    @property
    def own_value(self) -> float:
        """The system's figure less the baseline's, whichever is better."""
        return 0.0 - self.value if self.lower_is_better else self.value


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


@dataclass(frozen=True)
class Verdict:
    """A gate's verdict on one system.

    Attributes:
        system: its name, with the criterion if there are several.
        status: the exit status of this verdict alone.
        finding: the verdict in words, with the figures on which it rests.
        p_value: p of the one-sided test that the system is not worse by the margin, corrected; NaN without a verdict.
        is_shown: whether the finding beside the gate shows a difference, or rests on no test.
    """

    system: str
    status: int
    finding: str
    p_value: float = math.nan
    is_shown: bool = True

    @property
    def line(self) -> str:
        """The verdict as a line."""
        return f"{self.system}: {self.finding}" if self.system else self.finding


@dataclass(frozen=True)
class Gate:
    """The verdicts of a gate.

    Attributes:
        verdicts: one for each system and criterion.
        margin: largest loss that counts as not worse; None without.
        note: a further sentence, such as that a metric is not people; "" for none.
    """

    verdicts: tuple[Verdict, ...]
    margin: float | None = None
    note: str = ""

    @property
    def status(self) -> int:
        """The exit status: that of the worst verdict."""
        statuses = [each.status for each in self.verdicts]
        return next((status for status in (WORSE, CANNOT_TELL) if status in statuses), 0)

    @property
    def headline(self) -> str:
        """The sentence that stands beside the finding: the worst verdict, and why the two may differ."""
        named = [each for each in self.verdicts if each.status == self.status and each.system]
        systems = listed([each.system for each in named]) or "a system"
        are = "are" if len(named) > 1 else "is"
        ending = f"exit status {self.status}."
        if self.status == WORSE:
            more = "" if self.margin is None else f" by more than {self.margin:g}"
            beside = "" if all(each.is_shown for each in named) else ", though the two-sided one shows no difference"
            return f"By the one-sided test of the gate {systems} {are} worse{more}{beside}: {ending}"
        if self.status == CANNOT_TELL:
            return f"The gate cannot tell whether {systems} {are} worse: {ending}"
        than = "shown to be worse" if self.margin is None else f"worse by {self.margin:g}"
        return f"By the one-sided test of the gate no system is {than}: {ending}"

    @property
    def lines(self) -> list[str]:
        """The verdicts as lines, with the note."""
        return [*(each.line for each in self.verdicts), *([self.note] if self.note else [])]

    @property
    def findings(self) -> list[str]:
        """The verdicts, with the note, as lines among the findings of an output."""
        return [f"{_GATE}{line}" for line in self.lines]

    @property
    def record(self) -> Record:
        """The gate as data."""
        words = {0: "not shown to be worse" if self.margin is None else "not worse"}
        words |= {WORSE: "worse", CANNOT_TELL: "cannot be told"}
        verdicts = [
            {"system": each.system, "verdict": words[each.status], "p_one_sided": each.p_value, "finding": each.finding}
            for each in self.verdicts
        ]
        return {"status": self.status, "verdict": words[self.status], "verdicts": verdicts, "note": self.note}

    def leave(self) -> NoReturn:
        """Write the verdicts to standard error, and leave with the status."""
        click.echo("\n".join(self.lines), err=True)
        click.get_current_context().exit(self.status)


def with_gate(gate: Gate | None, headline: str, lines: Sequence[str], format: str) -> tuple[str, list[str]]:
    """Return the headline and the lines of an output with those of its gate; as they are if there is none.

    A format of rows alone sends its lines to standard error, where the gate writes its own.
    """
    if gate is None:
        return headline, list(lines)
    further = [line for line in gate.findings if line.removeprefix(_GATE) not in lines]
    return f"{headline} {gate.headline}".strip(), [*([] if format in STREAMED else further), *lines]


def judge(
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
) -> Gate:
    """Return the verdict on each system: whether it is worse.

    Args:
        differences: the difference of each further system from the baseline.
        of: the compared figure, as a sentence begins: "The mean rating".
        margin: largest loss that counts as not worse; None to ask for no proof that a system is not worse.
        level: level of the one-sided tests, for all differences together.
        less: the figure that is subtracted, `{}` being the baseline.
        note: see `Gate`.
        min_coverage: least share of items with a value of both for a verdict; None for any, and 0 to leave coverage
            out altogether.
        nothing: the reason why there are no differences, if there are none.
        untold: the criteria without a difference, of which nothing can be told.
    """
    if not differences:
        return Gate((Verdict("", CANNOT_TELL, f"cannot be told whether a system is worse: {nothing}"),))
    unsure = "cannot be told whether a system is worse: no difference has an interval"
    verdicts = [Verdict(name, CANNOT_TELL, unsure) for name in untold]
    for each in differences:
        lower = ", of which lower is better," if each.lower_is_better else ""
        what = f"{each.figure or of} of {each.system} less {less.format(each.baseline)}{lower}"
        status, finding = _finding(each, what, margin, level, len(differences))
        if each.coverage is not None:
            error = (1 - level) / len(differences)
            least = min_coverage if each.min_coverage is None else each.min_coverage
            status, finding = _with_coverage(each.coverage, status, finding, least, error)
        named = f"{each.system} ({each.criterion})" if each.criterion else each.system
        warning = f"; {each.warning}" if each.warning else ""
        p_value = math.nan if status == CANNOT_TELL else _p_of(each, margin or 0.0, len(differences))
        verdicts.append(Verdict(named, status, f"{finding}{warning}", p_value, each.shown != 0))
    return Gate(tuple(verdicts), margin, note)


def _finding(each: Judged, what: str, margin: float | None, level: float, n: int) -> tuple[int, str]:
    """Return the status of one of n systems, and its verdict in words."""
    two_sided = one_sided(level, n)
    if each.is_equal:
        return 0, f"equal: {what} is 0 on every item"
    worse = "" if margin is None else f" by {margin:g}"
    if (each.shown or 0) > 0:
        return 0, f"not worse{worse}, for it is shown to be better: {what} is {each.own_value:+.4g}"
    if each.p_value is not None:
        return _finding_of_test(each, each.p_value, what, level, n)
    low, high = each.interval(two_sided)
    bounds = (0.0 - high, 0.0 - low) if each.lower_is_better else (low, high)
    shown = (
        f"{what} is {each.own_value:+.4g}, {_named(n)} {percent(level)} bounds {bounds[0]:+.4g} and {bounds[1]:+.4g}"
    )
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
        side = "below" if each.lower_is_better else "above"
        return 0, f"not worse, for both bounds are {side} 0: {shown}"
    if margin is None:
        return 0, f"not shown to be worse, which proves nothing (--margin asks for a proof): {shown}"
    if low > -margin:
        obstacle = _obstacle(each, each.value + margin, two_sided, upper=False)
        if obstacle:
            return CANNOT_TELL, f"{unsure}: {obstacle}: {shown}"
        return 0, f"not worse by {margin:g}: {shown}"
    return CANNOT_TELL, f"{unsure}: {shown}"


def _finding_of_test(each: Judged, p_value: float, what: str, level: float, n: int) -> tuple[int, str]:
    """Return the status of one of n figures that has a two-sided p and no interval, and its verdict in words."""
    p = _p_of(each, 0.0, n)
    told = f"{what} is {each.own_value:+.4g}, one-sided {p_text(p, is_least=each.is_least_p and each.value < 0)}"
    told += _corrected(n)
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
    p = _p_of(each, margin, n)
    told = f"one-sided {p_text(p)}{_corrected(n)}"
    is_skewed = each.one_sided is not None and each.one_sided.estimate.skewness != 0
    if each.p_of_finding is not None and not margin:
        by = ", skewness not taken out" if is_skewed else ""
        told += f" (two-sided, in the table{by}: {p_text(each.p_of_finding, is_least=each.is_least_p)})"
    return told if each.shown != 0 else f"{told}; the finding's test is two-sided, and shows no difference"


def _p_of(each: Judged, margin: float, n: int) -> float:
    """Return the p of the one-sided test that a system is not worse by a margin, corrected for n tests, or NaN."""
    if each.p_value is not None:
        return min(1.0, n * (each.p_value / 2 if each.value < 0 else 1 - each.p_value / 2))
    if each.is_equal or each.obstacle or not all(map(math.isfinite, each.interval(one_sided(0.95, 1)))):
        return math.nan
    if each.value < -margin:
        return min(1.0, n * _one_sided_p(each.interval, -margin))
    return min(1.0, n * (1 - _one_sided_p(lambda level: _turned(each.interval(level)), margin)))


def _turned(ends: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of an interval of the same difference the other way round."""
    return 0.0 - ends[1], 0.0 - ends[0]


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
        min_coverage: see `judge`.
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

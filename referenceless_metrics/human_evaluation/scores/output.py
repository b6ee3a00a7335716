"""Findings on scores, as rows and in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from shlex import quote

from referenceless_metrics.core.registry import implementation
from referenceless_metrics.core.support.installation import project_version
from referenceless_metrics.core.support.statistics import in_one_rounding, p_text
from referenceless_metrics.core.support.validation import Record, shortened
from referenceless_metrics.human_evaluation.inference.any_time import Looks
from referenceless_metrics.human_evaluation.scores.differences import Difference, SystemMean
from referenceless_metrics.human_evaluation.scores.findings import Findings
from referenceless_metrics.human_evaluation.wording.headline import groups_told
from referenceless_metrics.human_evaluation.wording.holm_level import holm_sentence, percent
from referenceless_metrics.human_evaluation.wording.phrases import listed
from referenceless_metrics.pages.findings import FOR_THE_PAPER

BESIDE = ("p", "ties", "paired items", "clusters", "detectable")
"""Columns that a table for the terminal leaves out."""

_FIGURES = ("difference", "from", "to", "p holm", "p")
COUNTS = ("wins", "ties", "losses", "paired items")
"""Columns of items that two systems share, which unpaired scores leave empty."""
_OF_DIFFERENCES = (*_FIGURES, *COUNTS, "clusters", "detectable")
"""Columns of differences."""


def finding_rows(findings: Findings) -> list[Record]:
    """Return one row per system, column and slice: its mean, and its difference from the baseline.

    Of all pairs, a row for each follows.
    """
    of_baseline = [] if findings.are_of_pairs else findings.differences
    differences = {(each.system, each.column, each.slice): each for each in of_baseline}
    has_slices = any(mean.slice for mean in findings.means)
    rows = []
    for mean in findings.means:
        row = _mean_cells(mean, has_slices)
        each = differences.get((mean.system, mean.column, mean.slice))
        row.update(_difference_cells(each))
        if findings.margin is not None:
            row["not worse"] = None if each is None else each.not_worse
        rows.append(row)
    if findings.are_of_pairs:
        rows = [_with_less(row, "") for row in rows]
        rows += [_pair_row(each, has_slices) for each in findings.differences]
    return rows


def _with_less(row: Record, less: str) -> Record:
    """Return a row with the system that another one is compared with, behind that one; "" in that of a mean."""
    return {"system": row["system"], "less": less, **row}


def _pair_row(each: Difference, has_slices: bool) -> Record:
    """Return the row of the difference of two systems."""
    mean = SystemMean(each.system, each.column, each.slice, each.n, math.nan, (math.nan, math.nan))
    return _with_less({**_mean_cells(mean, has_slices), **_difference_cells(each)}, each.baseline)


def _mean_cells(mean: SystemMean, has_slices: bool) -> Record:
    row: Record = {"system": mean.system, "score": mean.column}
    if has_slices:
        row["slice"] = mean.slice
    low, high = mean.interval
    row.update({"items": mean.n, "mean": mean.mean, "low": low, "high": high})
    return row


def _difference_cells(each: Difference | None) -> Record:
    """Return the cells of a difference; those of the baseline, which has none, are NaN."""
    if each is None:
        return dict.fromkeys(_OF_DIFFERENCES, math.nan)
    low, high = each.interval
    counts = (each.wins, each.ties, each.losses, each.n) if each.is_paired else (math.nan,) * 4
    values = (each.estimate.value, low, high, each.p_adjusted, each.p_value, *counts, each.n_clusters, each.detectable)
    return dict(zip(_OF_DIFFERENCES, values, strict=True))


def finding_basis(findings: Findings) -> list[str]:
    """Return the basis of a table, for its caption: items, intervals and correction."""
    tests = findings.tests
    level = percent(findings.level)
    intervals = f"{level} intervals" if len(tests) < 2 else f"intervals at Holm's level, means with {level} intervals"
    whose = "of all pairs" if findings.are_of_pairs else f"from {findings.baseline}"
    basis = [
        f"Differences {whose} on {_items_told(findings)}, "
        f"with {intervals}{' that allow for clusters' if findings.in_clusters else ''}."
    ]
    corrected = _corrected(findings)
    if findings.looks is not None:
        basis.append(f"p and intervals are of confidence sequences, which {findings.looks.held()}{corrected}.")
    elif tests:
        basis.append(f"{p_heading(findings)}: by {_tests_told(findings)}{corrected}.")
    return basis


def p_heading(findings: Findings) -> str:
    """Return the heading of p in a table for readers: that of a single comparison is not corrected."""
    return "p holm" if len(findings.tests) > 1 else "p"


def _items_told(findings: Findings) -> str:
    """Return the items on which systems are compared, and how these are paired, in words."""
    paired = all(each.is_paired for each in findings.differences)
    tests = findings.tests
    n = sorted({each.n for each in tests})
    items = f"{n[0]} to {n[-1]} items" if len(n) > 1 else f"{n[0]} items" if n else "items"
    n_clusters = sorted({each.n_clusters for each in tests}) if findings.in_clusters else []
    if n_clusters:
        items += f" in {n_clusters[0]} clusters" if len(n_clusters) == 1 else f" in {n_clusters[0]} clusters or more"
        items += "" if paired else " of each system"
    shared = f"{_shared(tests)} of them of both systems, " if _shared(tests) else ""
    return f"{items}, {'paired by item' if paired else f'{shared}taken as independent samples'}"


def _corrected(findings: Findings) -> str:
    """Return how p is corrected, in words; "" for one test."""
    n = len(findings.tests)
    return f", corrected for {n} comparisons (Holm)" if n > 1 else ""


def _methods_sentence(findings: Findings) -> list[str]:
    """Return a sentence on how outputs were scored and compared, for the methods section of a paper.

    None for scores that a file holds: nothing tells how these came about.
    """
    if not findings.scored_by:
        return []
    systems = list(dict.fromkeys(each.system for each in findings.differences))
    compared = f"{listed(systems)} with {findings.baseline}"
    if findings.are_of_pairs:
        compared = f"all pairs of {listed([findings.baseline, *systems])}"
    metrics = [metric.described for metric in findings.scored_by.values()]
    tests = f"p by {_tests_told(findings)}{_corrected(findings)}" if findings.tests else "without a test"
    return [
        f"{FOR_THE_PAPER}We compared {compared} by {listed(metrics)}, as implemented "
        f"in {implementation()}, on {_items_told(findings)}, {tests}; signatures: {_signatures(findings)}."
    ]


def _shared(tests: Sequence[Difference]) -> str:
    """Return the number of items with scores of both systems of a difference that is not paired; "" for none."""
    counts = sorted({each.n_shared for each in tests})
    if not any(counts):
        return ""
    return f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def _tests_told(findings: Findings) -> str:
    """Name the tests of the differences, with the intervals that go with them."""
    robust = " with cluster-robust errors" if findings.in_clusters else ""
    tests = dict.fromkeys(f"{_test_of(each)}{robust}" for each in findings.tests if not each.is_equal)
    return " or ".join(tests) or "equality"


def _test_of(each: Difference) -> str:
    """Name the test of a difference; shares have a test of their own only without clusters."""
    if each.own_interval is not None:
        return (
            "McNemar's exact test, with Newcombe's interval" if each.is_paired else "Newcombe's interval of two shares"
        )
    return "the paired t test" if each.is_paired else "Welch's t test"


def finding_note(findings: Findings) -> list[str]:
    """Return the sentences of the note below a table in a paper: Holm's level, directions and signatures."""
    n = len(findings.tests)
    note = [holm_sentence(findings.level, n)] if n > 1 else []
    note += _on_lower(findings)
    return [*note, f"Signature{'s' if findings.scored_by else ''}: {_signatures(findings)}."]


def _signatures(findings: Findings) -> str:
    """Return the signatures of the metrics that scored the outputs, if any, and that of the comparison."""
    lower = "".join(f"|lower_is_better:{column}" for column in findings.lower_is_better)
    margin = "" if findings.margin is None else f"|margin:{findings.margin:g}"
    n_clusters = min((each.n_clusters for each in findings.tests), default=0) if findings.in_clusters else 0
    clusters = f"|clusters:{n_clusters}" if n_clusters else ""
    looking = "" if findings.looks is None else f"|{findings.looks.signature}"
    settings = f"level:{findings.level:g}|correction:holm{margin}{lower}{clusters}{looking}"
    signatures = [metric.signature for metric in findings.scored_by.values()]
    return "; ".join([*signatures, f"compare_scores|{settings}|version:{project_version()}"])


_FEWER_SCORES = (
    " by all scores together; if some of these scores were chosen before the results were seen, name them alone "
    "(--score-column): fewer comparisons correct less"
)


def finding_lines(findings: Findings) -> list[str]:
    """Return the findings of the scores, in sentences; the finding on all items first."""
    lines = [_sentence(each, findings) for each in findings.differences]
    tests = len(findings.tests)
    if tests > 1:
        fewer = _FEWER_SCORES if len({each.column for each in findings.tests}) > 1 else ""
        lines += [f"p of differences is corrected for {tests} comparisons{fewer}."]
        lines.append(holm_sentence(findings.level, tests))
    lines += _on_clusters(findings)
    lines += _on_lower(findings) + on_untold(findings)
    if findings.looks is not None:
        lines += look_lines(findings.differences, findings.looks)
    if not all(each.is_paired for each in findings.differences):
        lines.append(
            "Means of different items are compared: that holds if items were assigned to systems at random, or if "
            "those of both are alike, such as the questions of two days."
        )
    shared = _shared(findings.tests)
    if shared:
        lines.append(f"Items with scores of both systems ({shared}) count as independent, too.")
    lines += _on_groups(findings)
    if findings.tests and findings.looks is None:
        lines.append(f"p and intervals of differences: {_tests_told(findings)}.")
    return [*lines, *findings.notes, *_methods_sentence(findings)]


def _on_groups(findings: Findings) -> list[str]:
    """Return which of three systems and more cannot be told apart, in a list; none of two systems or several columns.

    Groups are of all pairs by one column. Of several columns the differences are one family, by which fewer differ.
    """
    lines = []
    n_pairs = math.comb(len({mean.system for mean in findings.means}), 2)
    if n_pairs == 1 or len(findings.groups) > 1:
        return []
    for column, groups in findings.groups.items():
        of_pairs = f"{column}, over all {n_pairs} pairs of systems (Holm)"
        if len(groups) == 1:
            lines.append(f"{of_pairs}: no two systems are shown to differ.")
        elif all(len(group) == 1 for group in groups):
            order = ", ".join(group[0] for group in groups)
            lines.append(f"{of_pairs}: all are shown to differ; the best first: {order}.")
        else:
            lines.append(f"{of_pairs}: {groups_told(groups)}.")
    return lines


def _on_clusters(findings: Findings) -> list[str]:
    """Return a sentence on clusters of means that are not paired; of others each finding tells its clusters."""
    if not findings.in_clusters or all(each.is_paired for each in findings.differences):
        return []
    return ["Intervals and p allow for clusters: items of one cluster count as dependent."]


def _on_lower(findings: Findings) -> list[str]:
    """Return a sentence on the scores of which lower ones are better; nothing without any."""
    if not findings.lower_is_better:
        return []
    named = ", ".join(findings.lower_is_better)
    return [f"Lower {named} is better: wins count lower scores; differences have the scores' own sign."]


def on_untold(findings: Findings) -> list[str]:
    """Return a sentence on the scores of which nothing tells whether higher ones are better; nothing without any."""
    return on_untold_of(findings.untold)


def on_untold_of(untold: Sequence[str]) -> list[str]:
    """Return the same of scores by their names."""
    if not untold:
        return []
    option = f"--lower-is-better {quote(untold[0])}"
    if len(untold) == 1:
        return [f"Higher {shortened(untold[0], 80)} counts as better: if lower is, say {option}."]
    named = shortened(listed(untold), 80)
    return [f"Nothing tells the direction of {named}: higher counts as better; if lower is, say {option}."]


def _sentence(each: Difference, findings: Findings) -> str:
    column = f"{each.column}, {each.slice}" if each.slice else each.column
    return f"{column}: {_finding(each, findings)}."


def _finding(each: Difference, findings: Findings) -> str:
    if math.isnan(each.p_value):
        return f"{each.system} cannot be told from {each.baseline}: {each.reason}"
    if each.is_equal:
        return f"{each.system} and {each.baseline} have equal scores on all {each.n} items, {p_text(each.p_adjusted)}"
    level = f"{100 * findings.level:g} %"
    value, low, high = in_one_rounding(each.estimate.value, *each.interval)
    sign = "+" if each.estimate.value > 0 else ""
    clusters = ""
    if findings.in_clusters:
        of_each = "" if each.is_paired else " or more of each system"
        clusters = f", {each.n} items in {each.n_clusters} clusters{of_each}"
    figures = f"difference {sign}{value} [{low}, {high}], {p_text(each.p_adjusted)}{clusters}"
    if each.estimates_ratings:
        sentence = f"{each.system} less {each.baseline}: {figures}"
        return sentence if findings.margin is None else f"{sentence}; {_on_margin(each, findings.margin)}"
    if each.is_shown(findings.level):
        scores = "higher" if each.estimate.value > 0 else "lower"
        if each.lower_is_better:
            scores += " (worse)" if each.estimate.value > 0 else " (better)"
        sentence = f"{each.system} scores {scores} than {each.baseline} at {level}: {figures}"
    else:
        sentence = f"{each.system} is not shown to differ from {each.baseline} at {level}: {figures}"
        if each.detectable > each.reach:
            sentence += f"; {each.n} items are too few to find any difference that such scores can have"
        elif each.detectable > 0:
            sentence += f"; {each.n} items find a difference of {each.detectable:.3g} four times in five"
    if findings.margin is not None:
        sentence += f"; {_on_margin(each, findings.margin)}"
    return sentence


def _on_margin(each: Difference, margin: float) -> str:
    """Say whether a system is worse by more than a margin."""
    if each.not_worse is None:
        return f"no verdict on the margin of {margin:g}: {each.no_verdict}"
    return f"it is not worse by {margin:g}" if each.not_worse else f"it is worse by more than {margin:g}"


def look_lines(differences: Sequence[Difference], looks: Looks) -> list[str]:
    """Return sentences on scores that are looked at as they come in, and on the items that are left by the plan."""
    n = min(each.n for each in differences)
    return [
        f"Intervals and p hold however often one looks from {looks.first} items on, for independent items that come in "
        f"random order; at {looks.planned} items they are about 1.5 times as wide as those of one look, and wider if "
        f"scores vary little beside their scale. {n} items have both scores; {looks.plan(n)}.",
        *(said for said in dict.fromkeys(each.ends_said for each in differences) if said),
    ]

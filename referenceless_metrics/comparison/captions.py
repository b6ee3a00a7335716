"""The caption of a table of comparisons, and the sentence on its methods."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from referenceless_metrics.comparison.significance import SIGNIFICANT, Significance
from referenceless_metrics.comparison.telling import (
    beside_of,
    counted,
    differences_by,
    each_score,
    has_interval,
    has_test,
    intervals_by,
    tests_by,
    untested_in,
    with_any,
    without_test,
)
from referenceless_metrics.core.files.escaping import one_line
from referenceless_metrics.core.registry import implementation
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL
from referenceless_metrics.core.support.statistics import p_text
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.scores.mean_intervals import FEWEST_CLUSTERS
from referenceless_metrics.human_evaluation.wording.phrases import listed

if TYPE_CHECKING:
    from referenceless_metrics.comparison.comparison import Comparison


def signatures_of(comparisons: Sequence[Comparison]) -> list[str]:
    """Return the signatures of all metrics, each once, by the metric's name."""
    signatures = [(name, signature) for each in comparisons for name, signature in each.signatures.items()]
    return list(dict.fromkeys(named_signature(name, signature) for name, signature in signatures))


def named_signature(name: str, signature: str) -> str:
    """Return a signature with the name of its metric before it, unless it tells the metric itself."""
    return one_line(signature if signature.startswith("metric:") else f"{name}|{signature}")


def basis_of(comparisons: Sequence[Comparison], significance: Significance) -> list[str]:
    """Return the basis of the figures: the segments, the intervals, and the tests that were made, with correction."""
    first = comparisons[0].rows[0].system
    own, beside = with_any(comparisons, has_interval)
    if not own and not beside:
        return [_too_few(comparisons)]
    names = dict.fromkeys(name for _, name in each_score(comparisons))
    scores = "each score" if {*own, *beside} == names.keys() else listed([*own, *beside])
    basis = f"{counted(comparisons)}; {scores} with the 95% confidence interval of {intervals_by(comparisons)}"
    at_level = ", at Holm's level," if significance.n_tests > 1 else ""
    by = differences_by(comparisons)
    if by:
        of = "difference" if significance.of_pairs else f"less {first}"
        mean = "" if beside_of(comparisons) else "mean "
        basis += f"; {of}: the {mean}difference with its interval{at_level} by {by}"
    if not has_test(comparisons):
        return [basis]
    marked = significance.marked
    corrected = f" after Holm's correction over {significance.n_tests} comparisons" if at_level else ""
    if at_level and significance.counted:
        corrected += f" ({significance.counted})"
    elif at_level and significance.of_pairs:
        corrected += " (all pairs)"
    asked = "as great as this is if two systems do not differ"
    if not significance.of_pairs:
        asked = f"from {first} as great as this is where the two do not differ"
    marks = f"; * marks p < {SIGNIFICANT} of {', '.join(marked)}{corrected}" if marked else ""
    shown = f"; p is that{corrected}" if at_level else ""
    if at_level and marked:
        shown = "; p is so corrected, too"
    return [basis, f"p: how probable a difference {asked}, by {tests_by(comparisons)}{marks}{shown}"]


def _too_few(comparisons: Sequence[Comparison]) -> str:
    return f"{counted(comparisons)}, too few for intervals and a test"


def caption_of(comparisons: Sequence[Comparison], significance: Significance) -> list[str]:
    """Return the basis of the figures, as short as a caption has it; the headline before it tells the correction."""
    if not has_test(comparisons):
        return [f"{_too_few(comparisons)}."]
    if significance.of_pairs:
        return [f"{counted(comparisons)}; intervals by {intervals_by(comparisons)}."]
    first = comparisons[0].rows[0].system
    at_level, corrected = (" at Holm's level", ", so corrected") if significance.n_tests > 1 else ("", "")
    marks = f"; * marks p < {SIGNIFICANT}" if significance.marked else ""
    untested = f"; {without_test(comparisons)}" if untested_in(comparisons) else ""
    of_scores = f"{counted(comparisons)}; intervals of scores by {intervals_by(comparisons)}"
    by = differences_by(comparisons)
    of_differences = f"; those of differences from {first}{at_level} by {by}" if by else ""
    of_p = f"; p against {first} by {tests_by(comparisons)}{corrected}"
    return [f"{of_scores}{of_differences}{of_p}{marks}{untested}.", *on_two_ways(comparisons, significance)]


def caption_of_pairs(comparisons: Sequence[Comparison], significance: Significance) -> str:
    """Return the findings and the basis of the table of all pairs, as a caption has them."""
    corrected, at_level = "", ""
    if significance.n_tests > 1:
        corrected, at_level = f", after Holm's correction over {significance.n_tests} comparisons,", " at Holm's level"
    intervals = ""
    by = differences_by(comparisons)
    if by:
        intervals = f", with intervals{at_level} by {by}"
    marks = f"; * marks p < {SIGNIFICANT}" if significance.marked else ""
    tests = f"; p{corrected} by {tests_by(comparisons)}{marks}" if has_test(comparisons) else ""
    untested = f"; {without_test(comparisons)}" if tests and untested_in(comparisons) else ""
    differences = f"Differences of all pairs of systems on {counted(comparisons)}{intervals}{tests}{untested}."
    return " ".join([differences, *on_two_ways(comparisons, significance)])


def on_two_ways(comparisons: Sequence[Comparison], significance: Significance) -> list[str]:
    """Return a sentence on the differences whose interval and p say otherwise, in a list; none without such ones.

    An interval by a bootstrap or a t test and a p by shuffles are two ways: near the limit the one may show a
    difference that the other does not show.
    """
    told = []
    for comparison in comparisons:
        for name, (system, baseline), difference, p_value in _tested(comparison):
            test = significance.of(name, system, baseline)
            level, p = (None, p_value) if test is None else (test.level, test.p_value)
            low, high = difference.interval() if level is None else difference.interval(level)
            if math.isnan(low) or (p < SIGNIFICANT) == (low > 0 or high < 0):
                continue
            holds = "holds" if low <= 0 <= high else "leaves out"
            told.append(f"that of {system} less {baseline} by {name} {holds} 0 beside {p_text(p)}")
    if not told:
        return []
    return [
        f"Intervals of differences and p are made in two ways, and say otherwise near p = {SIGNIFICANT}: "
        f"{listed(told)}; the findings go by p."
    ]


def _tested(comparison: Comparison) -> Iterator[tuple[str, tuple[str, str], Inference, float]]:
    """Yield the differences with an interval and a p: the metric, the two systems, the difference and its p."""
    first, *others = comparison.rows
    for name in comparison.signatures:
        if comparison.pairs:
            of = [(pair.system, pair.baseline, pair.differences, pair.p_values[name]) for pair in comparison.pairs]
        else:
            of = [(row.system, first.system, row.differences, row.results[name].p_value) for row in others]
        for system, baseline, differences, p_value in of:
            if name in differences and p_value is not None:
                yield name, (system, baseline), differences[name], p_value


def methods_sentence(comparisons: Sequence[Comparison], significance: Significance) -> str:
    """Return a sentence on how the systems were compared, for the methods section of a paper."""
    first, *others = [row.system for row in comparisons[0].rows]
    means = [each.described or each.metric for each in comparisons if not each.is_of_corpus]
    metrics = [f"by {listed(means)}, as implemented in {implementation()}"] if means else []
    beside = beside_of(comparisons)
    if beside:
        metrics.append(f"by {listed(beside)} of sacrebleu")
    tests = f"with paired approximate randomisation ({comparisons[0].n_samples:,} shuffles)"
    by = differences_by(comparisons)
    if comparisons[0].n_clusters:
        tests = f"with {tests_by(comparisons)}"
    if by and by not in tests:
        tests += f", intervals of differences by {by}"
    if significance.n_tests > 1:
        tests += f" and Holm's correction over {significance.n_tests} comparisons"
    compared = f"{listed(others)} with {first}"
    if significance.of_pairs:
        compared = f"all pairs of {listed([first, *others])}"
    if not has_test(comparisons):
        tests = f"without a test, for which there are fewer than {FEWEST_FOR_INTERVAL} scored segments"
        if comparisons[0].n_clusters:
            needed = FEWEST_CLUSTERS if means else FEWEST_FOR_INTERVAL
            tests = f"without a test, for which there are fewer than {needed} clusters of segments"
    elif untested_in(comparisons):
        tests += f" ({without_test(comparisons)})"
    signatures = signatures_of(comparisons)
    condition = f"{comparisons[0].condition}: " if comparisons[0].condition else ""
    return (
        f"{condition}We compared {compared} on {counted(comparisons)} {', and '.join(metrics)}, {tests}; "
        f"signature{'s' if len(signatures) > 1 else ''}: "
        f"{'; '.join(signatures)}."
    )

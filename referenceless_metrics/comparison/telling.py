"""The means by which a comparison tells differences: intervals, tests, and the way they were made."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from referenceless_metrics.comparison.corpus_metrics import RESAMPLES
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL
from referenceless_metrics.human_evaluation.scores.mean_intervals import FEWEST_CLUSTERS
from referenceless_metrics.human_evaluation.wording.phrases import listed

if TYPE_CHECKING:
    from sacrebleu.significance import Result

    from referenceless_metrics.comparison.comparison import Comparison


RATED_TEXTS_FIXED = "the rated texts are as they are: others would give other figures"
"""Note on the rated texts behind estimates of ratings, of which intervals and p tell nothing."""


def intervals_note(comparison: Comparison) -> str:
    """Return the meaning of a comparison's intervals: the draw of the segments, or clusters, and of nothing else."""
    return (
        f"intervals and p cover the draw of the {'clusters' if comparison.n_clusters else 'segments'}; "
        f"{RATED_TEXTS_FIXED if comparison.estimates_ratings else 'the metric is held fixed'}"
    )


def intervals_by(comparisons: Sequence[Comparison]) -> str:
    """Return the kind of the scores' intervals, of the metrics that have any."""
    if not comparisons[0].n_clusters:
        return "bootstrap resamples"
    own, beside = with_any(comparisons, has_interval)
    resampled = "resampled clusters"
    if not own:
        return resampled
    return f"cluster-robust errors, that of others of {resampled}" if beside else "cluster-robust errors"


def tests_by(comparisons: Sequence[Comparison]) -> str:
    """Return the tests behind p, of the metrics that have one."""
    shuffled = f"approximate randomisation ({comparisons[0].n_samples:,} shuffles)"
    if not comparisons[0].n_clusters:
        return shuffled
    own, beside = with_any(comparisons, _has_p)
    if not own:
        return f"{shuffled} of whole clusters"
    of_others = f", that of {listed(beside)} by {shuffled} of whole clusters" if beside else ""
    return f"the paired t test with cluster-robust errors{of_others}"


def differences_by(comparisons: Sequence[Comparison]) -> str:
    """Return how the intervals of differences are made, in words; "" if there are none."""
    known = []
    for each in comparisons:
        differences = [one.differences for one in each.rows] + [one.differences for one in each.pairs]
        known += [(name, each.is_mean(name)) for name in each.signatures if any(name in of for of in differences)]
    robust = " with cluster-robust errors" if comparisons[0].n_clusters else ""
    ways = [f"the paired t test{robust}"] if any(is_mean for _, is_mean in known) else []
    beside = list(dict.fromkeys(name for name, is_mean in known if not is_mean))
    if beside:
        of = f"that of {listed(beside)} by " if ways else ""
        ways.append(f"{of}paired bootstrap ({RESAMPLES:,} resamples{' of clusters' if robust else ''})")
    return ", ".join(ways)


def _has_p(result: Result) -> bool:
    return result.p_value is not None


def has_interval(result: Result) -> bool:
    """Say whether a result has an interval."""
    return not math.isnan(result.ci)


def with_any(comparisons: Sequence[Comparison], has: Callable[[Result], bool]) -> tuple[list[str], list[str]]:
    """Return the compared metrics, and those beside them, of which any system's result has something."""
    names = [
        (name, each.is_mean(name))
        for each in comparisons
        for name in each.signatures
        if any(has(row.results[name]) for row in each.rows)
    ]
    own, beside = ([name for name, is_own in names if is_own == kind] for kind in (True, False))
    return own, list(dict.fromkeys(beside))


def untested_in(comparisons: Sequence[Comparison]) -> list[str]:
    """Return the metrics without a test."""
    tested = {name for names in with_any(comparisons, _has_p) for name in names}
    names = dict.fromkeys(name for each in comparisons for name in each.signatures)
    return [name for name in names if name not in tested]


def beside_of(comparisons: Sequence[Comparison]) -> list[str]:
    """Return sacrebleu's metrics, which are compared themselves or beside others."""
    return list(dict.fromkeys(name for each in comparisons for name in each.signatures if not each.is_mean(name)))


def counted(comparisons: Sequence[Comparison]) -> str:
    """Return the number of segments on which systems are compared, and of the clusters that they lie in.

    If metrics compare on different numbers, it is that of all segments, and those of fewer stand behind it.
    """
    n = comparisons[0].n_segments
    n_clusters = sorted({each.n_clusters for each in comparisons})
    in_clusters = f" in {' to '.join(map(str, n_clusters))} clusters" if n_clusters[-1] else ""
    compared = {name: each.n_compared(name) for each, name in each_score(comparisons)}
    numbers = set(compared.values())
    if numbers == {n}:
        return f"{n} segments{in_clusters}"
    if len(numbers) == 1:
        return f"{numbers.pop()} of {n} segments{in_clusters} (those with a value for all systems)"
    fewer = [f"{name} on the {n_own} with a value for all systems" for name, n_own in compared.items() if n_own < n]
    return f"{n} segments{in_clusters} ({listed(fewer)})"


def alone(comparison: Comparison) -> Comparison:
    """Return a comparison without differences from the baseline, which stand among all pairs."""
    rows = []
    for row in comparison.rows:
        results = {name: copy.copy(result) for name, result in row.results.items()}
        for result in results.values():
            result.p_value = None
        rows.append(replace(row, results=results, differences={}))
    return replace(comparison, rows=tuple(rows))


def each_score(comparisons: Sequence[Comparison]) -> Iterator[tuple[Comparison, str]]:
    """Yield each score: its comparison and its name."""
    for comparison in comparisons:
        for name in comparison.signatures:
            yield comparison, name


def without_test(comparisons: Sequence[Comparison]) -> str:
    """Return the metrics without a test, and the reason, in words; "" if each has one."""
    untested = untested_in(comparisons)
    if not untested:
        return ""
    n_clusters = max(each.n_clusters for each in comparisons)
    if 0 < n_clusters < FEWEST_FOR_INTERVAL:
        needed = FEWEST_CLUSTERS if n_clusters < FEWEST_CLUSTERS else FEWEST_FOR_INTERVAL
        why = f"{n_clusters} clusters, and {needed} are needed"
    elif not n_clusters and min(each.n_common for each in comparisons) < FEWEST_FOR_INTERVAL:
        why = f"fewer than {FEWEST_FOR_INTERVAL} segments"
    else:
        why = "no difference varies"
    return f"no test of {listed(untested)}: {why}"


def has_test(comparisons: Sequence[Comparison]) -> bool:
    """Return whether any difference was tested."""
    results = [result for each in comparisons for row in each.rows for result in row.results.values()]
    return any(result.p_value is not None for result in results)

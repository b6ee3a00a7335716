"""Systems compared: scores with coverage and confidence intervals, and paired tests against a baseline.

A metric that estimates human ratings is compared as any other, with its rated texts as they are: its p is of its own
mean. No test on segments can detect its bias on a system without ratings. So that p marks no significance, and only
`human_score` tells people's opinion of a system.
"""

from __future__ import annotations

import copy
import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sacrebleu.significance import PairedTest, Result

from referenceless_metrics.assessment.agreement import Verdict
from referenceless_metrics.assessment.folds import number_groups
from referenceless_metrics.comparison.corpus_metrics import Counted
from referenceless_metrics.comparison.in_clusters import difference_in_clusters, mean_result, numbered, tested
from referenceless_metrics.core.metric import verdict_of, worth_of
from referenceless_metrics.core.registry import described
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL, warnings_of
from referenceless_metrics.core.support.validation import (
    Booleans,
    Floats,
    InputError,
    Integers,
    NoValuesError,
    check_whole,
)
from referenceless_metrics.frameworks.sacrebleu import SacrebleuAdapter, Streams
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.inference.one_sided import OneSided
from referenceless_metrics.human_evaluation.inference.output_ratings import Systems
from referenceless_metrics.human_evaluation.inference.paired_coverage import PairedCoverage
from referenceless_metrics.human_evaluation.scores.paired import mean_of_clusters

SHUFFLES = 10_000
"""Default number of shuffles of the paired test, equal to sacrebleu's."""

OVER_ALL = "values rank the outputs of all these systems together, with a mean of 0: a further system changes them"
"""Scale of a metric whose values depend on all outputs of a comparison."""

_IN_ANY_LANGUAGE = (
    "; BLEU, chrF and TER need no model of a language: `--metric bleu --metric chrf --references FILE` "
    "(of a column: --reference-columns NAME) compares by them alone, in `compare` and in `report`"
)
"""End of the message on outputs without any value."""

_OF_A_TEST = ("bs:", "ar:", "seed:")
"""Beginnings of those parts of sacrebleu's signatures that tell of resamples, shuffles and their seed."""


@dataclass(frozen=True)
class SystemRow:
    """One system in a comparison.

    Attributes:
        system: its name.
        results: the system's result by a metric's name; the compared metric first, on the segments that it covers for
            all systems, then the others. Its `score` is that of the corpus; `mean` and `ci` are the mean over bootstrap
            resamples, and half the width of their central 95% interval, NaN for fewer than ten segments; `p_value` is
            two-sided, of approximate randomisation against the baseline, None for the baseline and for fewer than ten
            segments. In clusters the compared metric has them of cluster-robust errors, from five clusters on, and the
            others of resampled and shuffled clusters, from ten on.
        n_covered: number of segments that the compared metric covers.
        coverage: their share.
        n_rated_texts: number of its texts that the compared metric learned from.
        warnings: warnings about its mean (see `results.warnings_of`) and its outputs.
        differences: the system's score less the baseline's, by metric. That of the compared metric is of means on the
            segments that are covered for all, by the paired t test, or with a cluster-robust error; it is not there
            for fewer than ten such segments, or five clusters of them. Those of sacrebleu's metrics are by a paired
            bootstrap (`corpus_metrics`), of ten segments or clusters and more. None of the baseline.
        one_sided: the one-sided bound of the compared metric's difference in clusters; None without.
        n_same: number of segments with the same output as the baseline's; 0 for the baseline.
        paired_coverage: the segments that the compared metric covers for it and for the baseline; None for the
            baseline.
    """

    system: str
    results: Mapping[str, Result]
    n_covered: int
    coverage: float
    n_rated_texts: int = 0
    warnings: tuple[str, ...] = ()
    differences: Mapping[str, Inference] = field(default_factory=dict)
    one_sided: OneSided | None = None
    n_same: int = 0
    paired_coverage: PairedCoverage | None = None

    @property
    def difference(self) -> Inference | None:
        """The difference by the compared metric; None without."""
        return self.differences.get(next(iter(self.results)))


@dataclass(frozen=True)
class Pair:
    """Two systems of a comparison of all pairs.

    Attributes:
        system: the name of one.
        baseline: the name of the other.
        leads: the first's score less the other's, by metric.
        p_values: by metric, the two-sided p, like those of `SystemRow.results`.
        differences: the differences of these two by metric, like those of `SystemRow`.
        n_same: number of segments for which both have the same output.
    """

    system: str
    baseline: str
    leads: Mapping[str, float]
    p_values: Mapping[str, float | None]
    differences: Mapping[str, Inference] = field(default_factory=dict)
    n_same: int = 0

    @property
    def turned(self) -> Pair:
        """The same two, the other one first."""
        return replace(
            self,
            system=self.baseline,
            baseline=self.system,
            leads={name: 0.0 - lead for name, lead in self.leads.items()},
            differences={name: each.with_other_sign for name, each in self.differences.items()},
        )


@dataclass(frozen=True)
class Comparison:
    """Systems compared with the first of them.

    Attributes:
        metric: name of the compared metric.
        rows: one per system, the baseline first.
        n_segments: number of segments of each system.
        n_common: number of segments that are covered for all systems.
        n_samples: shuffles of the paired tests, by approximate randomisation.
        signatures: signature of each metric, by its name.
        estimates_ratings: whether the compared metric estimates human ratings, so that no figure here is a finding
            about people.
        verdict: the verdict on its estimates; None if it is not known.
        worth: the worth of its estimates, or how to learn it, in a sentence; None for a metric that estimates no
            ratings.
        described: the compared metric, as a sentence of a paper names it.
        scale: the meaning of its values, in a line; "" for none.
        n_clusters: number of clusters of the segments that are covered for all; 0 if nobody named clusters.
        pairs: all pairs of systems, those with the baseline first; none unless all pairs are asked for.
        condition: the condition under which segments are paired rightly, as of `Segments`; "" for none.
        is_of_corpus: whether the compared metric is one of sacrebleu's, whose score is of the whole corpus.
    """

    metric: str
    rows: tuple[SystemRow, ...]
    n_segments: int
    n_common: int
    n_samples: int
    signatures: Mapping[str, str]
    estimates_ratings: bool = False
    verdict: Verdict | None = None
    worth: str | None = None
    described: str = ""
    scale: str = ""
    n_clusters: int = 0
    pairs: tuple[Pair, ...] = ()
    condition: str = ""
    is_of_corpus: bool = False

    def is_mean(self, name: str) -> bool:
        """Return whether a metric's scores here are means of segments: not those of sacrebleu's own metrics."""
        return name == self.metric and not self.is_of_corpus

    def n_compared(self, name: str) -> int:
        """Return the number of segments on which a metric's scores compare the systems."""
        return self.n_common if name == self.metric else self.n_segments

    def is_least_p(self, name: str, p_value: float | None) -> bool:
        """Return whether the p of a metric's test, not corrected, is the least that shuffles can give: a limit."""
        by_t = self.n_clusters > 0 and self.is_mean(name)
        return p_value is not None and not by_t and p_value <= 1 / (self.n_samples + 1)


def compare_systems(
    systems: Systems,
    metric: SacrebleuAdapter,
    *,
    references: Streams | None = None,
    others: Sequence[Any] = (),
    n_samples: int = SHUFFLES,
    clusters: Sequence[Any] | None = None,
    all_pairs: bool = False,
    condition: str = "",
) -> Comparison:
    """Compare systems' outputs for the same inputs, the first system being the baseline.

    p-values are those of `sacrebleu.significance.PairedTest` by approximate randomisation, with ties counted
    (`frameworks.sacrebleu_ties`), so that a copy of the baseline has p = 1. The environment variable SACREBLEU_SEED
    seeds them, as it does sacrebleu's.

    Args:
        systems: names and outputs, n texts each; at least two.
        metric: the metric that is compared, on the segments that it covers for all systems.
        references: reference streams, for metrics that read them.
        others: sacrebleu metrics to show beside it, such as `BLEU()`.
        n_samples: shuffles.
        clusters: the cluster of each segment, such as its document, n of them: segments of one cluster then count as
            dependent; None if they are independent.
        all_pairs: whether pairs without the baseline are tested, too.
        condition: the condition under which texts of one place are for the same input; "" for none.

    Raises:
        InputError: for fewer than two systems, systems of unequal lengths, no segment that is covered for all, missing
            references, or another number of clusters than of segments.
        ValueError: for a number of samples below 1.
    """
    check_whole(n_samples, "n_samples", 1)
    check_systems(systems)
    _check_references(metric, others, references)
    in_clusters = None if clusters is None else numbered(clusters, len(systems[0][1]))
    names = [name for name, _ in systems]
    ranks_all = bool(getattr(metric.metric, "set_dependent", False))  # scoring fixes its scale
    scores = np.array(metric.score_systems([texts for _, texts in systems], references))
    covered = np.isfinite(scores)
    common = _covered_for_all(names, covered, metric.name)
    n_common = int(common.sum())

    units = np.arange(len(common)) if in_clusters is None else in_clusters
    corpus = getattr(metric.metric, "corpus", None)
    counted = [
        Counted.of(each, systems, references, units) for each in ([] if corpus is None else [corpus]) + [*others]
    ]
    test = _Test(metric, scores, common, counted, n_samples, in_clusters)
    results, signatures, differences, bounds = test.against(systems, 0)

    coverages: list[PairedCoverage | None] = [None]
    for name, of_system in zip(names[1:], covered[1:], strict=True):
        pair = (name, of_system), (names[0], covered[0])
        value = f"value of {metric.name}"
        coverages.append(PairedCoverage.of(*pair, in_clusters, n_compared=n_common, value=value))
    rows = []
    for place, name in enumerate(names):
        result = metric.results[place]
        rows.append(
            SystemRow(
                system=name,
                results={title: column[place] for title, column in results.items()},
                n_covered=int(covered[place].sum()),
                coverage=float(covered[place].mean()),
                n_rated_texts=result.n_rated_texts,
                warnings=tuple(warnings_of(result).values()),
                differences=differences[place],
                one_sided=bounds[place],
                n_same=_n_same(systems, place, 0) if place else 0,
                paired_coverage=coverages[place],
            )
        )
    pairs: list[Pair] = []
    if all_pairs:
        signatures = {name: f"{signature}|pairs:all" for name, signature in signatures.items()}
        for base in range(len(names) - 1):
            found = (results, signatures, differences, bounds) if base == 0 else test.against(systems, base)
            pairs += _pairs_with(systems, base, found[0], found[2])
    return Comparison(
        metric=metric.name,
        rows=tuple(rows),
        n_segments=covered.shape[1],
        n_common=n_common,
        n_samples=n_samples,
        signatures=signatures,
        estimates_ratings=metric.estimates_ratings,
        verdict=verdict_of(metric.metric),
        worth=worth_of(metric.metric),
        described=described(metric.metric),
        scale=OVER_ALL if ranks_all else getattr(metric.metric, "scale", ""),
        n_clusters=test.n_clusters,
        pairs=tuple(pairs),
        condition=condition,
        is_of_corpus=corpus is not None,
    )


_Differences = list[dict[str, Inference]]
"""The differences of each system, by metric."""


@dataclass(frozen=True)
class _Test:
    """The paired tests of a comparison, to be made against any of its systems.

    Attributes:
        metric: the compared metric.
        scores: its scores of each of s systems, shape (s, n).
        common: the segments that it covers for all systems, shape (n,).
        counted: sacrebleu's metrics with their counts: the compared metric first if it is one of them.
        n_samples: shuffles.
        in_clusters: the number of each segment's cluster, shape (n,); None without clusters.
    """

    metric: SacrebleuAdapter
    scores: Floats
    common: Booleans
    counted: Sequence[Counted]
    n_samples: int
    in_clusters: Integers | None

    @property
    def n_clusters(self) -> int:
        """The number of clusters of the segments that are covered for all systems; 0 without clusters."""
        return 0 if self.in_clusters is None else len(np.unique(self.in_clusters[self.common]))

    def against(
        self, systems: Systems, base: int
    ) -> tuple[dict[str, list[Result]], dict[str, str], _Differences, list[OneSided | None]]:
        """Test the systems behind a system against it.

        Args:
            systems: names and outputs of the s systems.
            base: the place of that system.

        Returns:
            By metric, the results of that system and of those behind it; by metric, the signature; the differences of
            these systems, none of the first; and the one-sided bounds of those by the compared metric.
        """
        names = [name for name, _ in systems[base:]]
        results: dict[str, list[Result]] = {}
        signatures: dict[str, str] = {}
        differences: _Differences = [{} for _ in names]
        bounds: list[OneSided | None] = [None] * len(names)
        if getattr(self.metric.metric, "corpus", None) is None:
            results, signatures, of_means, bounds = self._of_means(names, base)
            for of_system, difference in zip(differences, of_means, strict=True):
                if difference is not None:
                    of_system[self.metric.name] = difference
        n_clusters = None if self.in_clusters is None else int(self.in_clusters.max()) + 1
        for counted in self.counted:
            found, of_found = _test_counts(counted, names, base, self.n_samples, n_clusters)
            results |= found
            signatures |= of_found
            for place in range(1, len(names)):
                difference = counted.difference(base + place, base)
                if difference is not None:
                    differences[place][next(iter(found))] = difference
        return results, signatures, differences, bounds

    def _of_means(
        self, names: Sequence[str], base: int
    ) -> tuple[dict[str, list[Result]], dict[str, str], list[Inference | None], list[OneSided | None]]:
        """Test the compared metric's means: as `against`, of it alone."""
        scores = self.scores[base:, self.common]
        own = self.metric.metric.signature
        differences: list[Inference | None] = [None]
        bounds: list[OneSided | None] = [None]
        if self.in_clusters is None:
            results, signatures = _test_metric(self.metric, names, scores, self.n_samples)
            n_common = scores.shape[1]
            for values in scores[1:]:
                is_tested = n_common >= FEWEST_FOR_INTERVAL
                differences.append(mean_of_clusters(values - scores[0], np.arange(n_common)) if is_tested else None)
                bounds.append(None)
            return results, {self.metric.name: _whole_signature(own, signatures[self.metric.name])}, differences, bounds
        of_common = number_groups(self.in_clusters[self.common].tolist())
        in_order = [mean_result(values, of_common) for values in scores]
        for values in scores[1:]:
            bounds.append(difference_in_clusters(values, scores[0], of_common))
            differences.append(tested(bounds[-1]))
        for result, difference in zip(in_order, differences, strict=True):
            result.p_value = None if difference is None else difference.p_value()
        signature = f"{own}|clusters:{self.n_clusters}"
        return {self.metric.name: in_order}, {self.metric.name: signature}, differences, bounds


def _pairs_with(
    systems: Systems, base: int, results: Mapping[str, list[Result]], differences: _Differences
) -> list[Pair]:
    """Return the pairs of a system and each of those behind it, of which `results` and `differences` are."""
    pairs = []
    for place in range(base + 1, len(systems)):
        of_pair = {name: (column[place - base], column[0]) for name, column in results.items()}
        pairs.append(
            Pair(
                system=systems[place][0],
                baseline=systems[base][0],
                leads={name: result.score - first.score for name, (result, first) in of_pair.items()},
                p_values={name: result.p_value for name, (result, _) in of_pair.items()},
                differences=differences[place - base],
                n_same=_n_same(systems, place, base),
            )
        )
    return pairs


def _n_same(systems: Systems, place: int, base: int) -> int:
    """Return the number of segments for which two systems have the same output."""
    return sum(map(operator.eq, systems[place][1], systems[base][1]))


def _whole_signature(own: str, of_test: str) -> str:
    """Return a metric's signature, followed by that of the paired test.

    >>> _whole_signature("metric:toy|version:1", "nrefs:0|ar:100|seed:1|version:1")
    'metric:toy|version:1|ar:100|seed:1'
    """
    parts = own.split("|")
    added = [part for part in of_test.split("|") if part not in (*parts, "nrefs:0")]
    return "|".join([*parts, *added])


def _check_references(metric: SacrebleuAdapter, others: Sequence[Any], references: Streams | None) -> None:
    """Check that metrics that read references have them.

    Raises:
        InputError: naming the metrics.
    """
    if references is None and (others or metric.needs_references):
        needing = ", ".join(getattr(other, "name", type(other).__name__) for other in others) or metric.name
        raise InputError(f"{needing} needs references, but there are none")


def _covered_for_all(names: Sequence[str], covered: Booleans, metric: str) -> Booleans:
    """Return whether a metric covers each segment for all systems, shape (n,).

    Args:
        names: the names of s systems.
        covered: whether each text has a value, shape (s, n).
        metric: the metric's name.

    Raises:
        NoValuesError: for a system without any value, or no segment that is covered for all.
    """
    for name, row in zip(names, covered, strict=True):
        if not row.any():
            problem = f"{metric} covers none of its {len(row)} texts, so there is no score to compare"
            raise NoValuesError(f"{name}: {problem}{_IN_ANY_LANGUAGE}")
    common: Booleans = np.logical_and.reduce(covered)
    if not common.any():
        raise NoValuesError(f"there is no segment that {metric} covers for all systems, so nothing can be compared")
    return common


def _test_metric(
    metric: SacrebleuAdapter, names: Sequence[str], scores: Floats, n_samples: int
) -> tuple[dict[str, list[Result]], dict[str, str]]:
    """Return the compared metric's results, and its signature, by sacrebleu's paired test.

    Args:
        metric: the metric.
        names: the names of s systems.
        scores: their scores on the segments that are covered for all, shape (s, n).
        n_samples: shuffles.
    """
    # sacrebleu's "hypotheses" are scores here, so that no text is scored twice.
    scored: Any = copy.copy(metric)
    scored._extract_corpus_statistics = lambda values, _: metric.statistics_of(values)
    results, signatures = _paired_test(list(zip(names, scores, strict=True)), [scored], None, n_samples)
    if scores.shape[1] < FEWEST_FOR_INTERVAL:
        _without_test(results, signatures)
    return results, signatures


def _without_test(results: Mapping[str, Sequence[Result]], signatures: dict[str, str]) -> None:
    """Take intervals and p off results, and the resamples and shuffles off their signatures."""
    for result in (each for of_metric in results.values() for each in of_metric):
        result.mean = result.ci = math.nan
        result.p_value = None
    for name, signature in signatures.items():
        kept = [part for part in signature.split("|") if not part.startswith(_OF_A_TEST)]
        signatures[name] = "|".join(kept)


def higher_first(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Return comparisons of the same systems with each pair as the higher one by the first score less the lower one."""
    first = comparisons[0]
    score = next(iter(first.signatures))
    are_turned = [pair.leads[score] < 0 for pair in first.pairs]
    return [
        replace(
            each,
            pairs=tuple(
                pair.turned if is_turned else pair for pair, is_turned in zip(each.pairs, are_turned, strict=True)
            ),
        )
        for each in comparisons
    ]


def check_systems(systems: Systems) -> None:
    """Check that there are systems to compare, named and with outputs for the same inputs.

    Raises:
        InputError: for fewer than two, a system without texts, or one with another number of texts than the first.
    """
    if len(systems) < 2:
        named = f"only {systems[0][0]}" if systems else "none"
        raise InputError(f"a comparison needs at least two systems, the baseline first, but there is {named}")
    first, length = systems[0][0], len(systems[0][1])
    for name, texts in systems:
        if not len(texts):
            raise InputError(f"{name}: it holds no texts")
    uneven = [f"{name} has {len(texts)}" for name, texts in systems if len(texts) != length]
    if uneven:
        raise InputError(
            f"{', '.join(uneven)} texts, but {first} (the baseline) has {length}; systems are compared on the same "
            "inputs, one text for each, in the same order (`compare --unpaired` compares outputs of other inputs, and "
            "writes a page with -o page.html)"
        )


def _test_counts(
    counted: Counted, names: Sequence[str], base: int, n_samples: int, n_clusters: int | None
) -> tuple[dict[str, list[Result]], dict[str, str]]:
    """Return a metric's results and its signature, by sacrebleu's paired test of segments or clusters.

    Few of them give no interval and no p: resamples tell nothing of those not seen.

    Args:
        counted: the metric with its counts.
        names: the names of a system and of those behind it.
        base: the place of that system.
        n_samples: shuffles.
        n_clusters: number of clusters; None for segments without clusters.
    """
    of_systems = list(zip(names, counted.counts[base:], strict=True))
    results, signatures = _paired_test(of_systems, [counted.metric], None, n_samples)
    if len(counted.counts[0]) < FEWEST_FOR_INTERVAL:
        _without_test(results, signatures)
    elif n_clusters is not None:
        signatures = {name: f"{told}|clusters:{n_clusters}" for name, told in signatures.items()}
    return results, signatures


def _paired_test(
    systems: Sequence[tuple[str, Any]], metrics: Sequence[Any], references: Streams | None, n_samples: int
) -> tuple[dict[str, list[Result]], dict[str, str]]:
    """Return each metric's results, and its signature, by sacrebleu's paired test."""
    by_place = {str(place): metric for place, metric in enumerate(metrics)}
    # 0 means the default number of resamples for the intervals.
    paired = PairedTest(list(systems), by_place, references, "ar", n_samples, n_ar_confidence=0)
    signatures, columns = paired()
    del columns["System"]
    return dict(columns), {name: str(signature) for name, signature in signatures.items()}

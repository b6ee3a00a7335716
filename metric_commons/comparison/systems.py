"""Systems compared: scores with coverage and confidence intervals, and paired tests against a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sacrebleu.significance import PairedTest

from metric_commons.integrations.sacrebleu import SegmentMetric, Streams
from metric_commons.statistics.significance import TieAware
from metric_commons.support.errors import InputError
from metric_commons.support.validation import check_choice, check_number

TESTS = ("ar", "bs")


@dataclass(frozen=True)
class SystemResult:
    """One system's score by one metric.

    Attributes:
        score: the corpus score.
        p_value: of the paired test against the baseline; None for the baseline. Two-sided by approximate randomisation;
            sacrebleu's paired bootstrap takes it from one side, so it is about half as large for a clear difference.
        mean: the mean over bootstrap resamples.
        ci: half the width of their central 95% interval.
    """

    score: float
    p_value: float | None
    mean: float
    ci: float


@dataclass(frozen=True)
class SystemRow:
    """One system in a comparison.

    Attributes:
        system: its name.
        results: from a metric's name to the system's result; the compared metric first, then the others.
        n_covered: how many segments the compared metric covers.
        coverage: their share.
        common: the compared metric's result on the segments that it covers for all systems; None where these are all
            that it covers for any system, and where there is none.
    """

    system: str
    results: Mapping[str, SystemResult]
    n_covered: int
    coverage: float
    common: SystemResult | None


@dataclass(frozen=True)
class Comparison:
    """Systems compared with the first of them.

    Attributes:
        metric: name of the compared metric.
        rows: one a system, the baseline first.
        n_segments: how many segments each system has.
        n_common: how many segments are covered for all systems.
        same_coverage: whether all systems are covered on the same segments.
        test: `ar` (approximate randomisation) or `bs` (paired bootstrap).
        n_samples: its shuffles or resamples.
        signatures: from a metric's name to its signature.
    """

    metric: str
    rows: tuple[SystemRow, ...]
    n_segments: int
    n_common: int
    same_coverage: bool
    test: str
    n_samples: int
    signatures: Mapping[str, str]


class _Scored(TieAware):
    """A metric whose "hypotheses" are segment scores computed before: no text is scored twice."""

    metric: SegmentMetric

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> NDArray[np.float64]:
        return self.metric.statistics_of(hypotheses)


def compare_systems(
    systems: Sequence[tuple[str, Sequence[str]]],
    metric: SegmentMetric,
    *,
    references: Streams | None = None,
    others: Sequence[Any] = (),
    test: str = "ar",
    n_samples: int = 0,
) -> Comparison:
    """Compare systems' outputs for the same inputs, the first system being the baseline.

    p-values are those of `sacrebleu.significance.PairedTest`, with ties counted (see `significance`), so that a copy
    of the baseline has p = 1. The environment variable `SACREBLEU_SEED` seeds them, as it does sacrebleu's.

    Args:
        systems: names and outputs, n texts each; at least two.
        metric: the metric that is compared, with its coverage.
        references: reference streams, for metrics that read them.
        others: sacrebleu metrics that stand beside it, such as `BLEU()`.
        test: `ar` (approximate randomisation, which holds its level) or `bs` (sacrebleu's paired bootstrap, which
            finds differences more readily, also where there are none).
        n_samples: shuffles or resamples; 0 for sacrebleu's default, 10,000 or 1,000.

    Raises:
        InputError: for fewer than two systems, systems of unequal lengths, a system of which no segment is covered, or
            missing references.
        ValueError: for an unknown test or a negative number of samples.
    """
    check_choice(test, "test", TESTS)
    check_number(n_samples, "n_samples", minimum=0, integer=True)
    _check_systems(systems)
    if references is None and (others or metric.needs_references):
        raise InputError(
            f"{', '.join(type(m).__name__ for m in others) or metric.name} needs references, but there are none"
        )
    names = [name for name, _ in systems]
    scores = metric.score_systems([texts for _, texts in systems], references)
    covered = np.array([np.isfinite(values) for values in scores])
    for name, row in zip(names, covered, strict=True):
        if not row.any():
            raise InputError(
                f"{name}: {metric.name} covers none of its {len(row)} texts, so there is no score to compare"
            )
    own = _paired_test(list(zip(names, scores, strict=True)), [_Scored(metric)], None, test, n_samples)
    results = {**own.results}
    signatures = {**own.signatures}
    if others:
        beside = _paired_test(systems, [TieAware(other) for other in others], references, test, n_samples)
        results |= beside.results
        signatures |= beside.signatures
    everywhere = covered.all(axis=0)
    same = bool((covered == covered[0]).all())
    common: Sequence[SystemResult | None] = [None] * len(systems)
    if not same and everywhere.any():
        parts = [(name, values[everywhere]) for name, values in zip(names, scores, strict=True)]
        common = _paired_test(parts, [_Scored(metric)], None, test, n_samples).results[metric.name]
    rows = tuple(
        SystemRow(
            name,
            {title: column[place] for title, column in results.items()},
            int(covered[place].sum()),
            float(covered[place].mean()),
            common[place],
        )
        for place, name in enumerate(names)
    )
    return Comparison(metric.name, rows, covered.shape[1], int(everywhere.sum()), same, test, own.n_samples, signatures)


def _check_systems(systems: Sequence[tuple[str, Sequence[str]]]) -> None:
    if len(systems) < 2:
        given = f"only {systems[0][0]}" if systems else "none"
        raise InputError(f"a comparison needs at least two systems, the baseline first, but there is {given}")
    first, length = systems[0][0], len(systems[0][1])
    for name, texts in systems:
        if not len(texts):
            raise InputError(f"{name}: it holds no texts")
        if len(texts) != length:
            raise InputError(
                f"{name}: it holds {len(texts)} texts, but {first} (the baseline) holds {length}; systems are compared "
                "on the same inputs, one text for each, in the same order"
            )


@dataclass(frozen=True)
class _Tested:
    results: dict[str, list[SystemResult]]
    signatures: dict[str, str]
    n_samples: int


def _paired_test(
    systems: Sequence[tuple[str, Any]], metrics: Sequence[Any], references: Streams | None, test: str, n_samples: int
) -> _Tested:
    paired = PairedTest(
        list(systems),
        {str(place): metric for place, metric in enumerate(metrics)},
        references,
        test_type=test,
        n_samples=n_samples,
        n_ar_confidence=0 if test == "ar" else -1,  # 0 stands for the default number
    )
    signatures, columns = paired()
    results = {
        name: [
            SystemResult(float(r.score), None if r.p_value is None else float(r.p_value), float(r.mean), float(r.ci))
            for r in column
        ]
        for name, column in columns.items()
        if name != "System"
    }
    return _Tested(results, {name: str(signature) for name, signature in signatures.items()}, paired.n_samples)

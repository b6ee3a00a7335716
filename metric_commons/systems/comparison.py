"""Systems compared: scores with coverage and confidence intervals, and paired tests against a baseline.

Systems compared by a metric that estimates human ratings: what its means are sure of, and nothing about people.

Such a metric learnt from a pool of rated texts. Another pool would have taught it something else, so the pool is drawn
anew together with the segments, in one bootstrap of both (Rubin 1981, "The Bayesian bootstrap", Annals of Statistics
9(1): weights in place of draws, so that no estimate loses all its neighbours). What no bootstrap shows is the metric's
bias on a system whose outputs nobody rated; therefore its p is of the metric's mean, and marks no significance.
"""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from sacrebleu.significance import PairedTest, Result

from metric_commons.integrations.sacrebleu import SacrebleuAdapter, Streams, tie_aware
from metric_commons.metric import verdict_of
from metric_commons.results import FEWEST_FOR_INTERVAL, cautions
from metric_commons.support.validation import Booleans, Floats, InputError, check_choice, check_whole
from metric_commons.systems.output_ratings import Systems

RESAMPLES = 1000
"""Of pool and segments, where no number is given."""

Resampler: TypeAlias = Callable[..., Floats]
"""From c texts, and their sources where the metric reads any, to their estimates from each of r resampled pools, shape
(c, r); NaN where one has none."""

Interval: TypeAlias = tuple[float, float, float]
"""A figure, and both ends of its interval."""

_BLOCK = 256  # segments at once
_TIE = 1e-9
_CENTRAL = (0.025, 0.975)


def resampled_means(
    systems: Sequence[Sequence[str]],
    scores: Sequence[Floats],
    where: Sequence[Booleans],
    resampler: Resampler | None,
    *,
    n_resamples: int,
    seed: int | None,
    sources: Sequence[Any] | None = None,
) -> tuple[list[Result], list[Interval | None]]:
    """Return each system's mean over some of its segments, with resamples of pool and segments, and its difference.

    Beside the mean stand that of the resamples and half the width of their central 95 %. Where all means are of the
    same segments, p is two-sided, that the metric's mean is the first system's: twice the smaller tail of the
    resamples; and the difference from that system is told with the central 95 % of its resamples, else it is None.

    Args:
        systems: n texts each, for the same inputs.
        scores: of each system's texts, shape (n,), finite where they count.
        where: which segments of each system count, shape (n,), at least one.
        resampler: of the metric's pool; None for a metric that cannot be trained anew, whose pool then is held fixed.
        n_resamples: r.
        seed: of the segments' weights; None for another at each call.
        sources: of the segments, n, for a metric that reads them.
    """
    generator = np.random.default_rng(seed)
    n = len(systems[0])
    sums, weights = np.zeros((2, len(systems), n_resamples))
    for start in range(0, n, _BLOCK):
        of_segments = generator.standard_exponential((min(_BLOCK, n - start), n_resamples))
        for place, (texts, values, counts) in enumerate(zip(systems, scores, where, strict=True)):
            inside = np.flatnonzero(counts[start : start + _BLOCK])
            if not len(inside):
                continue
            rows = (start + inside).tolist()
            drawn, known = of_segments[inside], values[rows][:, None]
            if resampler is not None:
                of_rows = () if sources is None else ([sources[row] for row in rows],)
                estimates = resampler([texts[row] for row in rows], *of_rows)
                known = np.where(np.isnan(estimates), known, estimates)
            sums[place] += (drawn * known).sum(axis=0)
            weights[place] += drawn.sum(axis=0)
    draws = sums / weights
    results = []
    differences: list[Interval | None] = [None] * len(systems)
    same = all((each == where[0]).all() for each in where)
    for place, (values, counts, drawn) in enumerate(zip(scores, where, draws, strict=True)):
        low, high = np.quantile(drawn, _CENTRAL)
        result = Result(float(values[counts].mean()), None, float(drawn.mean()), float(high - low) / 2)
        results.append(result)
        if place and same:
            difference = drawn - draws[0]
            slack = _TIE * max(abs(result.score), abs(results[0].score), 1e-3)
            tail = min(int((difference <= slack).sum()), int((difference >= -slack).sum()))
            result.p_value = min(1.0, 2 * (tail + 1) / (n_resamples + 1))
            low, high = np.quantile(difference, _CENTRAL)
            differences[place] = (result.score - results[0].score, float(low), float(high))
    return results, differences


def seed_of_sacrebleu() -> int | None:
    """Return the seed that sacrebleu's tests use: of the environment variable `SACREBLEU_SEED`, or 12345."""
    seed = os.environ.get("SACREBLEU_SEED", "12345")
    return int(seed) if seed.isdecimal() else None


TESTS = {"ar": 10_000, "bs": 1_000}
"""sacrebleu's paired tests, with the shuffles or resamples of each where no number is given."""


@dataclass(frozen=True)
class SystemRow:
    """One system in a comparison.

    Attributes:
        system: its name.
        results: from a metric's name to the system's result; the compared metric first, then the others. Its `score` is
            that of the corpus; `mean` and `ci` are the mean over bootstrap resamples, and half the width of their
            central 95% interval, NaN of fewer than ten segments; `p_value` is of the paired test against the baseline,
            None for the baseline and where nothing is tested, or the metric covers fewer than ten segments of either.
            It is two-sided by approximate randomisation; sacrebleu's paired bootstrap takes it from one side, so it is
            about half as large for a clear difference.
        n_covered: how many segments the compared metric covers.
        coverage: their share.
        common: the compared metric's result on the segments that it covers for all systems; None where these are all
            that it covers for any system, and where there is none.
        in_pool: how many of its texts are rated texts of the compared metric's own.
        cautions: what must be known before its mean is believed (see `results.cautions`).
        difference: the compared metric's mean less the baseline's on the segments that are covered for all, with the
            ends of its 95% interval: central resamples of these segments, and of the pool where that is resampled; None
            for the baseline, and where there are no such segments.
    """

    system: str
    results: Mapping[str, Result]
    n_covered: int
    coverage: float
    common: Result | None
    in_pool: int = 0
    cautions: tuple[str, ...] = ()
    difference: Interval | None = None


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
        n_resamples: of pool and segments together, where the compared metric estimates human ratings (see
            `resampled_means`); 0 for any other metric. Its p is then of its mean and says nothing about people, and it
            is tested on the common segments alone.
        pool_resampled: whether its pool was among what was resampled.
        verdict: what its estimates are worth, in a sentence; None where that is not known.
    """

    metric: str
    rows: tuple[SystemRow, ...]
    n_segments: int
    n_common: int
    same_coverage: bool
    test: str
    n_samples: int
    signatures: Mapping[str, str]
    n_resamples: int = 0
    pool_resampled: bool = False
    verdict: str | None = None

    @property
    def estimates_ratings(self) -> bool:
        """Whether the compared metric estimates human ratings, so that no figure here is a finding about people."""
        return self.n_resamples > 0


def compare_systems(
    systems: Systems,
    metric: SacrebleuAdapter,
    *,
    references: Streams | None = None,
    others: Sequence[Any] = (),
    test: str = "ar",
    n_samples: int = 0,
) -> Comparison:
    """Compare systems' outputs for the same inputs, the first system being the baseline.

    p-values are those of `sacrebleu.significance.PairedTest`, with ties counted (`integrations.sacrebleu`), so that a
    copy of the baseline has p = 1. The environment variable `SACREBLEU_SEED` seeds them, as it does sacrebleu's. A
    metric that estimates human ratings is tested otherwise, by a bootstrap of its pool and the segments (see
    `resampled_means`), and what people think of a system is for `metric_commons.systems.human_score` to say.

    Args:
        systems: names and outputs, n texts each; at least two.
        metric: the metric that is compared, with its coverage.
        references: reference streams, for metrics that read them.
        others: sacrebleu metrics that stand beside it, such as `BLEU()`.
        test: `ar` (approximate randomisation, which holds its level) or `bs` (sacrebleu's paired bootstrap, which
            finds differences more readily, also where there are none).
        n_samples: shuffles or resamples; 0 for the default: 10,000 or 1,000 as in sacrebleu, 1,000 of pool and
            segments.

    Raises:
        InputError: for fewer than two systems, systems of unequal lengths, a system of which no segment is covered, or
            missing references.
        ValueError: for an unknown test or a negative number of samples.
    """
    check_choice(test, "test", tuple(TESTS))
    check_whole(n_samples, "n_samples", 0)
    check_systems(systems)
    if references is None and (others or metric.needs_references):
        needing = ", ".join(getattr(other, "name", type(other).__name__) for other in others) or metric.name
        raise InputError(f"{needing} needs references, but there are none")
    names = [name for name, _ in systems]
    scores = metric.score_systems([texts for _, texts in systems], references)
    covered = np.isfinite(scores)
    for name, row in zip(names, covered, strict=True):
        if not row.any():
            raise InputError(
                f"{name}: {metric.name} covers none of its {len(row)} texts, so there is no score to compare"
            )
    everywhere: Booleans = np.logical_and.reduce(covered)
    same = bool((covered == covered[0]).all())
    texts, seed = [outputs for _, outputs in systems], seed_of_sacrebleu()
    estimates, n_resamples = metric.estimates_ratings, RESAMPLES
    signatures, resampler = {}, None
    if estimates:
        n_resamples = n_samples or RESAMPLES
        make = getattr(metric.metric, "pool_resampler", None)
        resampler = make(n_resamples, seed) if make else None  # without, the pool is held fixed
        signature = metric.get_signature()
        signature.update("bs", n_resamples)
        signature.update("seed", str(seed).lower())
        signatures[metric.name] = str(signature)
    # sacrebleu's "hypotheses" are scores here: no text is scored twice.
    scored: Any = copy.copy(metric)
    scored._extract_corpus_statistics = lambda values, _: metric.statistics_of(values)

    def tested(segments: Booleans) -> tuple[list[Result], list[Interval | None]]:
        where = [segments & row for row in covered]
        results, differences = resampled_means(
            texts, scores, where, resampler, n_resamples=n_resamples, seed=seed, sources=metric.sources
        )
        if not estimates:
            parts = [(name, values[segments]) for name, values in zip(names, scores, strict=True)]
            of_metric, signature = _paired_test(parts, [scored], None, test, n_samples)
            results = of_metric[metric.name]
            signatures.update(signature)
        # What has fewer than ten values gets no interval and no p; a difference needs as many on both sides.
        n_values = [int(counts.sum()) for counts in where]
        for place, (result, n) in enumerate(zip(results, n_values, strict=True)):
            if n < FEWEST_FOR_INTERVAL:
                result.mean = result.ci = math.nan
            if min(n, n_values[0]) < FEWEST_FOR_INTERVAL:
                result.p_value = differences[place] = None
        return results, differences

    on_all, differences = tested(np.ones_like(everywhere))
    common: Sequence[Result | None] = [None] * len(systems)
    if not same and everywhere.any():
        common, differences = tested(everywhere)
    results = {metric.name: on_all}
    if others:
        of_others, of_test = _paired_test(systems, [tie_aware(other) for other in others], references, test, n_samples)
        results |= of_others
        signatures |= of_test
    verdict = verdict_of(metric.metric)
    return Comparison(
        metric=metric.name,
        rows=tuple(
            SystemRow(
                name,
                {title: column[place] for title, column in results.items()},
                int(covered[place].sum()),
                float(covered[place].mean()),
                common[place],
                metric.results[place].in_pool,
                tuple(cautions(metric.results[place]).values()),
                differences[place],
            )
            for place, name in enumerate(names)
        ),
        n_segments=covered.shape[1],
        n_common=int(everywhere.sum()),
        same_coverage=same,
        test=test,
        n_samples=n_resamples if estimates and not others else n_samples or TESTS[test],
        signatures=signatures,
        n_resamples=n_resamples if estimates else 0,
        pool_resampled=resampler is not None,
        verdict=None if verdict is None else verdict.summary,
    )


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
            "inputs, one text for each, in the same order"
        )


def _paired_test(
    systems: Sequence[tuple[str, Any]], metrics: Sequence[Any], references: Streams | None, test: str, n_samples: int
) -> tuple[dict[str, list[Result]], dict[str, str]]:
    """Return each metric's results, and its signature, by sacrebleu's paired test."""
    paired = PairedTest(
        list(systems),
        {str(place): metric for place, metric in enumerate(metrics)},
        references,
        test_type=test,
        n_samples=n_samples or TESTS[test],
        n_ar_confidence=0 if test == "ar" else -1,  # 0 stands for the default number
    )
    signatures, columns = paired()
    del columns["System"]
    return dict(columns), {name: str(signature) for name, signature in signatures.items()}

"""Agreement of raters who marked errors in texts: α over characters, two kinds of F1, and errors marked before.

* Krippendorff's α over characters: each character of an output that two raters or more marked is a unit, and its value
  is the most severe error that a rater marked over it, or none; distances are nominal. See `agreement` for α.
* F1 with partial overlap, with characters as units: let A be the set of characters over which one rater marked an error
  and B that of another. Precision is |A ∩ B| / |A| and recall |A ∩ B| / |B|, so that

      F1 = 2 |A ∩ B| / (|A| + |B|),

  and 1 if both are empty: two raters who find nothing wrong agree. The value is the mean over all pairs of raters of
  all outputs, of errors of any severity and of each severity alone. It is symmetric, and a span counts as far as it is
  shared.
* F1 of matched errors with partial overlap and partial credit, micro-averaged, as Perrella, Morales Agostinho, Zaragoza
  (2026, "Span-Level Machine Translation Meta-Evaluation", arXiv 2603.19921) propose it for automatic evaluators. The
  errors a of one rater and b of another in one output are matched one to one, so that the sum of 2 |a ∩ b| / (|a| +
  |b|), in characters, is greatest. A matched error has the credit |a ∩ b| / |a|, its partner |a ∩ b| / |b|. Precision
  is the sum of the credits of one side by the number of its errors, recall that of the other side, both sums over all
  outputs. Neither rater is the reference here, so that each pair counts in both directions: precision, recall and F1
  are then one figure, all credits by all errors. An output in which two raters mark nothing adds nothing to either sum,
  whereas in the mean above it counts as 1; it is 1 if nobody marks any error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.studies.agreement import Coefficient, agreement_coefficients
from referenceless_metrics.human_evaluation.studies.reading import MarkedOutput
from referenceless_metrics.human_evaluation.studies.spans import SEVERITIES, MarkedSpan

_TIE = 1e-9
"""Weight that decides between matchings that are equally good."""

ANY = "any"
"""Name of all severities together."""


@dataclass(frozen=True)
class Prefilled:
    """Verdicts of a rater on the errors that were marked beforehand.

    Attributes:
        rater: the rater.
        n: number of errors marked beforehand in the outputs that the rater judged.
        accepted: number of them that the rater left as they were.
        changed: number that the rater gave another severity or category.
        rejected: number that the rater took away.
        added: number of further errors that the rater marked in these outputs.
    """

    rater: str
    n: int
    accepted: int
    changed: int
    rejected: int
    added: int


@dataclass(frozen=True)
class SpanAgreement:
    """Agreement of raters who marked errors.

    Attributes:
        alpha: Krippendorff's α over characters, with its interval for these raters and further items.
        f1: the mean F1 over pairs of raters, by severity, `any` being all of them together; empty without pairs.
        matched_f1: F1 of matched errors with partial credit, by severity, likewise.
        n_pairs: number of pairs of raters of one output.
        n_outputs: number of outputs that were marked.
        n_alone: number of them marked by one rater only, who has no partner.
        prefilled: verdicts of each rater, if errors were marked beforehand.
    """

    alpha: Coefficient
    f1: dict[str, float]
    matched_f1: dict[str, float]
    n_pairs: int
    n_outputs: int
    n_alone: int
    prefilled: list[Prefilled]


def characters_of(spans: Sequence[MarkedSpan], severity: str = ANY) -> set[int]:
    """Return the places of the characters over which errors of a severity, or of any, are marked.

    >>> sorted(characters_of([MarkedSpan(0, 2, "minor"), MarkedSpan(1, 3, "major")]))
    [0, 1, 2]
    """
    marked: set[int] = set()
    for span in spans:
        if severity in (ANY, span.severity):
            marked.update(range(span.start, span.end))
    return marked


def overlap_f1(one: Sequence[MarkedSpan], other: Sequence[MarkedSpan], severity: str = ANY) -> float:
    """Return F1 with partial overlap of two raters' errors in one text, with characters as units; see the module.

    >>> overlap_f1([MarkedSpan(0, 4, "minor")], [MarkedSpan(2, 4, "minor")]), overlap_f1([], [])
    (0.6666666666666666, 1.0)
    """
    first = characters_of(one, severity)
    second = characters_of(other, severity)
    if not first and not second:
        return 1.0
    return 2 * len(first & second) / (len(first) + len(second))


def matched_credits(one: Sequence[MarkedSpan], other: Sequence[MarkedSpan], severity: str = ANY) -> tuple[float, int]:
    """Return the credits of two raters' matched errors in one text, and the number of errors of both; see the module.

    >>> matched_credits([MarkedSpan(0, 4, "minor")], [MarkedSpan(2, 4, "minor"), MarkedSpan(8, 9, "minor")])
    (1.5, 3)
    """
    from scipy.optimize import linear_sum_assignment

    first, second = ([span for span in each if severity in (ANY, span.severity)] for each in (one, other))
    if not first or not second:
        return 0.0, len(first) + len(second)
    starts, ends = (
        np.maximum.outer([span.start for span in first], [span.start for span in second]),
        np.minimum.outer([span.end for span in first], [span.end for span in second]),
    )
    shared = np.maximum(ends - starts, 0)
    lengths = [np.array([span.end - span.start for span in each]) for each in (first, second)]
    credits = shared / lengths[0][:, None] + shared / lengths[1]
    # Of matchings that are equally good, the one with most credit.
    worth = 2 * shared / np.add.outer(*lengths) + _TIE * credits
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return float(credits[rows, columns].sum()), len(first) + len(second)


def span_agreement(marked: Sequence[MarkedOutput]) -> SpanAgreement:
    """Return the agreement of raters on the errors in outputs.

    Args:
        marked: outputs, each by one rater.

    Raises:
        InputError: for no marked outputs.
    """
    if not marked:
        raise InputError("no rater marked errors yet")
    by_output: dict[tuple[int, str], dict[str, MarkedOutput]] = defaultdict(dict)
    for each in marked:
        by_output[each.item, each.text][each.rater] = each  # equal outputs of two systems were marked once
    pairs = [pair for raters in by_output.values() for pair in combinations(raters.values(), 2)]
    f1 = {}
    matched_f1 = {}
    for severity in (ANY, *SEVERITIES):
        if pairs:
            f1[severity] = float(np.mean([overlap_f1(one.spans, other.spans, severity) for one, other in pairs]))
            found = np.sum([matched_credits(one.spans, other.spans, severity) for one, other in pairs], axis=0)
            matched_f1[severity] = float(found[0] / found[1]) if found[1] else 1.0
    return SpanAgreement(
        alpha=_alpha(list(by_output.values())),
        f1=f1,
        matched_f1=matched_f1,
        n_pairs=len(pairs),
        n_outputs=len(by_output),
        n_alone=sum(len(raters) == 1 for raters in by_output.values()),
        prefilled=_prefilled([each for raters in by_output.values() for each in raters.values()]),
    )


def _alpha(outputs: Sequence[dict[str, MarkedOutput]]) -> Coefficient:
    """Return α over the characters of outputs, each with the marks of every rater; NaN if nobody has a partner."""
    names = sorted({rater for raters in outputs for rater in raters})
    units: list[int] = []
    raters_of: list[int] = []
    values: list[float] = []
    items: list[int] = []
    first = 0
    for raters in outputs:
        n = max(len(each.text) for each in raters.values())
        for name, each in raters.items():
            units += range(first, first + n)
            raters_of += [names.index(name)] * n
            values += _severities(each.spans, n)
            items += [each.item] * n
        first += n
    if not units:
        return Coefficient(np.nan, np.nan, np.nan)
    codes = np.unique(items, return_inverse=True)[1]
    found = agreement_coefficients(np.array(units), np.array(raters_of), np.array(values), codes)
    return found["alpha nominal"]


def _severities(spans: Sequence[MarkedSpan], n: int) -> list[float]:
    """Return the most severe error over each of n characters, from 1 up; 0 for none."""
    found = [0.0] * n
    for span in spans:
        severity = 1.0 + SEVERITIES.index(span.severity)
        for place in range(span.start, span.end):
            found[place] = max(found[place], severity)
    return found


def _prefilled(marked: Sequence[MarkedOutput]) -> list[Prefilled]:
    """Return each rater's treatment of the errors that were marked beforehand; none if there are none."""
    by_rater: dict[str, list[MarkedOutput]] = defaultdict(list)
    for each in marked:
        if each.marked_before:
            by_rater[each.rater].append(each)
    return [_of_rater(rater, by_rater[rater]) for rater in sorted(by_rater)]


def _of_rater(rater: str, outputs: Sequence[MarkedOutput]) -> Prefilled:
    """Return a rater's treatment of the errors that were marked beforehand in some outputs."""
    n = sum(len(each.marked_before) for each in outputs)
    accepted = 0
    changed = 0
    added = 0
    for output in outputs:
        for span in output.spans:
            if span.prefilled is None:
                added += 1
            elif span == output.marked_before[span.prefilled]:
                accepted += 1
            else:
                changed += 1
    return Prefilled(rater, n, accepted, changed, n - accepted - changed, added)

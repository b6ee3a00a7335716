"""Counts of marked errors, as rows and in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.error_counts import ErrorCounts
from referenceless_metrics.human_evaluation.wording.phrases import listed

NOT_TESTED = "Counts are not tested: without --errors, the mean scores of errors are."
RATINGS_TESTED = (
    "Counts are not tested: without --errors the mean ratings are, and by --rating-column mqm in its place the mean "
    "scores of errors with weights."
)
_JUDGEMENT = "A judgement is an output as one rater judged it."


def error_rows(counts: ErrorCounts, *, for_readers: bool) -> list[Record]:
    """Return a row for each kind of error, and for readers with a column for each system, and one of all errors.

    Args:
        counts: the errors.
        for_readers: whether a row has the numbers of all systems; if not, there is one for each system.
    """
    systems = list(counts.n_judgements)
    if not for_readers:
        return [
            {
                "category": kind.category,
                "severity": kind.severity,
                "weight": kind.weight,
                "system": system,
                "errors": kind.n_of[system],
                "judgements": counts.n_judgements[system],
            }
            for kind in counts.kinds
            for system in systems
        ]
    have_severities = any(kind.severity for kind in counts.kinds)
    rows: list[Record] = []
    for kind in counts.kinds:
        row: Record = {"category": kind.category or "(none)"}
        if have_severities:
            row |= {"severity": kind.severity, "weight": "" if kind.weight is None else f"{kind.weight:g}"}
        rows.append(row | dict(kind.n_of))
    of_all: Record = {"severity": "", "weight": ""} if have_severities else {}
    rows += [{"category": f"{group or '(none)'}, all"} | of_all | n_of for group, n_of in counts.by_group.items()]
    return [*rows, {"category": "all"} | of_all | {system: counts.n_errors(system) for system in systems}]


def error_headline(counts: ErrorCounts) -> str:
    """Return the number of errors of each system in a sentence."""
    told = [f"{system} {counts.n_errors(system)} in {n}" for system, n in counts.n_judgements.items()]
    return f"Marked errors, and judgements: {', '.join(told)}."


def error_lines(counts: ErrorCounts) -> list[str]:
    """Return what the numbers are of, and the means of their weights or why there are none, in sentences."""
    unweighted = sorted({kind.severity for kind in counts.kinds if kind.weight is None and kind.severity})
    if unweighted:
        weights = ",".join(f"{severity}=WEIGHT" for severity in unweighted)
        named = listed([repr(severity) for severity in unweighted])
        verb = "has" if len(unweighted) == 1 else "have"
        return [_JUDGEMENT, f'Scores of judgements are not told: {named} {verb} no weight (--mqm-weights "{weights}").']
    lines = [_JUDGEMENT]
    told = []
    for system in counts.n_judgements:
        penalty = counts.penalty(system)
        if penalty is None:
            return lines
        told.append(f"{system} {0.0 - penalty:.4g}")
    lines.append(f"Score of a judgement, the negative sum of weight times number, in the mean: {', '.join(told)}.")
    shares = _told(counts.shares_of_weight())
    lines += [f"Share of the sum of weights by category, over all systems: {shares}."] if shares else []
    if counts.by_group:
        of_systems = {system: _told(counts.shares_of_weight(system, of_groups=True)) for system in counts.n_judgements}
        told = [f"{system} {of_system}" for system, of_system in of_systems.items() if of_system]
        lines += [f"The same by groups of categories, of each system's own sum: {'; '.join(told)}."] if told else []
    return lines


def _told(shares: Mapping[str, float]) -> str:
    """Return shares in words; those that are 0 are left out."""
    return ", ".join(f"{name or '(none)'} {share:.0%}" for name, share in shares.items() if share)

"""Agreement of raters, as rows of a table and in sentences."""

from __future__ import annotations

import math

from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL
from referenceless_metrics.human_evaluation.studies.agreement import (
    ENOUGH_ITEMS,
    FEWEST_ITEMS,
    FEWEST_SHARED,
    SUFFICES,
    Coefficient,
)
from referenceless_metrics.human_evaluation.studies.labels import MOST_LABELS, LabelAgreement
from referenceless_metrics.human_evaluation.studies.raters import RaterAgreement
from referenceless_metrics.human_evaluation.studies.span_agreement import ANY, SpanAgreement
from referenceless_metrics.human_evaluation.studies.spans import SEVERITIES
from referenceless_metrics.pages.rendering import number


def agreement_rows(agreed: RaterAgreement) -> list[Record]:
    """Return one row per rater."""
    rows = []
    for rater in agreed.raters:
        row = dict(rater)
        row["flags"] = "; ".join(rater["flags"])
        rows.append(row)
    return rows


def agreement_lines(agreed: RaterAgreement) -> list[str]:
    """Return the coefficients in sentences, with the basis of their intervals, and the raters to look at."""
    shown = {name: _figure(each) for name, each in agreed.coefficients.items()}
    lines = [
        f"Krippendorff's α: nominal {shown['alpha nominal']}, ordinal {shown['alpha ordinal']}, interval "
        f"{shown['alpha interval']}.",
        f"Fleiss' κ: {shown['fleiss kappa']}. Cohen's κ: {shown['kappa']}, with quadratic weights "
        f"{shown['weighted kappa']}, the mean over pairs of raters who share {FEWEST_SHARED} outputs or more.",
        f"{agreed.n_shared} of {agreed.n_units} outputs were rated by two raters or more.",
    ]
    if agreed.n_shared:
        lines.append(_on_intervals(agreed))
    if not math.isnan(agreed.coefficients["alpha nominal"].value):
        lines.append(SUFFICES)
    if agreed.ceiling is None:
        lines.append("No output was rated twice, or all ratings are alike: how far raters agree is not known.")
    else:
        lines.append(f"{agreed.ceiling}.")
    return lines + _flagged(agreed)


def label_lines(found: LabelAgreement) -> list[str]:
    """Return agreement on labels in sentences."""
    agreed = found.agreed
    shown = {name: _figure(each) for name, each in agreed.coefficients.items()}
    lines = [
        f"Krippendorff's α of labels (nominal): {shown['alpha nominal']}. Fleiss' κ: {shown['fleiss kappa']}. Cohen's "
        f"κ: {shown['kappa']}, the mean over pairs of raters who share {FEWEST_SHARED} outputs or more.",
    ]
    if found.alphas:
        each = ", ".join(f"{label} {_figure(alpha)}" for label, alpha in found.alphas.items())
        lines.append(f"α of each label, given or not: {each}.")
    shares = ", ".join(f"{label} {share:.0%}" for label, share in list(found.shares.items())[:MOST_LABELS])
    lines.append(f"Share of answers with each label: {shares}.")
    lines.append(f"{agreed.n_shared} of {agreed.n_units} outputs were labelled by two raters or more.")
    if agreed.n_shared:
        lines.append(_on_intervals(agreed))
    if not math.isnan(agreed.coefficients["alpha nominal"].value):
        lines.append(SUFFICES)
    lines += _flagged(agreed)
    return lines


def _flagged(agreed: RaterAgreement) -> list[str]:
    """Say which raters to look at."""
    return [
        f"{rater['rater']} {' and '.join(rater['flags'])}: look at these ratings before you use them."
        for rater in agreed.raters
        if rater["flags"]
    ]


def _figure(coefficient: Coefficient) -> str:
    if math.isnan(coefficient.low):
        return number(coefficient.value)
    return f"{number(coefficient.value)} [{number(coefficient.low)}, {number(coefficient.high)}]"


def _on_intervals(agreed: RaterAgreement) -> str:
    """Describe the intervals, or give the reason why there are none."""
    n = agreed.n_shared_items
    items = f"{n} item{'s' if n > 1 else ''}"
    if n < FEWEST_ITEMS:
        return f"Only {items} had two raters or more: no interval is given below {FEWEST_ITEMS}."
    if math.isnan(agreed.coefficients["alpha nominal"].low):
        return "No two answers about an output differ: how far raters could differ on others is not known."
    what = f"Intervals ({LEVEL:.0%}) are for these raters and further items like these {n}."
    if n < ENOUGH_ITEMS:
        return (
            f"Warning: {what} Over fewer than {ENOUGH_ITEMS} items they can hold less than they say: in 91 % of "
            "simulated studies on a scale of two points."
        )
    return what


def span_lines(agreed: SpanAgreement) -> list[str]:
    """Return sentences on raters' agreement on errors, and on their treatment of errors that were marked beforehand."""
    lines = [
        f"spans: Krippendorff's α over characters (none, {', '.join(SEVERITIES)}): {_figure(agreed.alpha)}.",
    ]
    if agreed.f1:
        of_severity = ", ".join(f"{name} {number(agreed.f1[name])}" for name in SEVERITIES)
        lines.append(
            f"spans: F1 with partial overlap, characters as units: {number(agreed.f1[ANY])} of any severity, "
            f"{of_severity}; the mean over {agreed.n_pairs} pairs of raters of one output. Two raters who find nothing "
            "wrong agree."
        )
        of_severity = ", ".join(f"{name} {number(agreed.matched_f1[name])}" for name in SEVERITIES)
        lines.append(
            f"spans: F1 of errors matched one to one, with partial credit (arXiv 2603.19921, micro-averaged): "
            f"{number(agreed.matched_f1[ANY])} of any severity, {of_severity}."
        )
    if agreed.n_alone:
        lines.append(
            f"spans: {agreed.n_alone} of {agreed.n_outputs} outputs were marked by one rater only and are left out: "
            "they have no partner."
        )
    for each in agreed.prefilled:
        lines.append(
            f"spans: of {each.n} errors marked beforehand {each.rater} accepted {each.accepted}, changed "
            f"{each.changed} and rejected {each.rejected}, and marked {each.added} more in these outputs."
        )
    return lines

"""An advice as rows of a table, as JSON and as a page of HTML."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from referenceless_metrics.advice.advise import Advice
from referenceless_metrics.assessment.agreement import CORRECTED_TOLD, SYSTEMS, TEXTS, UNPROVEN, Agreement
from referenceless_metrics.comparison.page import rating_measure, systems_page
from referenceless_metrics.comparison.segments import Measure
from referenceless_metrics.core.files.paper_tables import with_decimals
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL, MetricResult
from referenceless_metrics.core.support.validation import Record

_NONE_LEFT_OUT = "no estimate without its own rating"


_CORRECTED = "spearman_corrected"


def rows_for_readers(rows: Sequence[Record]) -> list[Record]:
    """Return rows whose ρ has the name that `calibrate` prints, and those of other units left out their units' names.

    >>> rows_for_readers([{"spearman_corrected": 0.5, "spearman_corrected_of_near_copies": 0.4, "coverage": 1.0}])
    [{'Spearman, corrected': 0.5, 'of near copies': 0.4, 'coverage': 1.0}]
    """
    return [{_heading(name): cell for name, cell in row.items()} for row in rows]


def _heading(name: str) -> str:
    if name == _CORRECTED:
        return "Spearman, corrected"
    return name.removeprefix(f"{_CORRECTED}_").replace("_", " ") if name.startswith(_CORRECTED) else name


def advice_rows(advice: Advice) -> list[Record]:
    """Return one row per candidate: ρ on texts left out, and on systems and groups left out if they are known.

    The last row is of the metric that learns nothing, if there is one. A candidate that came first and is not shown to
    tell anything is told so in place of a yes.
    """
    first = "first, unproven" if advice.verdict in UNPROVEN else "yes"
    rows = []
    for candidate, assessment in zip(advice.candidates, advice.assessments, strict=True):
        chosen = first if candidate is advice.chosen else ""
        rows.append({"candidate": candidate.name, "chosen": chosen, **_figures(assessment.agreements)})
    if advice.untrained is not None:
        rows.append({"candidate": advice.untrained.name, "chosen": "", **_figures(advice.untrained.agreements)})
    return rows


def table_notes(advice: Advice) -> list[str]:
    """Return the meaning of ρ in the table, and the rule by which one way comes first."""
    strictest = list(advice.assessment.agreements)[-1]
    within = ", within systems" if strictest == SYSTEMS else ""
    untrained = "" if advice.untrained is None else f" {advice.untrained.name} learns nothing, and is not among them."
    return [
        f"{CORRECTED_TOLD}.",
        f"The first of the ways that learn is the one with the highest ρ over all texts, {strictest} left out{within}: "
        "a text without an estimate counts as one of the mean rating, so that this ρ is not the one in the table, "
        f"which is of texts with an estimate. Ways with too few estimates come last.{untrained}",
    ]


def paper_parts(advice: Advice) -> Record:
    """Return the parts of a table for a paper: headline, basis of the caption, note with the signature, and lines."""
    summary, *_ = advice.assessment.findings()
    correction, rule = table_notes(advice)
    texts = f"{len(advice.texts)} texts with {advice.assessment.n_ratings} ratings, each left out."
    return {
        "headline": summary,
        "basis": [texts, correction],
        "note": [rule, f"Signature of {advice.chosen.name}: {advice.metric.signature}."],
        "lines": advice.findings,
        "rounding": partial(with_decimals, n=2),
    }


def _figures(agreements: Mapping[str, Agreement]) -> Record:
    """Return ρ by the units that are left out, corrected as in a calibration, and the coverage.

    The ρ of too few estimates for an interval is NaN: in a table it would look like a finding.
    """
    figures: Record = {}
    for left_out, agreed in agreements.items():
        of = "" if left_out == TEXTS else f"_of_{left_out.replace(' ', '_')}"
        rho = agreed.corrected
        figures[f"{_CORRECTED}{of}"] = rho.value if rho.n >= FEWEST_FOR_INTERVAL else math.nan
    return {**figures, "coverage": agreements[TEXTS].coverage}


def advice_summary(advice: Advice) -> Record:
    """Return the figures and the findings by name, for JSON."""
    return {
        "verdict": advice.verdict,
        "use": advice.chosen.name,
        "call": advice.chosen.call,
        "left_out": advice.assessment.strictest,
        "expected_spearman": advice.expected.value,
        "expected_low": advice.expected.low,
        "expected_high": advice.expected.high,
        "gain_of_last_doubling": advice.curve.gain,
        "n_texts": len(advice.texts),
        "n_ratings": advice.assessment.n_ratings,
        "findings": list(advice.findings),
        "signature": advice.metric.signature,
    }


def render_page(advice: Advice, title: str, options: Sequence[str] = (), folder: str = "") -> str:
    """Return a page that needs no network: verdict, table, findings, plots, the rated texts, and the next command.

    Args:
        advice: the result of `advise`.
        title: the heading.
        options: the options that name the saved metric, whose file lies beside the page; none if it is not saved.
        folder: the folder of the page, for the next command.
    """
    reasons = tuple(_NONE_LEFT_OUT if np.isnan(value) else None for value in advice.estimates)
    estimates = MetricResult(advice.estimates, reasons, advice.metric.signature)
    name = advice.chosen.name
    measures = [
        Measure(name[:1].upper() + name[1:], [estimates], advice.metric, explained=False),
        rating_measure([advice.ratings]),
    ]
    return systems_page(
        [("Rated texts, each left out", advice.texts)],
        measures,
        findings=advice.findings[1:],
        groups=advice.groups,
        options=options,
        title=title,
        package=__package__,
        template="advice.html.j2",
        advice=advice,
        is_unproven=advice.verdict in UNPROVEN,
        folder=folder,
    )

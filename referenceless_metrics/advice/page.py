"""Advice as rows for a table, and as one HTML page that needs nothing but itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metric_commons.report.segments import Measure
from metric_commons.report.systems import rating_measure, systems_page
from metric_commons.results import MetricResult
from referenceless_metrics.advice.advise import Advice


def advice_rows(advice: Advice) -> list[dict[str, Any]]:
    """Return a row a candidate: ρ on texts left out, and on groups left out where there are any."""
    rows = []
    for place, candidate in enumerate(advice.candidates):
        row: dict[str, Any] = {
            "candidate": candidate.name,
            "chosen": "yes" if candidate is advice.chosen else "",
            "spearman": float(advice.left_out.means[place]),
        }
        if advice.by_group is not None:
            row["spearman_of_groups"] = float(advice.by_group.means[place])
        rows.append(row)
    return rows


def advice_summary(advice: Advice) -> dict[str, Any]:
    """Return the figures and findings by name, for JSON."""
    return {
        "verdict": advice.verdict,
        "use": advice.chosen.name,
        "call": advice.chosen.call,
        "expected_spearman": advice.expected,
        "expected_low": advice.interval[0],
        "expected_high": advice.interval[1],
        "expected_spearman_of_groups": advice.expected_of_groups,
        "gain_of_twice_the_ratings": advice.gain,
        "n_texts": advice.n_texts,
        "n_ratings": advice.n_ratings,
        "findings": list(advice.findings),
        "signature": advice.metric.signature,
    }


def render_page(advice: Advice, title: str, options: Sequence[str] = (), folder: str = "") -> str:
    """Return the page: verdict, table, findings, plots, the rated texts, and what to type next; it needs no network.

    Args:
        advice: what `advise` found.
        title: the heading.
        options: with which a command line names the saved metric, whose file lies beside the page; none where it is
            not saved.
        folder: of the page, for the command line to type next.
    """
    estimates = MetricResult(advice.estimates, (None,) * advice.n_texts, advice.metric.signature)
    measures = [
        Measure(advice.chosen.name.capitalize(), [estimates], advice.metric, explained=False),
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
        rows=advice_rows(advice),
        titles={candidate.name: candidate.title for candidate in advice.candidates},
        folder=folder,
    )

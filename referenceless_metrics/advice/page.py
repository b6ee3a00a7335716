"""Advice as rows for a table, and as one HTML page that needs nothing but itself."""

from __future__ import annotations

from typing import Any

from metric_commons.registry import cite
from metric_commons.report.rendering import render
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


def render_page(advice: Advice, title: str, option: str = "") -> str:
    """Return the page: verdict, table, findings and what to type next; no script, no font, no network.

    Args:
        advice: what `advise` found.
        title: the heading.
        option: of commands that score with the saved metric, which begins with its name; "" where it is not saved.
    """
    values = {
        "rows": advice_rows(advice),
        "titles": {candidate.name: candidate.title for candidate in advice.candidates},
        "citation": cite(advice.metric),
    }
    return render(__package__, "advice.html.j2", advice=advice, title=title, option=option, **values)

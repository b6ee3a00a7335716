"""The table of segments: what systems wrote side by side, where their values differ most, and what explains them.

The page shows it by Tabulator 6 (MIT licence, in the folder `tabulator`), without script or in print as a plain table.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from metric_commons.app.explainer import Scored, explainer, unreported
from metric_commons.metric import Metric
from metric_commons.report.rendering import shown
from metric_commons.results import MetricResult, as_plain
from metric_commons.support.validation import Floats

MOST_EXPLAINED = 100
"""Segments that the page explains, those with the largest differences."""

MOST_PLAIN = 50
"""Rows of the plain table."""

_OF_AN_APP = re.compile(r'<h3>\w+ \d+</h3>| id="explained-score"| aria-live="polite"')


class Segments(NamedTuple):
    """What the page needs of n segments.

    Attributes:
        data: JSON that may stand in a script: no text can end it.
        plain: the segments of the plain table, counted from 0, the largest differences first.
        differences: greatest less least value of each segment, shape (n,); NaN where fewer than two are known.
        digits: how many decimals a value deserves.
        most_explained: how many segments at most are explained.
    """

    data: str
    plain: list[int]
    differences: Floats
    digits: int
    most_explained: int = MOST_EXPLAINED


def segments(
    systems: Sequence[tuple[str, Sequence[str]]],
    results: Sequence[MetricResult],
    metric: Metric,
    references: Sequence[Sequence[str]] | None = None,
    sources: Sequence[Any] | None = None,
) -> Segments:
    """Put the segments of systems side by side.

    Args:
        systems: s names with n texts each.
        results: of each system's texts.
        metric: which gave them.
        references: lists of references, one a segment, for a metric that reads them.
        sources: one a segment, for a metric that reads them.
    """
    values = np.array([result.values for result in results])
    known = np.isfinite(values)
    spread = np.where(known, values, -np.inf).max(axis=0) - np.where(known, values, np.inf).min(axis=0)
    spread = np.where(known.sum(axis=0) > 1, spread, np.nan)
    order = np.argsort(-spread, kind="stable")  # NaN comes last
    explained, part = order[:MOST_EXPLAINED], explainer(metric)
    beside = {
        name: [given[i] for i in explained]
        for name, given in (("references", references), ("sources", sources))
        if given is not None
    }
    choices = [choice.options["value"] for choice in part.choices]
    parts, digits = [], 3
    for (_, texts), result in zip(systems, results, strict=True):
        given: dict[str, Any] = {"texts": [texts[i] for i in explained], **beside}
        extra = None if part.takes_pool else part.prepare(given, {}, unreported)[1]
        scored = Scored(given, {}, metric, extra, replace(result.take(explained), details=result.details))
        digits = part.digits(scored)
        told = [part.explanation_html(scored, place, *choices) for place in range(len(explained))]
        parts.append([_OF_AN_APP.sub("", html) for html in told])
    content = {
        "systems": [shown(name) for name, _ in systems],
        "metric": metric.name,
        "digits": digits,
        "differences": spread,
        "texts": [[shown(text) for text in texts] for _, texts in systems],
        "values": list(values),
        "reasons": [result.reasons for result in results],
        "explained": dict(zip(explained.tolist(), zip(*parts, strict=True), strict=True)),
    }
    data = json.dumps(as_plain(content), ensure_ascii=False, allow_nan=False).replace("<", r"\u003c")
    return Segments(data, order[:MOST_PLAIN].tolist(), spread, digits)


@cache
def assets() -> dict[str, str]:
    """Return the script that shows the table, its hash as a policy names it, and its style."""
    here = files(__package__)
    library = (here / "tabulator/tabulator.min.js").read_text("utf-8").partition("//# sourceMappingURL")[0]
    script = f"{library}\n{(here / 'templates/segments.js').read_text('utf-8')}"
    allowed = b64encode(sha256(script.encode()).digest()).decode()
    return {
        "script": script,
        "script_hash": allowed,
        "table_style": (here / "tabulator/tabulator_simple.min.css").read_text("utf-8"),
    }

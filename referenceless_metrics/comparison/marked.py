"""Errors as raters marked them in outputs, as HTML beside the segments of a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from html import escape
from itertools import pairwise

from referenceless_metrics.human_evaluation.studies.reading import MarkedOutput
from referenceless_metrics.human_evaluation.studies.spans import SEVERITIES, MarkedSpan, markable


def marked_by_segment(marked: Sequence[MarkedOutput], system: str) -> dict[int, str]:
    """Return a system's outputs with raters' marks, as HTML, by the place of the segment, counted from 0."""
    parts: dict[int, list[str]] = defaultdict(list)
    for each in marked:
        if each.system == system:
            parts[each.item].append(_of_rater(each))
    return {item: "".join(of_item) for item, of_item in parts.items()}


def _of_rater(output: MarkedOutput) -> str:
    """Return an output as one rater marked it: the text with its errors, and a list of these."""
    errors = [_described(span, output.text) for span in output.spans]
    listed = f"<ul>{''.join(f'<li>{error}</li>' for error in errors)}</ul>" if errors else "<p>No errors.</p>"
    return (
        f'<p class="given">{escape(output.rater)} marked:</p>'
        f'<p class="spans">{marked_html(output.text, output.spans)}</p>{listed}'
    )


def _described(span: MarkedSpan, text: str) -> str:
    """Return an error in words."""
    parts = [f"<strong>{span.severity}</strong> “{escape(markable(text)[span.start : span.end])}”"]
    if span.category:
        parts.append(escape(span.category))
    if span.prefilled is not None:
        parts.append("marked beforehand")
    return ", ".join(parts)


def marked_html(text: str, spans: Sequence[MarkedSpan]) -> str:
    """Return a text as HTML with its errors marked; overlapping ones by the most severe.

    >>> marked_html("a <b> c", [MarkedSpan(2, 5, "major")])
    'a <mark class="major">&lt;b&gt;</mark> c'
    """
    shown = markable(text)
    cuts = sorted({0, len(shown), *(span.start for span in spans), *(span.end for span in spans)})
    pieces = []
    for start, end in pairwise(cuts):
        over = [span.severity for span in spans if span.start < end and span.end > start]
        piece = escape(shown[start:end])
        if over:
            classes = max(over, key=SEVERITIES.index)
            if len(over) > 1:
                classes = f"{classes} twice"
            piece = f'<mark class="{classes}">{piece}</mark>'
        pieces.append(piece)
    return "".join(pieces)

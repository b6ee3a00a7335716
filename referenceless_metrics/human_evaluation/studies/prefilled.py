"""Errors that are marked before raters see a text: those that a table names, or that a metric finds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.registry import load_metric
from referenceless_metrics.core.support.validation import InputError, Record, finite_number
from referenceless_metrics.human_evaluation.studies.spans import SEVERITIES, MarkedSpan, fits

Marked = dict[str, tuple[MarkedSpan, ...]]
"""Spans by the text that they are in."""

_COLUMNS = ("text", "start", "end", "severity")


def spans_of_table(table: Table, texts: Sequence[str], categories: Sequence[str]) -> tuple[Marked, list[str]]:
    """Return the spans in a table that are of some texts, and notes on the number of others.

    Args:
        table: one row per span, with the columns `text`, `start`, `end`, `severity` and, optional, `category`.
        texts: the texts.
        categories: the known categories.

    Raises:
        InputError: for a table that lacks a column, or of which no span is in any of the texts.
    """
    for name in _COLUMNS:
        table.column(name, "of errors marked beforehand (--prefill)")
    known = set(texts)
    found: dict[str, list[MarkedSpan]] = defaultdict(list)
    left_out: dict[str, int] = defaultdict(int)
    for row in table.rows:
        text = str(row["text"])
        span = fits(_record(row), text, categories)
        if text not in known:
            left_out["whose text is no output of the systems"] += 1
        elif span is None:
            left_out[_why_unfit(row, categories)] += 1
        else:
            found[text].append(span)
    if not found:
        raise InputError(f"{table.source}: none of its {len(table.rows)} errors is in an output of the systems")
    notes = [
        f"{table.source}: {n} {'error is' if n == 1 else 'errors are'} left out, {why}" for why, n in left_out.items()
    ]
    return {text: tuple(spans) for text, spans in found.items()}, notes


def _why_unfit(row: Record, categories: Sequence[str]) -> str:
    """Return why an error does not fit its text, in words."""
    if str(row["severity"] or "").strip().lower() not in SEVERITIES:
        return f"whose severity is not {' or '.join(SEVERITIES)}"
    category = str(row.get("category") or "").strip()
    if category and category not in categories:
        return "whose category is not known (--span-categories)"
    return "whose start and end are no places in their text (in characters, the end behind the last one)"


def _record(row: Record) -> Record:
    """Return a row with its places as whole numbers."""
    record: Record = {"severity": row["severity"]}
    if not is_blank(row.get("category")):
        record["category"] = row["category"]
    for name in ("start", "end"):
        number = finite_number(row[name])
        if number is not None and number % 1 == 0:
            record[name] = int(number)
    return record


def spans_of_metric(name: str, texts: Sequence[str]) -> Marked:
    """Return the parts of texts that a metric finds likeliest to be wrong, each as a minor error.

    Args:
        name: the metric's.
        texts: the texts.

    Raises:
        InputError: for a metric that finds no errors.
    """
    find = getattr(load_metric(name), "likeliest_faults", None)
    if find is None:
        raise InputError(f"--prefill {name}: this metric finds no errors; fluency does, or give a table of errors")
    found: Marked = {}
    for text, fault in zip(texts, find(texts), strict=True):
        if fault is not None:
            found[text] = (MarkedSpan(fault.start, fault.end, "minor"),)
    return found

"""The texts with the lowest scores, the worst first, for `score --worst`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from referenceless_metrics.command_line.baselines import LOWER_IS_BETTER
from referenceless_metrics.core.files.json_rows import TEXT
from referenceless_metrics.core.files.output import FOR_READERS, MOST_WRAPPED, rows_of_columns, write_rows
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.metric import explains_texts
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.validation import Floats, Integers, Numbers, Record
from referenceless_metrics.scoring.gate import LeastMean
from referenceless_metrics.scoring.rows import Job
from referenceless_metrics.scoring.summary import (
    caption_of,
    columns_of_texts,
    explanation_lines,
    ids_of,
    lines_of,
    result_lines,
    summary_of,
)

_OF_LINES = "line: the number in the file, whose header, if it has one, is line 1"


_FAULT = ("fault", "better")
"""Columns of an explanation that a table for readers shows."""


def by_value(values: Floats) -> Integers:
    """Return the places of all values but NaN, the lowest first; of equal ones the earlier first.

    >>> by_value(np.array([0.5, np.nan, -1.0, 0.5])).tolist()
    [2, 0, 3]
    """
    known = np.flatnonzero(~np.isnan(values))
    return known[np.argsort(values[known], kind="stable")]


def each_once(places: Integers, texts: Sequence[str], values: Numbers) -> tuple[Integers, list[int]]:
    """Return the first place of each text of one value, in the order of the places, and how often each stands there.

    >>> each_once(np.array([2, 0, 3]), ["a", "", "b", "a"], np.array([0.5, np.nan, -1.0, 0.5]))
    (array([2, 0]), [1, 2])
    """
    first: dict[tuple[str, float], int] = {}
    times: Counter[int] = Counter()
    for place in places.tolist():
        times[first.setdefault((texts[place], float(values[place])), place)] += 1
    return np.array(list(first.values()), dtype=places.dtype), list(times.values())


def write_worst(
    job: Job,
    table: Table,
    texts: Sequence[str],
    n: int,
    output: str | None,
    corpus_scores: dict[str, Record],
    gate: LeastMean | None = None,
    *,
    by: str = "",
) -> MetricResult:
    """Score all texts, and write those with the lowest scores, with their faults if the metric names them.

    A table for readers has each text once, with the number of times; other formats have all rows.

    Args:
        job: the file, the metric and the options.
        table: the texts' rows.
        texts: the texts.
        n: the largest number of rows.
        output: the file to write; None for standard output.
        corpus_scores: the result of `scores_by_references`.
        gate: the gate of the mean; None without.
        by: the metric of `--with` by whose scores the texts are chosen; "" for the metric of the job.

    Returns:
        The result of all texts.
    """
    whole = replace(job, options={**job.options, "explain": False}).result_of(table, texts)
    values = np.asarray(whole.columns[by], dtype=float) if by else whole.values
    is_lower_better = by.upper() in LOWER_IS_BETTER
    places = by_value(-values if is_lower_better else values)
    times = [1] * len(places)
    if job.format in FOR_READERS:
        places, times = each_once(places, texts, values)
    places, times = places[:n], times[:n]
    shown = whole.take(places)
    those = [texts[place] for place in places.tolist()]
    if explains_texts(job.metric):
        shown = job.explained(shown, those)
    taken = replace(table, rows=[table.rows[place] for place in places.tolist()])
    number = "line" if table.has_lines else "row"
    numbers = {number: [table.lines[place] for place in places.tolist()]} if table.lines else {}
    if job.format in FOR_READERS:
        repeated = {"times": [f"×{count}" if count > 1 else "" for count in times]} if max(times, default=1) > 1 else {}
        rows = rows_of_columns({**numbers, **ids_of(job, taken), **repeated, **_shown_columns(job, those, shown, by)})
    else:
        rows = job.rows_from(taken, shown, table.columns)
        if number not in table.columns:
            rows = [{**of_text, **row} for of_text, row in zip(rows_of_columns(numbers), rows, strict=True)] or rows
    headline = "No text has a score."
    if len(places):
        way, of_metric = "highest" if is_lower_better else "lowest", f" by {by}" if by else ""
        headline = f"The {sum(times)} {way} scores of {int((~np.isnan(values)).sum())}{of_metric}, the worst first."
    if sum(times) > len(places):
        headline = f"{headline[:-1]}; a text that repeats stands once, with ×2 for twice."
    numbered = [_OF_LINES] if numbers and number == "line" and table.columns != (TEXT,) else []
    n_without = int(np.isnan(values).sum())
    n_empty = sum(not texts[place].strip() for place in np.flatnonzero(np.isnan(values)).tolist())
    empty = f", {n_empty} of them empty," if n_empty else ""
    without = [
        f"{n_without} of {len(whole)} texts without a score{empty} are not here: without --worst all have a reason"
    ]
    lines = [
        *numbered,
        *(without if n_without else ()),
        *explanation_lines(shown, job.format),
        *result_lines(whole, job.metric),
        *lines_of(corpus_scores),
        *([] if gate is None else [gate.line(whole)]),
    ]
    summary = {"n_shown": len(places), **summary_of(job, whole, corpus_scores, gate)}
    wrapped = [name for name in ("text", "better") if rows and name in rows[0]]
    said: Record = {"headline": headline, "basis": caption_of(job, whole)}
    write_rows(rows, summary, job.format, output, lines=["", *lines], wrapped=wrapped, **said)
    return whole


def _shown_columns(job: Job, texts: Sequence[str], result: MetricResult, by: str) -> Record:
    """Return the columns of a table for readers: the text, its score and interval, its fault and the edit for it."""
    faults = {name: result.columns[name] for name in (by, *_FAULT) if name in result.columns}
    return {**columns_of_texts(job, texts, result, MOST_WRAPPED), **faults}

"""Summaries of a file's scores: lines for a reader, a table of all texts, and scores by references."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, zip_longest

import numpy as np

from referenceless_metrics.core.files.output import rows_of_columns, write_rows
from referenceless_metrics.core.files.reading import tell
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.metric import Metric, verdict_details, worth_of
from referenceless_metrics.core.results import LEARNED_FROM, MetricResult, RunningSummary, warnings_of
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.scoring.gate import LeastMean
from referenceless_metrics.scoring.rows import Job
from referenceless_metrics.scoring.underlining import shown_texts

_ID = re.compile(r"(id|doc|document|seg|segment|item|system)([_ ]?(id|no|nr|number|name))?", re.IGNORECASE)
"""Names of columns that tell where a text stands."""

_MOST_IDS = 3
"""Most columns of that kind in a table for readers."""


def result_lines(result: MetricResult | RunningSummary, metric: Metric) -> list[str]:
    """Return one line each for the mean with its coverage, the abstentions by reason, warnings, and the signature."""
    n = len(result)
    covered = result.n_covered
    parts = result.details.get("parts")
    if covered and parts:  # a mean that is always 0 tells nothing
        means = ", ".join(f"{name} {value:.4f}" for name, value in parts.items())
        mean = f"means of the parts: {means}; over {covered} of {n} texts"
    elif covered:
        mean = f"mean {round(result.mean, 4) + 0.0:.4f} over {covered} of {n} texts"
    else:
        mean = f"no mean: none of the {n} texts has a value"
    lines = [f"{mean} (coverage {result.coverage:.3f})"]
    lines += [*interval_lines(result), *scale_lines(metric)] if covered else []
    if parts and getattr(metric, "set_dependent", False):
        lines.append("these values rank the texts of this file among one another: their mean is 0 by construction")
    worth = worth_of(metric)
    if worth is not None:
        lines.append(worth)
    if covered < n:
        counts = ", ".join(f"{count} {reason}" for reason, count in result.abstentions.most_common())
        lines.append(f"without a value: {counts}")
    if result.n_rated_texts:
        lines.append(f"rated texts themselves: {result.n_rated_texts} of {n}")
    lines += [f"warning: {warning}" for warning in warnings_of(result).values()]
    return [*lines, result.signature]


def interval_lines(result: MetricResult | RunningSummary) -> list[str]:
    """Return the sentence on the meaning and the level of the columns `lower` and `upper`; none without these."""
    level = result.details.get("level")
    if level is None:
        return []
    return [f"lower and upper: ends of an interval that holds {level:.0%} of the ratings of texts like the rated ones"]


def caption_of(job: Job, result: MetricResult) -> list[str]:
    """Return the caption of a table for a paper, in a list; none if its columns need no word."""
    return [f"Values of {job.metric.name}, one for each text; {line}." for line in interval_lines(result)]


def scale_lines(metric: Metric) -> list[str]:
    """Return the line on the meaning of a metric's values; none if they have no scale to tell."""
    scale = getattr(metric, "scale", "")
    return [f"scale: {scale}"] if scale else []


def scores_by_references(
    names: Sequence[str], texts: Sequence[str], references: Sequence[Sequence[str]]
) -> dict[str, Record]:
    """Return the corpus scores of metrics with references, by their names as sacrebleu has them.

    Args:
        names: names as in `--with`.
        texts: n texts.
        references: the references of each text.

    Returns:
        For each metric its `score`, its `signature` and the `line` that sacrebleu prints.
    """
    from referenceless_metrics.command_line.baselines import baseline, tokenisation_notes

    tell(tokenisation_notes("the file of texts", texts, chain.from_iterable(references)) if names else [])
    streams = list(map(list, zip_longest(*references)))
    scores = {}
    for metric in map(baseline, names):
        score = metric.corpus_score(texts, streams)
        signature = metric.get_signature().format()
        scores[score.name] = {"score": score.score, "signature": signature, "line": score.format(2, False, signature)}
    return scores


def write_with_summary(
    job: Job,
    table: Table,
    texts: Sequence[str],
    output: str | None,
    corpus_scores: dict[str, Record],
    gate: LeastMean | None = None,
) -> MetricResult:
    """Score all texts, and write them as a table, JSON or HTML, with a summary.

    Args:
        job: the file, the metric and the options.
        table: the texts' rows.
        texts: the texts.
        output: the file to write; None for standard output.
        corpus_scores: the result of `scores_by_references`.
        gate: the gate of their mean; None without.
    """
    result = job.result_of(table, texts)
    lines = ["", *explanation_lines(result, job.format)]
    if job.format == "table":
        lines += note_lines(result)
    lines += [*result_lines(result, job.metric), *lines_of(corpus_scores)]
    lines += [] if gate is None else [gate.line(result)]
    if job.format == "json":
        rows = job.rows_from(table, result, table.columns)
    else:
        columns = _shown_columns(job, table, texts, result)
        rows = rows_of_columns(columns)
        hidden = [column for column in result.columns if column not in columns]
        if hidden and job.format == "table":
            lines.append(f"columns not shown: {', '.join(hidden)}; -o FILE.csv has them all")
    summary = summary_of(job, result, corpus_scores, gate)
    write_rows(rows, summary, job.format, output, lines=lines, basis=caption_of(job, result))
    return result


def explanation_lines(result: MetricResult, format: str) -> list[str]:
    """Return lines on the texts for which no fault is named, and on the edits; none if nothing is explained.

    Args:
        result: the metric's result, with the columns of `--explain`.
        format: the output format; a table for the terminal underlines a word of each text.
    """
    if "fault" not in result.columns:
        return []
    lines = []
    faults = result.columns["fault"][result.covered].tolist()
    unnamed = faults.count("")
    if unnamed:
        word = "underlined" if format == "table" else "costliest"
        lines.append(
            f"no fault is named in {unnamed} of {len(faults)}; the {word} word costs most and need not be the error"
        )
    if any(result.columns.get("better", ())):
        lines.append("better: the text after the best small edit of one word, which need not correct it")
    return lines


def note_lines(result: MetricResult) -> list[str]:
    """Return a line on texts whose score needs a look, by the metric's own column `note`; none without any."""
    notes = Counter(note for note in result.columns.get("note", ()) if note)
    if not notes:
        return []
    counts = ", ".join(f"{count} {note}" for note, count in notes.most_common())
    return [f"texts with a score and a note: {counts}; -o FILE.csv has them in its column note"]


def lines_of(corpus_scores: dict[str, Record]) -> list[str]:
    """Return the lines that sacrebleu prints of corpus scores."""
    return [scores["line"] for scores in corpus_scores.values()]


def columns_of_texts(job: Job, texts: Sequence[str], result: MetricResult, most: int = 60) -> Record:
    """Return the columns with which a table for readers begins: the text, the value and its interval.

    Args:
        job: the file, the metric and the options.
        texts: the texts.
        result: their result.
        most: see `shown_texts`.
    """
    columns: Record = {"text": shown_texts(texts, result, most) if job.format == "table" else texts}
    columns[job.column] = result.values
    for end in ("lower", "upper"):
        if end in result.columns:
            columns[end] = result.columns[end]
    return columns


def ids_of(job: Job, table: Table) -> Record:
    """Return the columns that tell where texts stand: that of --id-column, or those that are called as such are."""
    named = job.options.get("id_column")
    names = [named] if named else [name for name in table.columns if _ID.fullmatch(name)][:_MOST_IDS]
    taken = {"text", job.column, job.options.get("text_column")}
    return {str(name): table.column(name, "--id-column") for name in names if name not in taken}


def _shown_columns(job: Job, table: Table, texts: Sequence[str], result: MetricResult) -> Record:
    """Return the columns of a table for readers, with ids; on a terminal only the text, the value and its interval."""
    on_terminal = job.format == "table"
    columns = columns_of_texts(job, texts, result)
    if not result.covered.all():
        columns["reason"] = [reason or "" for reason in result.reasons]
    if on_terminal and job.options.get("explain"):
        columns |= {name: result.columns[name] for name in ("fault", "better") if name in result.columns}
    if on_terminal:
        return columns
    own = {name: cells for name, cells in result.columns.items() if name != LEARNED_FROM or np.any(cells)}
    return {**ids_of(job, table), **columns, **own}


def summary_of(
    job: Job, result: MetricResult, corpus_scores: dict[str, Record], gate: LeastMean | None = None
) -> Record:
    """Return the summary of all values by name."""
    summary: Record = {
        "metric": job.metric.name,
        "mean": result.mean,
        "coverage": result.coverage,
        "n_texts": len(result),
        "abstentions": result.abstentions,
        **result.details,
        **verdict_details(job.metric),
    }
    summary["signature"] = result.signature
    if interval_lines(result):
        summary["notes"] = interval_lines(result)
    if gate is not None:
        summary["gate"] = gate.record(result)
    if corpus_scores:
        summary["others"] = {name: _without_line(scores) for name, scores in corpus_scores.items()}
    return summary


def _without_line(scores: Record) -> Record:
    return {name: value for name, value in scores.items() if name != "line"}

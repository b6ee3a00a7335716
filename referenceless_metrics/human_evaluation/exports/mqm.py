"""MQM annotations as in Google's tables: one row per marked error, or per output without errors.

Form: google/wmt-mqm-human-evaluation, and mt_metrics_eval/converters/score_mqm.py of google-research/mt-metrics-eval.
The score of an output is the negative sum of its errors' weights, by rater.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow, Span
from referenceless_metrics.human_evaluation.exports.spans import MQM, mqm_score
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_SEGMENT_OF_DOCUMENT = ("doc_id", "docSegId", "doc_seg_id")
_SEGMENT = ("seg_id", "globalSegId", "global_seg_id")
_DOCUMENT = ("doc", "docName")
_NO_ERROR = ("no-error", "no error")
_MARK = re.compile(r"</?v>")


def _names(sighting: Sighting) -> tuple[str, ...]:
    return tuple(sighting.lines[0].split("\t")) if sighting.lines else sighting.columns


FORM = Form(
    "MQM annotations",
    "tab-separated with `system`, `rater`, `category` and `severity`",
    "ratings",
    "github.com/google/wmt-mqm-human-evaluation; weights as in google-research/mt-metrics-eval",
    lambda sighting: {"system", "rater", "category", "severity"} <= set(_names(sighting)),
)


def read(sighting: Sighting, reading: Reading, weights: Mapping[str, float]) -> Export:
    """Read a table of errors: one row per system, item and rater."""
    table = read_table(str(sighting.path), reading)
    document = _first_of(table, _DOCUMENT)
    segment = _first_of(table, _SEGMENT_OF_DOCUMENT if document else ()) or _first_of(table, _SEGMENT)
    if segment is None:
        raise InputError(
            f"{table.source}: there is no column of segments ({', '.join((*_SEGMENT_OF_DOCUMENT, *_SEGMENT))})"
        )
    errors: dict[tuple[str, str, str, str], list[Span]] = defaultdict(list)
    texts: dict[tuple[str, str, str, str], str | None] = {}
    keys = [name for name in ("system", "rater", segment, document) if name is not None]
    for place, row in enumerate(table.rows):
        for name in keys:
            if row.get(name) in (None, ""):
                raise InputError(f"{table.where(place)}: there is nothing in column {name!r}")
        key = str(row["system"]), str(row[segment]), str(row[document]) if document else "", str(row["rater"])
        marked = errors[key]
        if not is_no_error(row):
            marked.append(span_of(row))
        text = row.get("target")
        texts[key] = _MARK.sub("", text) if isinstance(text, str) else None
    rows = []
    for (system, item, cluster, rater), spans in errors.items():
        name = f"{cluster}/{item}" if cluster and segment not in _SEGMENT else item
        scores = {MQM: mqm_score(spans, weights)}
        text = texts[system, item, cluster, rater]
        rows.append(ScoreRow(system, name, scores, text=text, rater=rater, cluster=cluster, spans=tuple(spans)))
    own_names = {segment: "item", "target": "text", **({document: "document"} if document else {})}
    return Export(FORM.name, rows, own_names=own_names)


def is_no_error(row: Record) -> bool:
    """Whether a row says that its output has no errors."""
    return str(row["severity"]).lower() in _NO_ERROR or str(row["category"]).lower() in _NO_ERROR


def span_of(row: Record) -> Span:
    """Return the error of a row; it stands between `<v>` and `</v>` in the output, or is missing from it."""
    severity, category = str(row["severity"] or "").strip().lower(), str(row["category"] or "").strip()
    text = row.get("target")
    if isinstance(text, str) and "<v>" in text and "</v>" in text:
        start = text.index("<v>")
        end = text.index("</v>") - len("<v>")
        if end >= start:
            return Span(start, end, severity, category)
    return Span(None, None, severity, category)


def _first_of(table: Table, names: Sequence[str]) -> str | None:
    return next((name for name in names if name in table.columns), None)

"""Pearmut: the log of a campaign, JSON lines.

Form: server/app.py and server/results_export.py of zouharvi/pearmut. A row is a document that a user annotated, with an
annotation per item in it; the last annotation of an item counts, and a reset takes back those before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow, Span
from referenceless_metrics.human_evaluation.exports.spans import MQM, mqm_score
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_RESET = "__RESET__"
_SCALE = (0.0, 100.0)  # of the slider for a score
_NOT_OF_THE_CAMPAIGN = ("welcome_", "random_", "goodbye_")

FORM = Form(
    "Pearmut log",
    "JSON lines with `user_id`, `item_i`, `item` and `annotation`",
    "ratings",
    "github.com/zouharvi/pearmut, server/results_export.py",
    lambda sighting: {"user_id", "item_i", "annotation"} <= set(sighting.columns),
)


def read(sighting: Sighting, reading: Reading, weights: Mapping[str, float]) -> Export:
    """Read a log: scores by user, and the errors that they marked."""
    table = read_table(str(sighting.path), reading)
    rows: dict[tuple[str, str, str], ScoreRow] = {}
    n_checks = 0
    n_again = 0
    for place, entry in _active(table):
        if str(entry["item_i"]).startswith(_NOT_OF_THE_CAMPAIGN):
            n_checks += 1
            continue
        document = _document(entry)
        for number, (item, of_systems) in enumerate(_items(entry, table.where(place))):
            if of_systems is None:
                continue
            if "validation" in item:
                n_checks += 1
                continue
            name = str(item.get("item_id", f"{entry['item_i']}/{number}"))
            for system, annotation in of_systems.items():
                row = _row(str(entry["user_id"]), system, name, document, item, annotation, weights)
                key = row.rater, row.item, row.system
                n_again += key in rows
                rows[key] = row
    notes = []
    if n_checks:
        notes.append(f"{n_checks} tutorials and attention checks are left out.")
    if n_again:
        notes.append(f"{n_again} annotations were given anew by the same user: the last ones count.")
    return Export(FORM.name, list(rows.values()), tuple(notes)).on_scale(_SCALE)


def _active(table: Table) -> Iterator[tuple[int, Record]]:
    """Yield the entries that no later reset of the same user and item takes back, with their places."""
    last_reset: dict[tuple[Any, Any], int] = {}
    for place, entry in enumerate(table.rows):
        if entry.get("annotation") == _RESET:
            last_reset[entry.get("user_id"), entry.get("item_i")] = place
    for place, entry in enumerate(table.rows):
        reset = last_reset.get((entry.get("user_id"), entry.get("item_i")), -1)
        if place > reset and entry.get("annotation") is not None:
            yield place, entry


def _items(entry: Record, where: str) -> Iterator[tuple[Record, Any]]:
    """Yield the items of an entry with their annotations, by system."""
    of_items = entry["annotation"]
    items = entry.get("item")
    if isinstance(of_items, Mapping):  # of versions with one item in an entry
        of_items = [of_items]
    if items is None:
        items = [{}] * len(of_items)
    if isinstance(items, Mapping):
        items = [items]
    if not isinstance(of_items, list) or not isinstance(items, list) or len(items) != len(of_items):
        raise InputError(f"{where}: expected an annotation of Pearmut for each item")
    for item, annotation in zip(items, of_items, strict=True):
        if annotation is not None and not isinstance(annotation, Mapping):
            raise InputError(f"{where}: expected an annotation for each system, as an object")
        if "text" not in item or "form" not in item:  # a form about the user
            yield item, annotation


def _document(entry: Record) -> str:
    """Return a name of the document: its first item's; "" if it has one item only."""
    items = entry.get("item")
    if not isinstance(items, list) or len(items) < 2:
        return ""
    return str(items[0].get("item_id", entry["item_i"]))


def _row(
    rater: str,
    system: str,
    name: str,
    document: str,
    item: Record,
    annotation: Record,
    weights: Mapping[str, float],
) -> ScoreRow:
    scores: Record = {}
    if annotation.get("score") is not None:
        scores["score"] = annotation["score"]
    spans = None
    if annotation.get("error_spans") is not None:
        spans = tuple(span_of(span) for span in annotation["error_spans"])
        scores[MQM] = mqm_score(spans, weights)
    text = (item.get("tgt") or {}).get(system)
    return ScoreRow(system, name, scores, text=text, rater=rater, cluster=document, spans=spans)


def span_of(span: Record, category: str = "category") -> Span:
    """Return a span as Pearmut and Appraise write it: `end_i` is its last character, `missing` is not in the text."""
    start, end = span.get("start_i"), span.get("end_i")
    kind = span.get(category) or ""
    name = "/".join(kind) if isinstance(kind, list) else str(kind)
    severity = str(span.get("severity") or "")
    if isinstance(start, int) and isinstance(end, int):
        return Span(start, end + 1, severity, name)
    return Span(None, None, severity, name)

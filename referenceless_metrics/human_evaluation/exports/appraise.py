"""Appraise: files of its commands ExportSystemScoresToCSV and ExportSystemScoresToJSONL, DA, ESA and MQM campaigns.

Form: Campaign/management/commands and `get_system_data` in EvalData/models of AppraiseDev/Appraise. The CSV has no
header: user, system, item, type, source and target language, score; in campaigns with documents the document, whether
the score is that of the complete document and, as JSON, the marked errors; then the times. An item's number is that of
the segment in some campaigns, and its place in the user's batch in others, where segments are told by their order in
their document. The JSON lines hold the source text, which tells them.
"""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError, Record, describe, finite_number
from referenceless_metrics.human_evaluation.exports.pearmut import span_of
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow, Span
from referenceless_metrics.human_evaluation.exports.sighting import fields_of, meeting, text_lines
from referenceless_metrics.human_evaluation.exports.spans import MQM, mqm_score
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_SYSTEMS = ("TGT", "CHK")  # items that are judgements of a system's outputs; a check is a second judgement
_CONTROLS = ("BAD", "REF")  # damaged outputs and references, put in to test raters
_TRUTHS = ("True", "False")
_TASKS = ("Document", "ContrastiveESA", "PairwiseDocument", "PairwiseESA", "ContrastiveDocument")

SCALE = (0.0, 100.0)
"""The ends of the slider on which raters judge."""

_LANGUAGES = ("source_language", "target_language")
_FIELDS = (
    "annotator",
    "target_id",
    "item_id",
    "item_type",
    *_LANGUAGES,
    "score",
    "document_id",
    "is_complete_document",
)
"""Names of the fields of the CSV: those of the JSON lines."""

_LEAST_SHARED = 0.5  # share of a document's numbers that raters, and systems, have in common if they name segments

_Numbers = dict[str, dict[str, set[str]]]
"""The numbers of items in each document, by rater or by system."""


class _Judgement(NamedTuple):
    """A rater's judgement of a segment.

    Attributes:
        rater: the user.
        system: the system.
        number: the batch if it is told, and the item's number.
        kind: one of `_SYSTEMS` and `_CONTROLS`.
        score: the score as it stands in the file.
        document: the document with the part behind `#`, such as the system; "" for none.
        source: the source text; "" if it is not told.
        text: the output; None if it is not told.
        spans: the marked errors; None if no errors were asked for.
        is_of_document: whether the score is that of the whole document.
        source_language: the language of the source; "" if it is not told.
        target_language: the language of the output, likewise.
    """

    rater: str
    system: str
    number: tuple[float, float]
    kind: str
    score: Any
    document: str = ""
    source: str = ""
    text: str | None = None
    spans: tuple[Span, ...] | None = None
    is_of_document: bool = False
    source_language: str = ""
    target_language: str = ""


def _is_csv(sighting: Sighting) -> bool:
    rows = fields_of(sighting.lines[:3])
    return bool(rows) and all(map(_is_judgement, rows))


def _is_judgement(fields: Sequence[str]) -> bool:
    return len(fields) >= 9 and fields[3] in (*_SYSTEMS, *_CONTROLS) and finite_number(fields[6]) is not None


CSV = Form(
    "Appraise scores (CSV)",
    "no header; the fourth field is TGT, CHK, BAD or REF, the seventh the score",
    "ratings",
    "github.com/AppraiseDev/Appraise, Campaign/management/commands/ExportSystemScoresToCSV.py",
    _is_csv,
)
JSONL = Form(
    "Appraise scores (JSON lines)",
    "JSON lines with `annotator`, `item_type`, `document_id` and `task_type`",
    "ratings",
    "github.com/AppraiseDev/Appraise, Campaign/management/commands/ExportSystemScoresToJSONL.py",
    lambda sighting: {"annotator", "item_type", "document_id", "task_type"} <= set(sighting.columns),
)


def read_csv(sighting: Sighting, reading: Reading, weights: Mapping[str, float]) -> Export:
    """Read scores without a header."""
    records = meeting(sighting, reading, _FIELDS, _records(sighting))
    judgements = [_of_fields(where, fields) for where, fields in records]
    kept, notes = _of_systems(judgements)
    items, more = _items_by_number(kept)
    return replace(_export(CSV.name, kept, items, weights, notes + more), columns=_FIELDS)


def read_jsonl(sighting: Sighting, reading: Reading, weights: Mapping[str, float]) -> Export:
    """Read scores as JSON lines, with one output in a row or several."""
    table = read_table(str(sighting.path), reading)
    judgements: list[_Judgement] = []
    for place, row in enumerate(table.rows):
        if row["task_type"] not in _TASKS:
            raise InputError(
                f"{table.where(place)}: a task of Appraise of the type {describe(row['task_type'])}; those that can be "
                f"read are {', '.join(_TASKS)}"
            )
        judgements += _of_row(row)
    kept, notes = _of_systems(judgements)
    export = _export(JSONL.name, kept, _items_by_source(kept), weights, notes)
    return replace(export, own_names={"document_id": "document", "annotator": "rater"}, columns=table.columns)


def _records(sighting: Sighting) -> Iterator[tuple[str, list[str]]]:
    places, lines = zip(*text_lines(sighting.path), strict=True)
    reader = csv.reader(f"{line}\n" for line in lines)
    try:
        for fields in reader:
            where = places[reader.line_num - 1]
            if not _is_judgement(fields):
                raise InputError(f"{where}: expected a judgement as Appraise exports it, but got {describe(fields)}")
            yield where, fields
    except csv.Error as error:
        raise InputError(f"{places[reader.line_num - 1]}: expected a line of CSV, but got one with {error}") from None


def _of_fields(where: str, fields: Sequence[str]) -> _Judgement:
    rater, system, number, kind, source_language, target_language, score, *rest = fields
    document = ""
    spans = None
    is_of_document = False
    if len(rest) > 3 and rest[1] in _TRUTHS:
        document = rest[0]
        is_of_document = rest[1] == "True"
        rest = rest[2:]
        if finite_number(rest[0]) is None:
            spans = _spans(where, rest[0])
            rest = rest[1:]
    batch = finite_number(rest[2]) if len(rest) > 2 else None
    place = batch or 0.0, finite_number(number) or 0.0
    judgement = _Judgement(rater, system, place, kind, score, document, spans=spans, is_of_document=is_of_document)
    return judgement._replace(source_language=source_language, target_language=target_language)


def _of_row(row: Record) -> Iterator[_Judgement]:
    """Yield the judgements of a row of JSON lines: of one target, or of several targets beside one another."""
    document = str(row["document_id"] or "")
    batch = float(row.get("batch_number") or 0)
    for target in row.get("targets") or [row]:
        marked = target.get("mqm_annotations")
        if isinstance(marked, str):
            marked = json.loads(marked)
        yield _Judgement(
            str(row["annotator"]),
            str(target["target_id"]),
            (batch, float(target.get("segment_id") or row.get("item_id") or 0)),
            str(row["item_type"]),
            target["score"],
            document,
            str(row.get("source_text") or ""),
            target.get("target_text"),
            None if marked is None else tuple(span_of(span, "error_type") for span in marked),
            row.get("is_complete_document") is True,
            *(str(row.get(name) or "") for name in _LANGUAGES),
        )


def _spans(where: str, text: str) -> tuple[Span, ...]:
    try:
        return tuple(span_of(span, "error_type") for span in json.loads(text))
    except (ValueError, AttributeError, TypeError):
        raise InputError(f"{where}: expected marked errors as JSON, but got {describe(text)}") from None


def _of_systems(judgements: Sequence[_Judgement]) -> tuple[list[_Judgement], tuple[str, ...]]:
    """Return the judgements of systems' outputs, and notes on those that are left out.

    Controls and tutorials are left out, and scores of whole documents beside those of segments; if there are no others,
    documents are the items.
    """
    tutorials = [each for each in judgements if "tutorial" in each.system.lower()]
    controls = [each for each in judgements if each.kind in _CONTROLS and each not in tutorials]
    kept = [each for each in judgements if each.kind in _SYSTEMS and "tutorial" not in each.system.lower()]
    notes = []
    if controls:
        notes.append(f"{len(controls)} judgements of damaged outputs or references (BAD, REF) are left out.")
    if tutorials:
        notes.append(f"{len(tutorials)} judgements of tutorials are left out.")
    of_segments = [each for each in kept if not each.is_of_document]
    if 0 < len(of_segments) < len(kept):
        notes.append(f"{len(kept) - len(of_segments)} scores of whole documents are left out.")
        kept = of_segments
    return kept, tuple(notes)


def _plain_document(document: str) -> str:
    """Return a document without the system behind `#`: the same document of another system has the same name."""
    return document.split("#", 1)[0]


def _items_by_source(judgements: Sequence[_Judgement]) -> list[str]:
    """Return each judgement's item: the document, and the number of its source text among those of the document."""
    numbers: dict[str, dict[str, int]] = defaultdict(dict)
    items = []
    for each in judgements:
        document = _plain_document(each.document)
        number = numbers[document].setdefault(each.source, len(numbers[document]) + 1)
        items.append(f"{document}/{number}")
    return items


def _items_by_number(judgements: Sequence[_Judgement]) -> tuple[list[str], tuple[str, ...]]:
    """Return each judgement's item: the item's number if that names segments, else its place in the document."""
    if not any(each.document for each in judgements):
        return [_number(each) for each in judgements], ()
    if _are_of_segments(judgements):
        note = "the third field is taken for the number of the segment: those who judged a document share its numbers."
        return [f"{_plain_document(each.document)}/{_number(each)}" for each in judgements], (note,)
    return _items_by_order(judgements)


def _number(judgement: _Judgement) -> str:
    return f"{judgement.number[1]:.15g}"


def _are_of_segments(judgements: Sequence[_Judgement]) -> bool:
    """Say whether items' numbers name segments, and are no places in a batch.

    In places, a number stands for another segment in another batch: it lies in several documents, or raters and systems
    of a document have few of its numbers in common. One document alone tells nothing.
    """
    documents: dict[str, set[str]] = defaultdict(set)
    by_rater: _Numbers = defaultdict(lambda: defaultdict(set))
    by_system: _Numbers = defaultdict(lambda: defaultdict(set))
    for each in judgements:
        document, number = _plain_document(each.document), _number(each)
        documents[number].add(document)
        by_rater[document][each.rater].add(number)
        by_system[document][each.system].add(number)
    lie_in_one = all(len(of_number) == 1 for of_number in documents.values())
    parted = [_shared_and_most(by_rater), _shared_and_most(by_system)]
    are_shared = all(shared >= most * _LEAST_SHARED for shared, most in parted)
    return len(by_rater) > 1 and lie_in_one and are_shared and any(most for _, most in parted)


def _shared_and_most(numbers: _Numbers) -> tuple[int, int]:
    """Return how many numbers pairs of raters, or of systems, share in all documents, and how many they could share."""
    pairs = [pair for of_document in numbers.values() for pair in combinations(of_document.values(), 2)]
    return sum(len(first & second) for first, second in pairs), sum(min(map(len, pair)) for pair in pairs)


def _items_by_order(judgements: Sequence[_Judgement]) -> tuple[list[str], tuple[str, ...]]:
    """Return each judgement's item: its place in the document.

    The item is "" in documents of which systems or raters have different numbers of segments: it cannot be told which.
    """
    groups: dict[tuple[str, str, str, float], list[int]] = defaultdict(list)
    for place, each in enumerate(judgements):
        groups[_plain_document(each.document), each.system, each.rater, each.number[0]].append(place)
    sizes: dict[str, Counter[int]] = defaultdict(Counter)
    for (document, *_), places in groups.items():
        sizes[document][len(places)] += 1
    items = [""] * len(judgements)
    for (document, *_), places in groups.items():
        if len(sizes[document]) == 1:
            for segment, place in enumerate(sorted(places, key=lambda at: judgements[at].number), start=1):
                items[place] = f"{document}/{segment}"
    notes = ["segments are told by their order in their document (the export as JSON lines holds the source texts)."]
    unlike = sum(len(of_document) > 1 for of_document in sizes.values())
    if unlike:
        n_lost = sum(not item for item in items)
        notes.append(
            f"{unlike} of {len(sizes)} documents, with {n_lost} judgements, are left out: systems or users have "
            "different numbers of segments of them (--columns with a name for each field reads the file as a table)."
        )
    return items, tuple(notes)


def _export(
    tool: str,
    judgements: Sequence[_Judgement],
    items: Sequence[str],
    weights: Mapping[str, float],
    notes: tuple[str, ...],
) -> Export:
    # In campaigns of MQM nobody gives a score, and 0 stands in its place.
    has_scores = any(finite_number(each.score) for each in judgements)
    has_spans = any(each.spans is not None for each in judgements)
    rows = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for item, each in zip(items, judgements, strict=True):
        if not item:
            continue
        scores: Record = {}
        if has_scores or not has_spans:
            scores["score"] = each.score
        if each.spans is not None:
            scores[MQM] = mqm_score(each.spans, weights)
        key = each.rater, each.system, item
        run = str(seen[key]) if seen[key] else ""  # a check is a second judgement of the same output
        seen[key] += 1
        cluster = _plain_document(each.document)
        rows.append(ScoreRow(each.system, item, scores, run, each.text, each.rater, cluster, spans=each.spans))
    if has_spans and not has_scores:
        notes = (*notes, "all scores are 0, as in campaigns of MQM: the score is that of the marked errors.")
    told = [each for item, each in zip(items, judgements, strict=True) if item]
    languages = {name: [getattr(each, name) for each in told] for name in _LANGUAGES}
    further = {name: cells for name, cells in languages.items() if any(cells)}
    return Export(tool, rows, notes, further=further).on_scale(SCALE)

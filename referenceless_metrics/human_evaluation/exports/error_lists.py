"""Outputs with the list of the errors that were marked in each, as RAGTruth has them: JSON, or JSON lines.

Form: the README of ParticleMedia/RAGTruth, `dataset/response.jsonl`. A row is an output of a system for an item, with a
list of objects, each with `start`, `end` and the kind of error. An output with an empty list has no errors. With
severities, the score is that of MQM; without them, each error counts 1. Lists of other spans, such as names of people,
are no errors: the name of the list, or the kinds, say that these are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import Reading, cell_text, from_json
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError, Record, finite_number, parse_json, shortened
from referenceless_metrics.human_evaluation.exports.rows import DOCUMENT, Export, ScoreRow, Span
from referenceless_metrics.human_evaluation.exports.sighting import text_lines
from referenceless_metrics.human_evaluation.exports.spans import MQM, mqm_score
from referenceless_metrics.human_evaluation.forms import Form, Sighting
from referenceless_metrics.human_evaluation.language_pairs import cells_of_languages

ERRORS = "marked_errors"
"""The name of the score of errors without severities: the negative of their number, so that higher is better."""

_SAMPLE = 200  # rows in which a list is looked for that is not empty
_MOST_KINDS = 6  # that are told
_STARTS = ("start", "start_i", "begin", "start_offset", "start_char")
_ENDS = ("end", "end_i", "stop", "end_offset", "end_char")
_KINDS = ("label_type", "category", "error_type", "type", "label", "kind")
_ERROR = re.compile(
    r"error|mistake|halluc|conflict|baseless|contradict|unsupported|omission|mistransl|incorrect|inaccura|fabricat|"
    r"mqm|grammar|severity",
    re.IGNORECASE,
)
_QUOTES = ("text", "span", "quote", "span_text", "words")
"""Fields with the words that were marked: with a start, they tell the end."""

_REASON = re.compile(r"reason|explanation|rationale|justification|comment", re.IGNORECASE)
"""Fields that say why a rater marked words: names of people, say, need no reason."""

SYSTEM = re.compile(r"(?:system|model|sys)(?:_?(?:id|name))?", re.IGNORECASE)
"""Names of columns of systems."""

RATER = re.compile(r"(?:annotator|rater|worker|annotated_by|evaluator)(?:_?id)?", re.IGNORECASE)
"""Names of columns of those who marked errors."""

TEXT = re.compile(r"response|output|text|answer|summary|translation|generation|hypothesis|target|mt", re.IGNORECASE)
"""Names of columns of outputs."""

KEY = re.compile(r"(?:.*[^a-z])?(?:id|idx|index|item|prompt|question|source|segment|doc)", re.IGNORECASE)
"""Names of columns of items."""

_DOCUMENT = re.compile(r"(?:.*[^a-z])?doc(?:ument)?(?:[^a-z]?(?:id|name))?", re.IGNORECASE)
"""Names of columns of documents, of which items may be parts."""

_SCORE = re.compile(r"(?:.*[^a-z])?(?:score|rating)s?", re.IGNORECASE)
"""Names of columns of scores that raters gave beside the errors that they marked."""

_OF_OUTPUT = re.compile(r"id|index|idx|(?:response|output|annotation|annotator|rater|worker)[^a-z]?\w*", re.IGNORECASE)
"""Names of columns that may number outputs, and not what they were made for."""


class _Names(NamedTuple):
    """Names of the fields of rows.

    Attributes:
        errors: the list of errors.
        system: the system.
        kind: the kind of error that an object is; "" for none.
        start: the first character of an error.
        end: the end of an error; "" if the words that were marked tell it.
        quote: the words that were marked; "" for none.
        is_told: whether a name, or a kind, says that these are errors.
    """

    errors: str
    system: str
    kind: str
    start: str
    end: str
    quote: str
    is_told: bool


def _rows_of(sighting: Sighting) -> Iterator[Record]:
    """Yield the first rows of a file that may have this form."""
    content = sighting.content
    if isinstance(content, list):
        yield from (dict(each) for each in content[:_SAMPLE] if isinstance(each, Mapping))
    elif sighting.rows:
        for _, line in islice(text_lines(sighting.path), _SAMPLE):
            row = parse_json(line)
            if isinstance(row, Mapping):
                yield dict(row)


def _names(sighting: Sighting) -> _Names | None:
    """Return the names of the fields; None for a file of another form."""
    first = sighting.rows or (sighting.content if isinstance(sighting.content, list) else ())
    if not first or not isinstance(first[0], Mapping):
        return None
    system = next((name for name in first[0] if SYSTEM.fullmatch(name)), None)
    lists = [name for name, cell in first[0].items() if isinstance(cell, list)]
    if system is None or not lists:
        return None
    try:
        rows = list(_rows_of(sighting))
    except (InputError, ValueError):
        return None
    for name in lists:
        objects = [each for row in rows for each in _objects(row.get(name))]
        found = _names_of_errors(name, system, objects, with_raters=_rater_of(first[0]) is not None)
        if found is not None and all(isinstance(row.get(name), list) for row in rows):
            return found
    return None


def _objects(cell: Any) -> list[Any]:
    return cell if isinstance(cell, list) else []


def _names_of_errors(name: str, system: str, objects: Sequence[Any], *, with_raters: bool) -> _Names | None:
    """Return the names of the fields if objects are marked errors.

    A name says so, or a rater who is named gives a reason for each.
    """
    if not objects or not all(isinstance(each, Mapping) for each in objects):
        return None
    start = next((field for field in _STARTS if all(field in each for each in objects)), None)
    end = next((field for field in _ENDS if all(field in each for each in objects)), "")
    quote = next((field for field in _QUOTES if all(isinstance(each.get(field), str) for each in objects)), "")
    if start is None or not (end or quote):
        return None
    kind = next((field for field in _KINDS if all(field in each for each in objects)), "")
    kinds = {str(each[kind]) for each in objects} if kind else set()
    is_told = any(map(_ERROR.search, (name, *objects[0], *kinds)))
    is_reasoned = with_raters and any(_REASON.fullmatch(field) for field in objects[0])
    return _Names(name, system, kind, start, end, quote, is_told) if is_told or is_reasoned else None


FORM = Form(
    "outputs with marked errors",
    "`model` or `system`, and a list of objects with `start`, and `end` or the words, whose names say that they are "
    "errors, or that have reasons",
    "ratings",
    "github.com/ParticleMedia/RAGTruth, dataset/response.jsonl",
    lambda sighting: _names(sighting) is not None,
)


def read(sighting: Sighting, reading: Reading, weights: Mapping[str, float]) -> Export:
    """Read outputs with their errors: one row per system, item and rater."""
    names = _names(sighting)
    assert names is not None
    table = read_table(str(sighting.path), reading)
    item = _item_of(table.rows, names)
    document = next((name for name in table.columns if _DOCUMENT.fullmatch(name) and name != item), None)
    documents = [""] * len(table.rows) if document is None else [cell_text(cell) for cell in table.column(document)]
    items = [str(place + 1) if item is None else str(row[item]) for place, row in enumerate(table.rows)]
    items = _items_in_documents([str(row[names.system]) for row in table.rows], items, documents)
    are_parts = len(set(documents)) < len(set(items)) == len(set(zip(items, documents, strict=True)))
    rater = _rater_of(table.columns)
    text = next((name for name in table.columns if TEXT.fullmatch(name) and isinstance(table.rows[0][name], str)), None)
    given = _given_scores(table)
    rating = given[0] if len(given) == 1 and rater is not None else None
    errors = [each for row in table.rows for each in _objects(from_json(row[names.errors]))]
    have_severities = bool(errors) and all("severity" in each for each in errors)
    rows = []
    kinds: Counter[str] = Counter()
    for place, row in enumerate(table.rows):
        marked = from_json(row[names.errors])
        if marked is None:
            raise InputError(f"{table.where(place)}: there is nothing in column {names.errors!r}; [] is no error")
        spans = tuple(_span(each, names) for each in marked)
        kinds.update(span.category for span in spans)
        scores: Record = {} if rating is None else {rating: row.get(rating)}
        scores |= {MQM: mqm_score(spans, weights)} if have_severities else {ERRORS: 0.0 - len(spans)}
        rows.append(
            ScoreRow(
                str(row[names.system]),
                items[place],
                scores,
                text=None if text is None else str(row[text]),
                rater="" if rater is None else str(row[rater]),
                cluster=documents[place] if are_parts else "",
                spans=spans,
            )
        )
    own_names = {item: "item"} if item else {}
    own_names |= {rater: "rater"} if rater else {}
    further: dict[str, Sequence[str]] = dict(cells_of_languages(table))
    if document is not None and are_parts:
        own_names[document] = DOCUMENT
    elif document is not None:
        further[document] = documents
    notes = list(_notes(names, kinds, rows, have_severities))
    if rating is None and given:
        further |= {name: [cell_text(cell) for cell in table.column(name)] for name in given}
        told = ", ".join(map(repr, given))
        notes.append(f"beside the errors there are numbers in {told}: --rating-column takes those of one as ratings.")
    return Export(FORM.name, rows, tuple(notes), own_names=own_names, further=further, columns=table.columns)


def _given_scores(table: Table) -> list[str]:
    """Return the columns of scores beside the errors: they are called so, and hold numbers, or nothing, in each row."""
    found = []
    for name in filter(_SCORE.fullmatch, table.columns):
        cells = [cell for cell in table.column(name) if not is_blank(cell)]
        if cells and all(finite_number(cell) is not None for cell in cells):
            found.append(name)
    return found


def _items_in_documents(systems: Sequence[str], items: Sequence[str], documents: Sequence[str]) -> list[str]:
    """Return the items; if they begin again in each document, together with the document.

    >>> _items_in_documents(["a", "a"], ["1", "1"], ["x", "y"]), _items_in_documents(["a", "b"], ["1", "1"], ["x", "y"])
    (['x/1', 'y/1'], ['1', '1'])
    """
    told_apart = set(zip(systems, documents, items, strict=True))
    if len(told_apart) == len(set(zip(systems, items, strict=True))):
        return list(items)
    return [f"{document}/{item}" for document, item in zip(documents, items, strict=True)]


def raters_of(sighting: Sighting) -> list[str]:
    """Return who marked the errors in the first rows; none if no column names them."""
    rows = list(sighting.rows or sighting.content)
    rater = _rater_of(rows[0])
    return [] if rater is None else list(dict.fromkeys(str(row.get(rater)) for row in rows))


def _rater_of(columns: Iterable[str]) -> str | None:
    return next((name for name in columns if RATER.fullmatch(name)), None)


def _notes(names: _Names, kinds: Counter[str], rows: Sequence[ScoreRow], have_severities: bool) -> Iterator[str]:
    none = sum(not row.spans for row in rows)
    what = "outputs" if len({(row.system, row.item) for row in rows}) == len(rows) else "judgements of an output"
    told = f"{none} of {len(rows)} {what} have none in {names.errors!r}, which is the best score, 0."
    if have_severities:
        yield f"{MQM!r} is the negative sum of the weights of the marked errors; {told}"
    else:
        yield f"{ERRORS!r} is the negative number of marked errors, so that higher is better; {told}"
    if not names.is_told:
        yield f"what is marked in {names.errors!r}, each with a reason, counts as an error."
    if names.kind:
        yield f"kinds of errors in {names.kind!r}: {shortened(kinds_told(kinds), 160)}."


def kinds_told(kinds: Counter[str]) -> str:
    """Return the most frequent kinds of errors with their numbers, in words.

    >>> kinds_told(Counter(["extrinsic", "intrinsic", "extrinsic"]))
    'extrinsic 2, intrinsic 1'
    """
    return ", ".join(f"{kind or 'none'} {count}" for kind, count in kinds.most_common(_MOST_KINDS))


def _span(error: Record, names: _Names) -> Span:
    start = error[names.start]
    end = error[names.end] if names.end else None
    if not names.end and isinstance(start, int):
        end = start + len(error[names.quote])
    is_told = isinstance(start, int) and isinstance(end, int)
    cell = error.get(names.kind) if names.kind else None
    kind = "" if cell is None else str(cell)
    severity = str(error.get("severity") or "").strip().lower()
    return Span(start if is_told else None, end if is_told else None, severity, kind)


def _item_of(rows: Sequence[Record], names: _Names) -> str | None:
    """Return the column with the common item of several systems' outputs; None if there is none.

    Beside outputs of one system, it is a column that differs in each row and is not called as a number of outputs. A
    document is the item if nothing else is: else items are parts of it.
    """
    systems = [str(row.get(names.system)) for row in rows]
    for name in sorted(rows[0], key=lambda name: _DOCUMENT.fullmatch(name) is not None):
        if name in (names.errors, names.system) or not KEY.fullmatch(name):
            continue
        cells = [str(row.get(name)) for row in rows]
        if len(set(cells)) < len(set(zip(cells, systems, strict=True))):
            return name
        if len(set(systems)) == 1 and len(set(cells)) == len(rows) and not _OF_OUTPUT.fullmatch(name):
            return name
    return None

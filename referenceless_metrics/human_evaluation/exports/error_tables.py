"""Tables of marked errors, a row for each: a rater who marked none has a row that says so.

Form: hallucination_annotations_xsum_summaries.csv of google-research-datasets/xsum_hallucination_annotations: system,
output, kind of error, the words that are wrong, and the rater. A judgement, of an output by a rater, has as many errors
as it has rows that name one. Tables with severities as in Google's are `mqm`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from referenceless_metrics.core.files.number_words import MISSING_MARKS
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import InputError, shortened
from referenceless_metrics.human_evaluation.exports.error_conditions import read_errors
from referenceless_metrics.human_evaluation.exports.error_lists import (
    ERRORS,
    KEY,
    RATER,
    SYSTEM,
    TEXT,
    kinds_told,
)
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow, Span
from referenceless_metrics.human_evaluation.exports.sighting import header_of
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_KIND = re.compile(
    r"(?:errors?|hallucinations?|mistakes?|faults?|issues?|problems?)[_ ]?(?:type|category|kind|class|label)s?",
    re.IGNORECASE,
)
_WORDS = re.compile(
    r"(?:.*[^a-z])?(?:span|highlight|highlighted|marked)s?(?:[_ ](?:text|words?|tokens?|span))?", re.IGNORECASE
)
_VALUE = re.compile(r"(?:.*[^a-z])?(?:score|rating|severity)s?", re.IGNORECASE)
_NONE = MISSING_MARKS | {"no error", "no-error", "no errors", "no_error", "nothing"}


class _Names(NamedTuple):
    """Names of the columns.

    Attributes:
        system: the system.
        rater: who marked the errors.
        kind: the kind of error.
        words: the words that are wrong.
        text: the output; None if the table does not hold it.
    """

    system: str
    rater: str
    kind: str
    words: str
    text: str | None


def _names(columns: Sequence[str]) -> _Names | None:
    """Return the names of the columns; None for a table of another form."""
    if any(map(_VALUE.fullmatch, columns)):
        return None  # a rating stands beside the errors, or they have weights
    forms = (SYSTEM, RATER, _KIND, _WORDS, TEXT)
    found = [next((name for name in columns if form.fullmatch(name)), None) for form in forms]
    system, rater, kind, words, text = found
    if system is None or rater is None or kind is None or words is None:
        return None
    return _Names(system, rater, kind, words, text)


FORM = Form(
    "rows of marked errors",
    "columns of a system, a rater, a kind of error (`error_type`) and the words that were marked (`error_span`)",
    "ratings",
    "github.com/google-research-datasets/xsum_hallucination_annotations",
    lambda sighting: _names(header_of(sighting)) is not None,
)


def read(sighting: Sighting, reading: Reading, _: Mapping[str, float]) -> Export:
    """Read a table of errors: one row per system, item and rater.

    Raises:
        InputError: for a row without a system or rater, and a table without items and outputs.
    """
    chosen = read_errors(sighting, reading, _columns_of_errors)
    table = chosen.table
    names = _names(table.columns)
    if names is None:
        raise InputError(f"{table.source}: the columns are not those of {FORM.name}: {FORM.told_by}")
    item = _item_of(table, names)
    if item is None:
        raise InputError(f"{table.source}: there is no column of items or outputs that tells what was judged")
    keys = (names.system, names.rater, item)
    chosen.check_judgements(keys, () if names.text is None else (names.text,), (names.kind, names.words))
    marked: dict[tuple[str, str, str], list[Span]] = defaultdict(list)
    texts: dict[tuple[str, str, str], str | None] = {}
    kinds: Counter[str] = Counter()
    left_out: Counter[tuple[str, str, str]] = Counter()
    for place, row in enumerate(table.rows):
        for name in keys:
            if row.get(name) in (None, ""):
                raise InputError(f"{table.where(place)}: there is nothing in column {name!r}")
        key = str(row[names.system]), str(row[item]), str(row[names.rater])
        text = None if names.text is None else str(row[names.text])
        texts[key] = text
        spans = marked[key]
        kind, words = _filled(row[names.kind]), _filled(row[names.words])
        if (kind or words) and not chosen.counts(row):
            left_out[key] += 1
        elif kind or words:
            spans.append(_span(kind, words, text))
            kinds[kind] += 1
    rows = [
        ScoreRow(system, of, {ERRORS: 0.0 - len(spans)}, text=texts[system, of, rater], rater=rater, spans=tuple(spans))
        for (system, of, rater), spans in marked.items()
    ]
    notes = [*_notes(names, kinds, rows, len(table.rows)), *chosen.notes(rows, left_out.total())]
    if all(spans or key in left_out for key, spans in marked.items()):
        notes.append("no row says that a rater marked nothing: outputs without errors may be missing from the file.")
    own_names = {item: "item", names.rater: "rater", names.system: "system"}
    if names.text not in (None, item):
        own_names[str(names.text)] = "text"
    return Export(FORM.name, rows, tuple(notes), own_names=own_names, columns=table.columns)


def _columns_of_errors(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that say what an error is."""
    names = _names(columns)
    return () if names is None else (names.kind, names.words)


def _filled(cell: object) -> str:
    """Return a cell that names something; "" for one that says that there is nothing."""
    text = "" if cell is None else str(cell).strip()
    return "" if text.lower() in _NONE else text


def _span(kind: str, words: str, text: str | None) -> Span:
    """Return an error; its place is known if its words stand once in the output."""
    if not words or text is None or text.count(words) != 1:
        return Span(None, None, "", kind)
    start = text.index(words)
    return Span(start, start + len(words), "", kind)


def _item_of(table: Table, names: _Names) -> str | None:
    """Return the column of items: the first that tells outputs of a system as their texts do, or is called so."""
    others = [name for name in table.columns if name not in names]
    if names.text is None:
        return next((name for name in others if KEY.fullmatch(name)), None)
    outputs = {(str(row[names.system]), str(row[names.text])) for row in table.rows}
    for name in others:
        pairs = {(str(row[names.system]), str(row[name])) for row in table.rows}
        both = {(str(row[names.system]), str(row[name]), str(row[names.text])) for row in table.rows}
        if len(pairs) == len(outputs) == len(both):
            return name
    return names.text


def _notes(names: _Names, kinds: Counter[str], rows: Sequence[ScoreRow], n_rows: int) -> Iterator[str]:
    none = sum(not row.spans for row in rows)
    yield (
        f"{n_rows} rows are {sum(kinds.values())} marked errors in {len(rows)} judgements (an output, as one rater in "
        f"{names.rater!r} judged it): the score is the negative number of errors in each, so that higher is better; "
        f"{none} have none."
    )
    yield f"kinds of errors in {names.kind!r}: {shortened(kinds_told(kinds), 160)}."

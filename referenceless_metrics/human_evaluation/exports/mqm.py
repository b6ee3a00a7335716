"""MQM annotations: one row per marked error, or per output without errors.

Form: google/wmt-mqm-human-evaluation, and mt_metrics_eval/converters/score_mqm.py of google-research/mt-metrics-eval.
Other campaigns call the same columns otherwise, such as `Error Category`, `Annotator_ID` and `MT`, leave category and
severity blank in the row of an output without errors, and mark an error by `<tag>` in a column of its own. Scorecards
of agencies name no rater: their words of severity tell them. The score of
an output is the negative sum of its errors' weights, by rater. The item is the segment's number in the whole test set,
by which metrics number segments, too, if there is one; else its document and its number there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.exports.error_conditions import read_errors
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow, Span
from referenceless_metrics.human_evaluation.exports.sighting import fields_of
from referenceless_metrics.human_evaluation.exports.spans import MQM, mqm_score
from referenceless_metrics.human_evaluation.forms import Form, Sighting
from referenceless_metrics.human_evaluation.language_pairs import cells_of_languages

_COLUMNS = {
    "severity": ("severity", "error_severity", "severity_level"),
    "category": ("category", "error_category", "error_type", "errortype", "issue_type", "mqm_category"),
    "system": ("system", "system_name", "system_id", "mt_system", "engine", "mt_engine", "model", "mt"),
    "rater": ("rater", "rater_id", "annotator", "annotator_id", "evaluator", "evaluator_id", "annotator_name"),
}
"""Names of the columns that tell the form, in small letters; those of Google's tables first."""

_SEVERITIES = frozenset(("minor", "major", "critical", "neutral", "no-error", "no error", "none", ""))
"""Words that tell errors in a table that names no raters."""

_SEGMENT_OF_DOCUMENT = ("doc_id", "docsegid", "doc_seg_id")
_SEGMENT = ("seg_id", "globalsegid", "global_seg_id", "segment_id", "segment", "seg", "sent_id", "sentence_id")
_DOCUMENT = ("doc", "docname", "document", "doc_name", "document_id", "document_name")
_TEXT = ("target", "translation", "hypothesis", "output")
_SOURCE = ("source", "src", "source_text", "source_segment", "source_sentence")
_TAGGED = ("tagged_target", "target_tagged", "tagged_translation")
_NO_ERROR = ("no-error", "no error")
_MARK = re.compile(r"</?(?:v|tag)>")
_MARKS = ("v", "tag")


def _fields(sighting: Sighting) -> list[list[str]]:
    """Return the fields of the first lines, between tabs, or else between commas; or the cells of a sheet."""
    if sighting.cells:
        return [list(row) for row in sighting.cells]
    delimiter = "\t" if sighting.lines and "\t" in sighting.lines[0] else ","
    return fields_of(sighting.lines, delimiter, marks_quote=delimiter != "\t")


def _called(columns: Sequence[str], names: Sequence[str]) -> str | None:
    """Return the column with the first of some names that is there, whatever its capitals, blanks and points.

    >>> _called(("Doc", "Error Category"), ("category", "error_category")), _called(("Seg. #",), ("seg",))
    ('Error Category', 'Seg. #')
    """
    plain = {re.sub(r"[ .#-]+", "_", name.lower()).strip("_"): name for name in reversed(columns)}
    return next((plain[name] for name in names if name in plain), None)


def _is_annotations(sighting: Sighting) -> bool:
    """Say whether the columns of the form are there, and that of systems holds names."""
    rows = _fields(sighting)
    columns = rows[0] if rows else sighting.columns
    found = {kind: _called(columns, names) for kind, names in _COLUMNS.items()}
    rater = found.pop("rater")
    if None in found.values():
        return False
    severity = columns.index(str(found["severity"]))
    severities = [row[severity].strip().lower() for row in rows[1:] if len(row) > severity]
    if rater is None and not (any(severities) and _SEVERITIES.issuperset(severities)):
        return False
    place = columns.index(str(found["system"]))
    return all(len(row[place].split()) < _WORDS for row in rows[1:] if len(row) > place)


_WORDS = 4  # of a text: the name of a system has fewer

FORM = Form(
    "MQM annotations",
    "a table with columns of the system, the rater, the error's category and its severity; without a rater, severities "
    "are words such as minor and major",
    "ratings",
    "github.com/google/wmt-mqm-human-evaluation; weights as in google-research/mt-metrics-eval",
    _is_annotations,
)


def read(sighting: Sighting, reading: Reading, weights: Mapping[str, float]) -> Export:
    """Read a table of errors: one row per system, item and rater."""
    chosen = read_errors(sighting, reading, _columns_of_errors)
    table = chosen.table
    system, category, severity = (_column(table, kind) for kind in ("system", "category", "severity"))
    rater = _called(table.columns, _COLUMNS["rater"])
    document = _called(table.columns, _DOCUMENT)
    segment, other = _segments(table, document)
    if segment is None:
        raise InputError(
            f"{table.source}: there is no column of segments ({', '.join((*_SEGMENT_OF_DOCUMENT, *_SEGMENT))})"
        )
    target, tagged = _called(table.columns, _TEXT), _called(table.columns, _TAGGED)
    source = _called(table.columns, _SOURCE)
    sources: dict[tuple[str, str], set[str]] = defaultdict(set)
    errors: dict[tuple[str, str, str, str], list[Span]] = defaultdict(list)
    texts: dict[tuple[str, str, str, str], str | None] = {}
    languages = cells_of_languages(table)
    told = ([] if other is None else [other]) + list(languages)
    further: dict[str, list[str]] = {name: [] for name in told}
    keys = [name for name in (system, rater, segment, document) if name is not None]
    same = [name for name in (target, source, *told) if name is not None]
    chosen.check_judgements(keys, same, (category, severity))
    n_left_out = 0
    for place, row in enumerate(table.rows):
        for name in keys:
            if row.get(name) in (None, ""):
                raise InputError(f"{table.where(place)}: there is nothing in column {name!r}")
        key = (
            str(row[system]),
            str(row[segment]),
            str(row[document]) if document else "",
            str(row[rater]) if rater else "",
        )
        if key not in errors:
            for name, cells in further.items():
                cells.append(str(row.get(name)))
        if source is not None:
            sources[key[1], key[2]].add(_plain_text(row.get(source)))
        marked = errors[key]
        text = None if target is None else row.get(target)
        is_error = not _is_no_error(row[category], row[severity])
        if is_error and not chosen.counts(row):
            n_left_out += 1
        elif is_error:
            in_tags = row.get(tagged) if tagged is not None else text
            marked.append(_span(row[category], row[severity], in_tags))
        texts[key] = _MARK.sub("", text) if isinstance(text, str) else None
    begin_again = len({(document, item) for _, item, document, _ in errors}) > len({item for _, item, *_ in errors})
    rows = []
    for (of_system, item, cluster, of_rater), spans in errors.items():
        name = f"{cluster}/{item}" if cluster and (begin_again or segment.lower() in _SEGMENT_OF_DOCUMENT) else item
        scores = {MQM: mqm_score(spans, weights)}
        text = texts[of_system, item, cluster, of_rater]
        rows.append(ScoreRow(of_system, name, scores, text=text, rater=of_rater, cluster=cluster, spans=tuple(spans)))
    own_names = {segment: "item", "target": "text", **({document: "document"} if document else {})}
    own_names |= {system: "system", **({rater: "rater"} if rater else {}), **({target: "text"} if target else {})}
    notes = [*_told(rows), *chosen.notes(rows, n_left_out), *_on_sources(sources, segment, document)]
    return Export(FORM.name, rows, tuple(notes), own_names=own_names, further=further, columns=table.columns)


def _columns_of_errors(columns: Sequence[str]) -> list[str | None]:
    """Return the columns that say what an error is."""
    return [_called(columns, _COLUMNS["category"]), _called(columns, _COLUMNS["severity"])]


def _segments(table: Table, document: str | None) -> tuple[str | None, str | None]:
    """Return the column of segments that tells items, and the other one; None for each that is not there.

    That of the whole test set tells items if it has a number of its own for each segment of a document, or if one
    number in a document is that of several sources, and none of the test set is.
    """
    in_set = _called(table.columns, _SEGMENT)
    if document is None:
        return in_set, None
    in_document = _called(table.columns, _SEGMENT_OF_DOCUMENT)
    if in_document is None or in_set is None:
        return in_document or in_set, None
    pairs = {(str(row.get(in_set)), str(row.get(document)), str(row.get(in_document))) for row in table.rows}
    n_in_set, n_in_documents = len({each[0] for each in pairs}), len({each[1:] for each in pairs})
    is_of_each = n_in_set == n_in_documents == len(pairs)
    source = _called(table.columns, _SOURCE)
    if not is_of_each and source is not None:
        tells_in_document = _has_one_each(table, (document, in_document), source)
        is_of_each = not tells_in_document and _has_one_each(table, (in_set,), source)
    return (in_set, in_document) if is_of_each else (in_document, in_set)


def _has_one_each(table: Table, keys: Sequence[str], source: str) -> bool:
    """Say whether rows that are alike in some columns have one source."""
    sources: dict[tuple[str, ...], str] = {}
    for row in table.rows:
        own = _plain_text(row.get(source))
        if sources.setdefault(tuple(str(row.get(name)) for name in keys), own) != own:
            return False
    return True


def _plain_text(cell: object) -> str:
    """Return a text without marks and with single blanks."""
    return " ".join(_MARK.sub("", str(cell or "")).split())


def _on_sources(sources: Mapping[tuple[str, str], set[str]], segment: str, document: str | None) -> list[str]:
    """Return a note if items have several sources: their errors are then those of several segments together."""
    several = [key for key, texts in sources.items() if len(texts) > 1]
    if not several:
        return []
    item, of_document = several[0]
    told = f"{segment} {item!r}" + (f" of {document} {of_document!r}" if document else "")
    return [
        f"{len(several)} of {len(sources)} items have several sources, as {told} has {len(sources[several[0]])}: the "
        f"errors of these segments are summed as those of one output; give each a number of its own in {segment!r}"
    ]


def _column(table: Table, kind: str) -> str:
    """Return the column of one kind, which the form has."""
    name = _called(table.columns, _COLUMNS[kind])
    assert name is not None
    return name


def _told(rows: Sequence[ScoreRow]) -> tuple[str, ...]:
    """Tell the number of errors, and that raters and systems cannot be told apart if each rated one system alone."""
    n_errors = sum(len(row.spans or ()) for row in rows)
    notes = [f"{n_errors} errors are marked in {_counted(rows)}"]
    raters = {(row.system, row.rater) for row in rows}
    if len(raters) == len({row.system for row in rows}) == len({row.rater for row in rows}) > 1:
        notes.append("each system was rated by another rater: how they differ may be the raters' doing")
    return tuple(notes)


def _counted(rows: Sequence[ScoreRow]) -> str:
    """Return the number of outputs with marked errors, and of all; and the same of judgements, if several rated some.

    A judgement is an output as one rater judged it.
    """
    n_marked = sum(bool(row.spans) for row in rows)
    outputs = {(row.system, row.item) for row in rows}
    marked = {(row.system, row.item) for row in rows if row.spans}
    told = f"{len(marked)} of {len(outputs)} outputs"
    if len(outputs) == len(rows):
        return told
    return f"{told}, by one rater or another: in {n_marked} of {len(rows)} judgements of an output by a rater"


def _is_no_error(category: object, severity: object) -> bool:
    """Whether a row says that its output has no errors: by a word, or by nothing in both columns."""
    told = [str(cell or "").strip().lower() for cell in (category, severity)]
    return any(cell in _NO_ERROR for cell in told) or not any(told)


def _span(category: object, severity: object, text: object) -> Span:
    """Return the error of a row; it stands between marks in the output, or is missing from it."""
    told = str(severity or "").strip().lower(), str(category or "").strip()
    marks = _marks_in(text) if isinstance(text, str) else None
    if not isinstance(text, str) or marks is None:
        return Span(None, None, *told)
    begin, end = marks
    start = len(_MARK.sub("", text[:begin]))
    return Span(start, start + len(_MARK.sub("", text[begin:end])), *told)


def _marks_in(text: str) -> tuple[int, int] | None:
    """Return where the first pair of marks begins and where its words end; None if there is none."""
    pairs = []
    for mark in _MARKS:
        begin = text.find(f"<{mark}>")
        end = text.find(f"</{mark}>", begin)
        if 0 <= begin < end:
            pairs.append((begin, end))
    return min(pairs, default=None)

"""Submissions to WMT's shared task of quality estimation: a score of each segment's translation.

Form: the task's instructions, and WMT-QE-Task/wmt-qe-2022-data: lines of a single number (bytes on disk, parameters,
models in the ensemble), then lines of languages, method, segment from 0, and score, between tabs. The gold scores stand
in a file with a number per line, the first of segment 0.
"""

from __future__ import annotations

import re

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, describe, finite_number
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import meeting, text_lines
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_MOST_NUMBERS = 3  # lines of a single number before the scores
_FIELDS = ("languages", "method", "segment", "score")
_LANGUAGES = re.compile(r"[a-z]{2,3}[-_][a-z]{2,3}", re.IGNORECASE)


def _is_scored(fields: list[str]) -> bool:
    is_segment = len(fields) == 4 and _LANGUAGES.fullmatch(fields[0]) is not None and fields[2].isdecimal()
    return is_segment and finite_number(fields[3]) is not None


def _is_submission(sighting: Sighting) -> bool:
    rows = [line.split("\t") for line in sighting.lines if line.strip()]
    n_numbers = next((place for place, fields in enumerate(rows) if len(fields) > 1), len(rows))
    scored = rows[n_numbers:]
    are_numbers = all(finite_number(fields[0]) is not None for fields in rows[:n_numbers])
    return n_numbers <= _MOST_NUMBERS and are_numbers and bool(scored) and all(map(_is_scored, scored))


FORM = Form(
    "WMT quality estimation scores",
    "no header; up to three lines of a number, then languages, method, segment and score between tabs",
    "scores",
    "github.com/WMT-QE-Task/wmt-qe-2022-data, task1_mqm, predictions.txt",
    _is_submission,
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read the scores: items are the lines of a file with a number per segment, so that segment 0 is item 1.

    Each pair of languages is a slice. The system is the method, whose scores these are, and not what was translated.

    Raises:
        InputError: for a line of another form, and a segment that stands twice.
    """
    records: list[tuple[str, list[str]]] = []
    known: set[tuple[str, str, str]] = set()
    n_numbers = 0
    for where, line in text_lines(sighting.path):
        fields = line.split("\t")
        if not records and len(fields) == 1 and finite_number(line) is not None:
            n_numbers += 1
            continue
        if not _is_scored(fields):
            raise InputError(
                f"{where}: expected languages, a method, a segment and a score between tabs, but got {describe(line)}"
            )
        languages, method, segment, _ = fields
        if (languages, method, segment) in known:
            raise InputError(f"{where}: segment {segment} of {languages} by {method} stands twice")
        known.add((languages, method, segment))
        records.append((where, fields))
    kept = meeting(sighting, reading, _FIELDS, records)
    rows = [
        ScoreRow(method, str(int(segment) + 1), {"score": score}, slice=languages)
        for _, (languages, method, segment, score) in kept
    ]
    n_languages = len({row.slice for row in rows})
    if n_languages > 1:
        rows = [row._replace(item=f"{row.slice}/{row.item}") for row in rows]
    notes = ["segment 0 is item 1, as the first line of a file with a number per line is."]
    if n_numbers:
        notes.append(f"{n_numbers} lines of a number before the scores (bytes, parameters, models) are left out.")
    methods = len({row.system for row in rows})
    told = {"languages": [fields[0] for _, fields in kept]}
    return Export(FORM.name, rows, tuple(notes), names_systems=methods > 1, further=told, columns=_FIELDS)

"""Relevance judgments of TREC, `qrels`: a grade of each query and document, in lines without a header.

Form: https://trec.nist.gov/data/qrels_eng: query, iteration, document and grade, between white space. The iteration is
0, and is not used. A file is of one judge, a person or a program.
"""

from __future__ import annotations

from typing import NamedTuple

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, describe
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import refuse_where, text_lines
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_GRADES = frozenset(f"{sign}{digit}" for sign in ("", "-") for digit in range(10))


class _Judgment(NamedTuple):
    """A line of a file."""

    query: str
    document: str
    grade: str


def _judgment_of(line: str) -> _Judgment | None:
    """Return the judgment of a line, None for another line. The name of a document has a letter and a digit.

    >>> _judgment_of("301 0 FR940202-2-00150 1")
    _Judgment(query='301', document='FR940202-2-00150', grade='1')
    """
    fields = line.split()
    if len(fields) != 4:
        return None
    query, iteration, document, grade = fields
    is_name = any(map(str.isalpha, document)) and any(map(str.isdigit, document))
    if iteration not in ("0", "Q0") or grade not in _GRADES or not is_name:
        return None
    return _Judgment(query, document, grade)


def _is_qrels(sighting: Sighting) -> bool:
    """Say whether the first lines are judgments, each of another document: names of systems would come again."""
    found = [_judgment_of(line) for line in sighting.lines if line.strip()]
    documents = {judgment.document for judgment in found if judgment is not None}
    return len(found) > 1 and len(documents) == len(found)


FORM = Form(
    "TREC relevance judgments",
    "no header; lines `QUERY 0 DOCUMENT GRADE`",
    "ratings",
    "trec.nist.gov/data/qrels_eng",
    _is_qrels,
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read the grade of each query and document, which are an item.

    Raises:
        InputError: for another line, and for a document that a query has twice with different grades.
    """
    refuse_where(sighting, reading, FORM.name)
    grades: dict[tuple[str, str], str] = {}
    for where, line in text_lines(sighting.path):
        judgment = _judgment_of(line)
        if judgment is None:
            raise InputError(f"{where}: expected a line `QUERY 0 DOCUMENT GRADE`, but got {describe(line)}")
        key = judgment.query, judgment.document
        if grades.setdefault(key, judgment.grade) != judgment.grade:
            raise InputError(f"{where}: document {key[1]!r} of query {key[0]!r} stands twice, with different grades")
    rows = [
        ScoreRow("", f"{query}/{document}", {"score": grade}, cluster=query)
        for (query, document), grade in grades.items()
    ]
    return Export(FORM.name, rows, ("an item is a query with a document",), names_systems=False)

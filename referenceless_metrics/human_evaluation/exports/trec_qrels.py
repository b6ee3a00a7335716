"""Relevance judgments of TREC, `qrels`: a grade of each query and document, in lines without a header.

Form: https://trec.nist.gov/data/qrels_eng: query, iteration, document and grade, between white space. The iteration is
0, and is not used. A file is of one judge, a person or a program.
"""

from __future__ import annotations

import re

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, describe
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import refuse_where, text_lines
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_LINE = re.compile(r"\s*(?P<query>\S+)\s+(?:0|Q0)\s+(?P<document>(?=\S*\d)\S*[^\W\d_]\S*)\s+(?P<grade>-?\d)\s*")


def _is_qrels(sighting: Sighting) -> bool:
    """Say whether the first lines are judgments, each of another document: names of systems would come again."""
    found = [_LINE.fullmatch(line) for line in sighting.lines if line.strip()]
    documents = {match["document"] for match in found if match is not None}
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
        match = _LINE.fullmatch(line)
        if match is None:
            raise InputError(f"{where}: expected a line `QUERY 0 DOCUMENT GRADE`, but got {describe(line)}")
        key = match["query"], match["document"]
        if grades.setdefault(key, match["grade"]) != match["grade"]:
            raise InputError(f"{where}: document {key[1]!r} of query {key[0]!r} stands twice, with different grades")
    rows = [
        ScoreRow("", f"{query}/{document}", {"score": grade}, cluster=query)
        for (query, document), grade in grades.items()
    ]
    return Export(FORM.name, rows, ("an item is a query with a document",), names_systems=False)

"""LimeSurvey: the CSV of responses, with codes and questions in its heads.

The form: https://manual.limesurvey.org/Exporting_results. A row is a response. A head is a code, or a code and the
question in words: `id. Response ID`, `G1Q1[SQ001]. How fluent is it? [The cat sat]`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.support.validation import shortened
from referenceless_metrics.human_evaluation.ratings.exports.answers import Answers, Export
from referenceless_metrics.human_evaluation.ratings.exports.questions import answers_to_questions

TOOL = "LimeSurvey"

_ABOUT_RESPONSES = frozenset(
    ("id", "submitdate", "lastpage", "startlanguage", "seed", "startdate", "datestamp", "ipaddr", "refurl", "token")
)
_HEAD = re.compile(r"([\w\[\]]+)(?:\.\s+(.*))?", re.DOTALL)
_TIME = re.compile(r"\w*[Tt]ime(\d+)?$")


def recognises(export: Export) -> bool:
    """Say whether this is an export of LimeSurvey: the columns of a response are there by their codes."""
    return {"id", "lastpage", "startlanguage"} <= {_code(name) for name in export.columns}


def convert(export: Export) -> Answers:
    """Return a row for each response and question that is answered by numbers."""
    codes = {name: _code(name) for name in export.columns}
    identity = next(name for name, code in codes.items() if code == "id")
    questions = {
        name: _words(name) for name, code in codes.items() if code not in _ABOUT_RESPONSES and not _TIME.match(code)
    }
    token = next((name for name, code in codes.items() if code == "token"), None)
    people = [] if token is None else [row.get(token) for row in export.rows]
    are_known = bool(people) and not any(map(is_blank, people))
    raters = people if are_known else [row.get(identity) for row in export.rows]
    answers = answers_to_questions(list(export.rows), questions, raters, words=export.words)
    answers.notes += _on_responses(export, codes, people if are_known else [])
    return answers


def _on_responses(export: Export, codes: Mapping[str, str], people: Sequence[object]) -> list[str]:
    """Return notes on people who answered several times, and on responses that were not submitted."""
    several = [f"{who} ({count})" for who, count in Counter(map(str, people)).items() if count > 1]
    notes = []
    if several:
        notes.append(f"a rater is a token, and some answered several times: {shortened(', '.join(several), 120)}")
    submitted = next((name for name, code in codes.items() if code == "submitdate"), None)
    if submitted is not None:
        n_open = sum(is_blank(row.get(submitted)) for row in export.rows)
        if 0 < n_open < len(export.rows):
            notes.append(f"{n_open} of {len(export.rows)} responses were not submitted; their answers count")
    return notes


def _code(head: str) -> str:
    match = _HEAD.fullmatch(head.strip())
    return "" if match is None else match[1]


def _words(head: str) -> str:
    match = _HEAD.fullmatch(head.strip())
    return head if match is None or not match[2] else match[2]

"""LimeSurvey: the CSV of responses, with codes and questions in its heads.

The form: https://manual.limesurvey.org/Exporting_results. A row is a response. A head is a code, or a code and the
question in words: `id. Response ID`, `G1Q1[SQ001]. How fluent is it? [The cat sat]`.
"""

from __future__ import annotations

import re

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
    return answers_to_questions(list(export.rows), questions, [row.get(identity) for row in export.rows])


def _code(head: str) -> str:
    match = _HEAD.fullmatch(head.strip())
    return "" if match is None else match[1]


def _words(head: str) -> str:
    match = _HEAD.fullmatch(head.strip())
    return head if match is None or not match[2] else match[2]

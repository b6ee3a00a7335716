"""SurveyMonkey: the CSV or sheet of all individual responses.

The form: https://help.surveymonkey.com/en/surveymonkey/analyze/exports/. A row is a respondent, with `Respondent ID`
and `Collector ID`. The heads stand in two rows: a question in the first, in the second its rows or choices.
"""

from __future__ import annotations

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.human_evaluation.ratings.exports.answers import Answers, Export
from referenceless_metrics.human_evaluation.ratings.exports.questions import answers_to_questions

TOOL = "SurveyMonkey"

_RESPONDENT = "Respondent ID"
_ABOUT_RESPONSES = frozenset(
    (
        *(_RESPONDENT, "Collector ID", "Start Date", "End Date", "IP Address", "Email Address"),
        *("First Name", "Last Name", "Custom Data 1", "Custom Data 2"),
    )
)


def recognises(export: Export) -> bool:
    """Say whether this is an export of SurveyMonkey, with its second row of heads."""
    return {_RESPONDENT, "Collector ID"} <= set(export.columns) and is_blank(export.rows[0].get(_RESPONDENT))


def convert(export: Export) -> Answers:
    """Return a row for each respondent and question that is answered by numbers."""
    below, *rows = export.rows
    questions: dict[str, str] = {}
    for name in export.columns:
        if name not in _ABOUT_RESPONSES:
            part = below.get(name)
            questions[name] = name if is_blank(part) else str(part)
    raters = [row.get(_RESPONDENT) for row in rows]
    return answers_to_questions(rows, questions, raters, words=export.words)

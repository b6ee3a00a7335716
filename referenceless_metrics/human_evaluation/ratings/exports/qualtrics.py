"""Qualtrics: the CSV or TSV of responses.

The form: https://www.qualtrics.com/support/survey-platform/data-and-analysis-module/data/download-data/understanding-your-dataset/
A row is a respondent, and a column a question. Below the names of the columns stand the questions in words, and below
these the ids of import, `{"ImportId":"QID1"}`; earlier exports lack the latter.
"""

from __future__ import annotations

from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.exports.answers import Answers, Export
from referenceless_metrics.human_evaluation.ratings.exports.questions import answers_to_questions

TOOL = "Qualtrics"

_IMPORT_ID = '{"ImportId"'
_RESPONSE = ("ResponseId", "ResponseID", "V1")
_PREVIEWS = ("survey preview", "preview", "1")
_UNFINISHED = ("false", "0", "falsch", "faux", "falso", "no", "nein")
_OF_RESPONSES = (
    *(
        "ResponseId",
        "ResponseID",
        "ResponseSet",
        "StartDate",
        "EndDate",
        "RecordedDate",
        "Status",
        "Progress",
        "Finished",
    ),
    *("IPAddress", "Duration (in seconds)", "RecipientLastName", "RecipientFirstName", "RecipientEmail", "Name"),
    *("ExternalReference", "ExternalDataReference", "EmailAddress", "Email", "LocationLatitude", "LocationLongitude"),
    *("LocationAccuracy", "DistributionChannel", "UserLanguage", "Q_RecaptchaScore", "PROLIFIC_PID", "SC0"),
    *(f"V{number}" for number in range(1, 11)),
)
"""The columns that are about a response, and no questions."""


def recognises(export: Export) -> bool:
    """Say whether this is an export of Qualtrics."""
    return _has_import_ids(export) or _is_earlier(export)


def _has_import_ids(export: Export) -> bool:
    return len(export.rows) > 1 and any(str(cell).startswith(_IMPORT_ID) for cell in export.rows[1].values())


def _is_earlier(export: Export) -> bool:
    """Say whether this is an export with two rows of names: the second calls the id of a response by its name."""
    first = export.rows[0] if export.rows else {}
    names = {str(first.get(column, "")).replace(" ", "").lower() for column in _RESPONSE}
    return "responseid" in names


def convert(export: Export) -> Answers:
    """Return a row for each respondent and question that is answered by numbers."""
    n_headers = 2 if _has_import_ids(export) else 1
    worded, rows = export.rows[0], list(export.rows[n_headers:])
    kept = [row for row in rows if not _is_preview(row)]
    response = next(name for name in (*_RESPONSE, export.columns[0]) if name in export.columns)
    questions = {
        name: _words(worded.get(name))
        for name in export.columns
        if name not in _OF_RESPONSES and _is_asked(export, name)
    }
    fields = [name for name in ("Finished",) if name in export.columns]
    raters = [row.get(response) for row in kept]
    answers = answers_to_questions(kept, questions, raters, fields, words=export.words)
    unfinished = [str(row.get("Finished")) for row in kept if str(row.get("Finished")).strip().lower() in _UNFINISHED]
    if unfinished:
        finished = next((str(row["Finished"]) for row in kept if str(row["Finished"]) not in unfinished), "True")
        answers.notes.append(
            f"{len(unfinished)} of {len(kept)} responses are not finished, and count as far as they go (--where "
            f"Finished={finished} leaves them out)"
        )
    for _ in range(len(rows) - len(kept)):
        answers.leave_out("responses in a preview of the survey")
    return answers


def _is_asked(export: Export, name: str) -> bool:
    """Say whether a column is a question, by its id of import, and no time or click count of a page."""
    if not _has_import_ids(export):
        return True
    identity = str(export.rows[1].get(name, ""))
    is_timing = any(part in identity for part in ("_FIRST_CLICK", "_LAST_CLICK", "_PAGE_SUBMIT", "_CLICK_COUNT"))
    return "QID" in identity and "TEXT" not in identity and not is_timing


def _is_preview(row: Record) -> bool:
    channel, status = (str(row.get(name, "")).strip().lower() for name in ("DistributionChannel", "Status"))
    return channel == "preview" or status in _PREVIEWS


def _words(cell: object) -> str:
    """Return a question in words; of a matrix the row stands behind the last dash."""
    return " ".join(str(cell or "").split())

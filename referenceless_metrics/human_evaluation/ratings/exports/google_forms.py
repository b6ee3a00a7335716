"""Google Forms: the CSV of responses, or the sheet that collects them.

The form: https://support.google.com/docs/answer/139706 (View and manage form responses). A row is a respondent; the
first column is the time, in the owner's language, and each further one a question in words; of a grid,
`Question [Row]`.
"""

from __future__ import annotations

import re

from referenceless_metrics.human_evaluation.ratings.exports.answers import Answers, Export
from referenceless_metrics.human_evaluation.ratings.exports.questions import answers_to_questions

TOOL = "Google Forms"

_TIMES = (
    *("timestamp", "zeitstempel", "horodateur", "marca temporal", "carimbo de data/hora", "informazioni cronologiche"),
    *(
        "tijdstempel",
        "отметка времени",
        "časová značka",
        "sygnatura czasowa",
        "タイムスタンプ",
        "时间戳记",
        "타임스탬프",
    ),
)
"""The names of the first column, in small letters."""

_RATERS = ("email address", "username", "e-mail-adresse", "adresse e-mail", "dirección de correo electrónico", "score")
_TIME = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}[^T]*?\d{1,2}:\d{2}", re.DOTALL)
"""A time as Google writes it: never `2025-01-20T09:27`, which programs write."""

_KEYS = {
    "item": re.compile(
        r"(?:item|id|pair|comparison|segment|sent|sentence|text|doc|document|question|example|sample|source|prompt)"
    ),
    "system": re.compile(r"(?:system|model|method|condition|generator)"),
    "rater": re.compile(r"(?:rater|annotator|worker|judge|evaluator|participant|user|reviewer|coder|assessor|voter)"),
}
"""The names of columns that tell what was rated, whose output it was, and who rated, in tables of programs."""

_END_OF_KEY = re.compile(r"[ _.-]?(?:id|no|nr|num|number|name|index|idx|key)$")


def recognises(export: Export) -> bool:
    """Say whether this is an export of Google Forms: its first column is a time by name and by content.

    A table whose columns name two of item, system and rater, or both systems of a comparison, was written by a
    program: a form has questions.
    """
    if not export.columns or export.columns[0].strip().lower() not in _TIMES:
        return False
    if any(all(f"{word}_{side}" in export.columns for side in "ab") for word in ("system", "model")):
        return False
    names = {_END_OF_KEY.sub("", name.strip().lower()) or "id" for name in export.columns[1:]}
    if sum(any(map(key.fullmatch, names)) for key in _KEYS.values()) > 1:
        return False
    times = [str(row.get(export.columns[0]) or "") for row in export.rows]
    return bool(times) and all(_TIME.match(time) for time in times if time)


def convert(export: Export) -> Answers:
    """Return a row for each respondent and question that is answered by numbers."""
    about = [name for name in export.columns[1:] if name.strip().lower() in _RATERS]
    questions = {name: name for name in export.columns[1:] if name not in about}
    who = next((name for name in about if name.strip().lower() != "score"), None)
    raters = [row.get(who) if who and row.get(who) else f"response {n}" for n, row in enumerate(export.rows, 1)]
    return answers_to_questions(list(export.rows), questions, raters, words=export.words)

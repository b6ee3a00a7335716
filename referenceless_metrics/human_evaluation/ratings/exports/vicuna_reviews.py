"""Reviews of two answers by a judge that scores both at once.

The form: github.com/lm-sys/FastChat, fastchat/eval/table/review (2023): JSON lines with `question_id`, `answer1_id`,
`answer2_id`, `reviewer_id` and `score`, the list of both answers' scores; -1 if none could be read. The file's name,
`JUDGE_review_MODEL1_MODEL2.jsonl`, tells the models. The judge is a language model, of which `reviewer_id` names the
prompt: it is one rater, unless questions are reviewed several times.
"""

from __future__ import annotations

import re
from pathlib import Path

from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, RATER, RATING, SYSTEM, Answers, Export
from referenceless_metrics.human_evaluation.ratings.model_raters import are_models

TOOL = "FastChat reviews"

_NAMES = re.compile(r"(?:(?P<judge>.*)_)?review_(?P<first>[^_]+)_(?P<second>[^_]+)\.jsonl(?:\.\w+)?")
_JUDGE = "LLM judge"


def recognises(export: Export) -> bool:
    """Say whether these are reviews of two answers."""
    return {"question_id", "answer1_id", "answer2_id", "score"} <= set(export.columns)


def convert(export: Export) -> Answers:
    """Return a row for each answer that is scored."""
    answers = Answers(questions={RATING: None})
    match = _NAMES.fullmatch(Path(export.source).name)
    names = (match["first"], match["second"]) if match else ("answer1", "answer2")
    judge = _judge_called(match["judge"] if match else None)
    questions = [row.get("question_id") for row in export.rows]
    are_repeated = len(set(map(str, questions))) < len(questions)
    for row in export.rows:
        scores = row.get("score")
        if not isinstance(scores, list) or len(scores) != len(names) or min(scores) < 0:
            answers.leave_out("reviews without two scores")
            continue
        rater = f"{judge}, reviewer {row.get('reviewer_id')}" if are_repeated else judge
        for system, score in zip(names, scores, strict=True):
            answers.rows.append({ITEM: row.get("question_id"), SYSTEM: system, RATER: rater, RATING: score})
    told = "after the file's name" if match else "by their place"
    answers.notes.append(f"the two scores of a review are those of the systems {names[0]!r} and {names[1]!r}, {told}")
    answers.notes.append(
        f"{names[0]!r} stands first in every review: a judge that favours a place cannot be told from one that favours "
        "a system"
    )
    answers.notes.append(f"the reviews are those of a language model, {judge!r}; 'reviewer_id' is its prompt")
    return answers


def _judge_called(name: str | None) -> str:
    """Return the name of a judge, by which it is known for a language model.

    >>> _judge_called("gpt-4"), _judge_called("scorer"), _judge_called(None)
    ('gpt-4', 'LLM judge scorer', 'LLM judge')
    """
    if not name:
        return _JUDGE
    return name if are_models([name]) else f"{_JUDGE} {name}"

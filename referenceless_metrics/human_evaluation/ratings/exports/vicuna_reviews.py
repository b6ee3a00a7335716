"""Reviews of two answers by a judge that scores both at once.

The form: github.com/lm-sys/FastChat, fastchat/eval/table/review (2023): JSON lines with `question_id`, `answer1_id`,
`answer2_id`, `reviewer_id` and `score`, the list of both answers' scores; -1 if none could be read. The file's name,
`review_MODEL1_MODEL2.jsonl`, tells the models.
"""

from __future__ import annotations

import re
from pathlib import Path

from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, RATER, RATING, SYSTEM, Answers, Export

TOOL = "FastChat reviews"

_NAMES = re.compile(r"(?:.*_)?review_([^_]+)_([^_]+)\.jsonl(?:\.\w+)?")


def recognises(export: Export) -> bool:
    """Say whether these are reviews of two answers."""
    return {"question_id", "answer1_id", "answer2_id", "score"} <= set(export.columns)


def convert(export: Export) -> Answers:
    """Return a row for each answer that is scored."""
    answers = Answers(questions={RATING: None})
    match = _NAMES.fullmatch(Path(export.source).name)
    names = (match[1], match[2]) if match else ("answer1", "answer2")
    for row in export.rows:
        scores = row.get("score")
        if not isinstance(scores, list) or len(scores) != len(names) or min(scores) < 0:
            answers.leave_out("reviews without two scores")
            continue
        for system, score in zip(names, scores, strict=True):
            answers.rows.append(
                {ITEM: row.get("question_id"), SYSTEM: system, RATER: row.get("reviewer_id"), RATING: score}
            )
    told = "after the file's name" if match else "by their place"
    answers.notes.append(f"the two scores of a review are those of the systems {names[0]!r} and {names[1]!r}, {told}")
    return answers

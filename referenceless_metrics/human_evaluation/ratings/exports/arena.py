"""Logs of arenas, in which people compare the answers of two models.

The form: https://huggingface.co/datasets/lmsys/chatbot_arena_conversations and mt_bench_human_judgments there, and
https://www.kaggle.com/competitions/lmsys-chatbot-arena. A row has `model_a`, `model_b` and `winner` (model_a, model_b,
tie, or a tie of two bad answers), or in place of the latter `winner_model_a`, `winner_model_b` and `winner_tie`, of
which one is 1; with `question_id` and `judge`, if they are known.
"""

from __future__ import annotations

from referenceless_metrics.core.support.validation import InputError, Record, finite_number
from referenceless_metrics.human_evaluation.ratings.exports.answers import Answers, Export

TOOL = "an arena"

_ONE_HOT = {"winner_model_a": "a", "winner_model_b": "b", "winner_tie": "tie"}
_ITEMS = ("question_id", "item", "prompt_id")
_JUDGES = ("judge", "judge_hash", "rater", "evaluation_session_id")


def recognises(export: Export) -> bool:
    """Say whether this is a log of an arena."""
    columns = set(export.columns)
    return {"model_a", "model_b"} <= columns and bool({"winner", "winner_model_a"} & columns)


def convert(export: Export) -> Answers:
    """Return a row for each comparison, with the columns of preferences."""
    answers = Answers()
    columns = set(export.columns)
    item = next((name for name in _ITEMS if name in columns), None)
    judge = next((name for name in _JUDGES if name in columns), None)
    if item is None:
        answers.notes.append("nothing tells which comparisons are of one question: each counts as an item of its own")
    if item == "question_id" and len({row.get(item) for row in export.rows}) == len(export.rows):
        answers.notes.append("each comparison has a question of its own")
    for number, row in enumerate(export.rows, 1):
        fields = {name: row[name] for name in row if name not in ("model_a", "model_b", "winner", item, judge)}
        given = {"system_a": row.get("model_a"), "system_b": row.get("model_b"), "preference": _winner(row, export, number)}
        answers.add(fields, number if item is None else row.get(item), None if judge is None else row.get(judge), given)
        if judge is None:
            del answers.rows[-1]["rater"]
    return answers


def _winner(row: Record, export: Export, number: int) -> object:
    if "winner" in export.columns:
        return row.get("winner")
    on = [word for name, word in _ONE_HOT.items() if finite_number(row.get(name)) == 1]
    if len(on) != 1:
        raise InputError(f"{export.source}, row {number}: expected one of {', '.join(_ONE_HOT)} to be 1, but got {len(on)}")
    return on[0]

"""Logs of arenas, in which people compare the answers of two models.

The form: https://huggingface.co/datasets/lmsys/chatbot_arena_conversations and mt_bench_human_judgments there, and
https://www.kaggle.com/competitions/lmsys-chatbot-arena. A row has `model_a`, `model_b` and `winner` (model_a, model_b,
tie, or a tie of two bad answers), or in place of the latter `winner_model_a`, `winner_model_b` and `winner_tie`, of
which one is 1; with `question_id` and `judge`, if they are known.
"""

from __future__ import annotations

from referenceless_metrics.core.support.validation import InputError, Record, finite_number
from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, PREFERENCE, RATER, Answers, Export

TOOL = "an arena"

_READ = ("model_a", "model_b", "winner", "winner_model_a", "winner_model_b", "winner_tie")
_ONE_HOT = {"winner_model_a": "a", "winner_model_b": "b", "winner_tie": "tie"}
_ITEMS = ("question_id", "item", "prompt_id")
_JUDGES = ("judge", "judge_hash", "rater", "evaluation_session_id")


def recognises(export: Export) -> bool:
    """Say whether this is a log of an arena."""
    columns = set(export.columns)
    return {"model_a", "model_b"} <= columns and bool({"winner", "winner_model_a"} & columns)


def convert(export: Export) -> Answers:
    """Return a row for each comparison, with the columns of preferences."""
    answers = Answers(questions={PREFERENCE: None})
    item = next((name for name in _ITEMS if name in export.columns), None)
    judge = next((name for name in _JUDGES if name in export.columns), None)
    if item is None:
        answers.notes.append("nothing tells which comparisons are of one question: each counts as an item of its own")
    for number, row in enumerate(export.rows, 1):
        comparison = {name: cell for name, cell in row.items() if name not in (*_READ, item, judge)}
        comparison[ITEM] = number if item is None else row.get(item)
        if judge is not None:
            comparison[RATER] = row.get(judge)
        comparison |= {"system_a": row.get("model_a"), "system_b": row.get("model_b")}
        comparison[PREFERENCE] = _winner(row, export, number)
        answers.rows.append(comparison)
    return answers


def _winner(row: Record, export: Export, number: int) -> object:
    if "winner" in export.columns:
        return row.get("winner")
    on = [word for name, word in _ONE_HOT.items() if finite_number(row.get(name)) == 1]
    if len(on) != 1:
        listed = ", ".join(_ONE_HOT)
        raise InputError(f"{export.source}, row {number}: expected one of {listed} to be 1, but {len(on)} are")
    return on[0]

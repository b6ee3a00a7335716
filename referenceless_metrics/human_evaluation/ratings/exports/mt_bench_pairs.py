"""MT-Bench: judgments of two models' answers, each pair judged in both orders.

The form: github.com/lm-sys/FastChat, fastchat/llm_judge/common.py, `JUDGE_pair.jsonl`. A line has `question_id`,
`turn`, `model_1`, `model_2` and `judge`; `g1_winner` tells the winner if the answer of `model_1` stood first,
`g2_winner` if it stood second: `model_1`, `model_2`, `tie` or `error`. As in show_result.py there, a model wins if it
wins in both orders; any other two verdicts are a tie.
"""

from __future__ import annotations

from collections import Counter

from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, PREFERENCE, RATER, Answers, Export

TOOL = "MT-Bench"

COLUMNS = ("model_1", "model_2", "g1_winner", "g2_winner")
"""The columns that tell this form."""

_SIDES = {"model_1": "a", "model_2": "b", "tie": "tie"}


def recognises(export: Export) -> bool:
    """Say whether these are judgments of pairs of MT-Bench."""
    return set(COLUMNS) <= set(export.columns)


def convert(export: Export) -> Answers:
    """Return a row for each pair that was judged in both orders, with the columns of preferences."""
    answers = Answers(questions={PREFERENCE: None})
    verdicts: list[tuple[str, str]] = []
    has_turns = len({str(row.get("turn")) for row in export.rows}) > 1
    for number, row in enumerate(export.rows, 1):
        first, second = (_SIDES.get(str(row.get(name))) for name in COLUMNS[2:])
        if first is None or second is None:
            answers.leave_out("pairs without a verdict in both orders")
            continue
        verdicts.append((first, second))
        told = {**row, ITEM: row.get("question_id", number), RATER: _judge(row)}
        if has_turns:
            told[ITEM] = f"{told[ITEM]}/{row.get('turn')}"
        told |= {"system_a": row.get("model_1"), "system_b": row.get("model_2")}
        answers.rows.append({**told, PREFERENCE: first if first == second else "tie"})
    if verdicts:
        answers.notes += _on_orders(verdicts)
    if has_turns:
        answers.holder = "question_id"
        answers.notes.append("an item is 'question_id' with 'turn': all turns count (--where turn=1 for one)")
    return answers


def _judge(row: Record) -> str:
    """Return the judge's name, which stands before that of its prompt."""
    judge = row.get("judge")
    return str(judge[0] if isinstance(judge, list) and judge else judge)


def _on_orders(verdicts: list[tuple[str, str]]) -> list[str]:
    """Return a note on verdicts that differ by the order of the answers, and on the wins of each place."""
    n_unlike = sum(first != second for first, second in verdicts)
    places = Counter("first" if verdict == "a" else verdict for verdict, _ in verdicts)
    places.update("first" if verdict == "b" else verdict for _, verdict in verdicts)
    n_first, n_ties = places["first"], places["tie"]
    return [
        f"a pair is judged in both orders, and a model wins if 'g1_winner' and 'g2_winner' both name it: else it is a "
        f"tie, as in MT-Bench ({n_unlike} of {len(verdicts)} pairs have two verdicts)",
        f"of {2 * len(verdicts)} verdicts, {n_first} are for the answer that stood first, "
        f"{2 * len(verdicts) - n_first - n_ties} for the second, and {n_ties} are ties",
    ]

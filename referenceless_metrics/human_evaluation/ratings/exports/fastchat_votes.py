"""FastChat: the log of an arena of one's own, with the votes of its users among their chats.

The form: github.com/lm-sys/FastChat, `vote_last_response` in fastchat/serve/gradio_block_arena_anony.py, and
fastchat/serve/monitor/clean_battle_data.py, which reads it. A line of `…-conv.json` has `tstamp`, `type` and `ip`; that
of a vote has `models`, which are blank if the vote was blind, and `states`, the two conversations, each with its
`model_name`, `conv_id` and `messages`.
"""

from __future__ import annotations

import re
from typing import Any

from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, PREFERENCE, RATER, Answers, Export

TOOL = "FastChat's votes"

_VOTES = {"leftvote": "a", "rightvote": "b", "tievote": "tie", "bothbad_vote": "tie"}
_MARKS = re.compile(r"<[^>]*>|[#*]+|\bModel [AB]:")
"""Marks around a model's name as it stood on the page."""


def recognises(export: Export) -> bool:
    """Say whether there are votes among these lines."""
    return {"tstamp", "type", "models", "states"} <= set(export.columns) and any(map(_is_vote, export.rows))


def _is_vote(row: Record) -> bool:
    states = row.get("states")
    return row.get("type") in _VOTES and isinstance(states, list) and len(states) == 2


def convert(export: Export) -> Answers:
    """Return a row for each vote, with the columns of preferences; the conversation that stood left is a."""
    answers = Answers(questions={PREFERENCE: None})
    votes = [row for row in export.rows if _is_vote(row)]
    for row in export.rows:
        if not _is_vote(row):
            answers.leave_out(f"lines of type {row.get('type')!r}, which are no votes between two models")
    raters = {row.get("ip") for row in votes}
    for number, row in enumerate(votes, 1):
        first, second = (_name(row, place) for place in (0, 1))
        if not first or not second:
            answers.leave_out("votes without the names of both models")
        elif first == second:
            answers.leave_out("votes between a model and itself")
        else:
            told = {ITEM: row["states"][0].get("conv_id") or number, "system_a": first, "system_b": second}
            told |= {RATER: row.get("ip")} if len(raters) > 1 else {}
            answers.rows.append({**told, PREFERENCE: _VOTES[str(row["type"])]})
    n_bad = sum(row["type"] == "bothbad_vote" for row in votes)
    if n_bad:
        answers.notes.append(f"a vote that both are bad counts as a tie ({n_bad})")
    if len(raters) > 1:
        answers.notes.append("raters are told by 'ip': users behind one address count as one")
    return answers


def _name(row: Record, place: int) -> str:
    """Return the model of one side: of its conversation, or else as it stood on the page; "" if neither tells it."""
    state = row["states"][place]
    named = state.get("model_name") if isinstance(state, dict) else None
    shown: Any = row.get("models") or []
    if not named and isinstance(shown, list) and len(shown) == 2:
        named = _MARKS.sub("", str(shown[place] or "")).strip()
    return str(named or "")

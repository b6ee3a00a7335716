"""Arena-Hard: judgments of a model's answers against those of a baseline.

The form: github.com/lmarena/arena-hard-auto, `model_judgment/JUDGE/MODEL.jsonl`. A line has `question_id`, `model`,
`judge` and `games`: in the first the baseline is A and the model is B, in the second they have changed places. A game's
`score` is one of A>>B, A>B, A=B, B>A and B>>A, or null if no verdict could be read.
"""

from __future__ import annotations

from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, PREFERENCE, RATER, Answers, Export

TOOL = "Arena-Hard"

_BASELINE = "baseline"
_WINNERS = {"A>>B": "a", "A>B": "a", "A=B": "tie", "B=A": "tie", "B>A": "b", "B>>A": "b"}


def recognises(export: Export) -> bool:
    """Say whether these are judgments of Arena-Hard."""
    return {"question_id", "model", "judge", "games"} <= set(export.columns)


def convert(export: Export) -> Answers:
    """Return a row for each question and game, with the columns of preferences, the answer that stood first as a."""
    answers = Answers(questions={PREFERENCE: None})
    for row in export.rows:
        games = row.get("games") or []
        model = str(row.get("model"))
        baseline = str(row.get("baseline") or _BASELINE)
        for place, game in enumerate(games):
            winner = _WINNERS.get(str(game.get("score") or "").replace(" ", ""))
            if winner is None:
                answers.leave_out("games without a verdict")
                continue
            first, second = (baseline, model) if place == 0 else (model, baseline)
            answers.rows.append(
                {
                    ITEM: row.get("question_id"),
                    RATER: row.get("judge"),
                    "system_a": first,
                    "system_b": second,
                    PREFERENCE: winner,
                }
            )
    answers.notes.append("a win by much (A>>B) counts as a win; a question's two games, in both orders, count once")
    return answers

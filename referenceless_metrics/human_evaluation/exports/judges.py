"""Single-answer judgments of MT-Bench, `gpt-4_single.jsonl`.

Form: fastchat/llm_judge/common.py of lm-sys/FastChat: one row per question, model, judge and turn; −1 stands for a
judgment from which no score could be read.
"""

from __future__ import annotations

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.human_evaluation.exports.rows import DOCUMENT, Export, ScoreRow
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_FAILED = -1

FORM = Form(
    "MT-Bench judgments",
    "JSON lines with `question_id`, `model`, `judge`, `turn` and `score`",
    "scores",
    "github.com/lm-sys/FastChat, fastchat/llm_judge/common.py",
    lambda sighting: {"question_id", "model", "judge", "turn", "score"} <= set(sighting.columns),
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read judgments: a turn of a question is an item, and the turns of a question belong together."""
    table = read_table(str(sighting.path), reading)
    judges = {str(row["judge"][0]) if isinstance(row["judge"], list) else str(row["judge"]) for row in table.rows}
    rows = []
    failed = 0
    for row in table.rows:
        judge = row["judge"]
        score = None if row["score"] == _FAILED else row["score"]
        failed += score is None
        rater = str(judge[0] if isinstance(judge, list) else judge) if len(judges) > 1 else ""
        question = str(row["question_id"])
        item = f"{question}/{row['turn']}"
        rows.append(ScoreRow(str(row["model"]), item, {"score": score}, rater=rater, cluster=question))
    notes = (f"{failed} judgments failed (score −1): their scores are missing.",) if failed else ()
    return Export(FORM.name, rows, notes, own_names={"question_id": DOCUMENT})

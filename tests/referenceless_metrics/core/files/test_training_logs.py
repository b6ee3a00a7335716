"""Logs of trainings, which several tools write, and tables that are none."""

import json
from pathlib import Path

import pytest
from command_lines import typed
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.training_logs import is_training_log

pytestmark = pytest.mark.usefixtures("folder")

EPOCHS = range(1, 13)
EVALUATIONS = [{"epoch": n, "step": 49 * n, "eval_loss": 4 - n / 9, "eval_fluency": n % 5 - 2.5} for n in EPOCHS]
OF_TRAINER = [row for n in EPOCHS for row in ({"epoch": n, "step": 49 * n, "loss": 5 - n / 9}, EVALUATIONS[n - 1])]
OF_KERAS = [{"epoch": n, "accuracy": 0.1 + n / 20, "val_accuracy": n / 20} for n in EPOCHS]
OF_TENSORBOARD = [{"Wall time": 1.7e9 + n, "Step": n, "Value": n / 7} for n in EPOCHS]
PARTS = [{"step": n, f"eval_{part}_loss": n / 7 + part} for n in EPOCHS for part in range(6)]
SWEPT = [{"epoch": n // 6, "item": n % 6, "eval_score": n % 5} for n in range(12)]


def table_of(rows):
    return Table("t.json", tuple(dict.fromkeys(name for row in rows for name in row)), rows)


@pytest.mark.parametrize(
    "rows", [EVALUATIONS, OF_TRAINER, OF_KERAS, OF_TENSORBOARD, PARTS, [*OF_TRAINER, OF_TRAINER[-1]]]
)
def test_a_log_of_a_training_is_known(rows):
    assert is_training_log(table_of(rows))


@pytest.mark.parametrize(
    "rows",
    [
        [{"step": row["step"], "quality": row["eval_loss"]} for row in EVALUATIONS],  # nothing of a training
        [{**row, "step": 9, "epoch": 1} for row in EVALUATIONS],
        EVALUATIONS[::-1],
        [{**row, "system": "ours"} for row in EVALUATIONS],
        [{"n": row["step"], "eval_loss": row["eval_loss"]} for row in EVALUATIONS],
        SWEPT,  # items of each epoch
        EVALUATIONS[:1],
    ],
)
def test_other_tables_are_none(rows):
    assert not is_training_log(table_of(rows))


@pytest.mark.parametrize("rows", [EVALUATIONS, OF_TRAINER], ids=["table", "state"])
def test_look_proposes_no_line_on_ratings_for_a_training_log(rows):
    if rows is EVALUATIONS:
        file = "log.csv"
        write_table(file, list(rows[0]), [list(row.values()) for row in rows])
    else:
        file = "trainer_state.json"
        write(file, [json.dumps({"best_metric": 1.5, "log_history": rows})])
    found = look(file)
    assert (found.shape, found.commands) == ("a log of one training: a row for each step or evaluation", ())
    assert {column.part for column in found.columns} == {""}
    assert "To compare checkpoints, write what each generates from the same inputs into a file" in found.notes[-1]
    assert typed(f"look {file}").out.endswith("No command reads it: the note tells how checkpoints are compared.\n")


def test_the_folder_of_a_checkpoint_shows_its_log_beside_files_that_are_no_tables():
    Path("checkpoint-98").mkdir()
    write("checkpoint-98/config.json", ['{"d_model": {"a": 1}, "name": "t5"}'])
    write("checkpoint-98/trainer_state.json", [json.dumps({"log_history": OF_TRAINER})])
    told = typed("look checkpoint-98")
    assert "Shape: a log of one training" in told.out
    assert "checkpoint-98/config.json: " in told.err


def test_commands_take_no_steps_for_items_unless_told_so():
    write_table("log.csv", list(EVALUATIONS[0]), [list(row.values()) for row in EVALUATIONS])
    scores = "--scores log.csv --score-column eval_loss"
    ratings = "--ratings log.csv --rating-column eval_fluency"
    for line in (f"compare {scores}", f"evaluate {scores} {ratings}", f"human-score {ratings}"):
        told = typed(line, 1).err
        assert "log.csv: its rows are evaluations and steps of one training, and no independent items" in told
        assert "(--item-column NAME)" in told
    assert "eval_loss" in typed(f"compare {scores} --item-column step").out

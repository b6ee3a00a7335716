"""A file of each participant, as a page of one's own saves it: all are read together, and are raters by their names."""

import json
from pathlib import Path

import pytest
from command_lines import as_json, done, typed
from text_files import write, write_table

from referenceless_metrics.advice.look.looking import look
from referenceless_metrics.advice.look.together.joint import joint_lines

pytestmark = pytest.mark.filterwarnings("ignore")

SYSTEMS = ("plan", "fusion", "base")
N_RATERS = 14  # whose files take more signs than a line that is proposed has


def participant(number):
    """Save the trials of a participant, of which some are no ratings; the ratings of one are of an unusual range."""
    trials = []
    for n in range(24):  # each story in two of three conditions
        quality = 2 + (n + number) % 4 if number == 5 else 1 + (n * 5 + number) % 7
        system = SYSTEMS[(n + number + n // 12) % 3]
        row = {"type": "rating", "story_id": f"s{n % 12:02}", "condition": system, "enjoyment": quality}
        trials.append(row)
    trials.append({"type": "attention_check", "response": 7})
    pid = f"{number:02}e4d63a912f5157a00cd74"
    write(f"answers/{pid}.json", [json.dumps({"prolific_pid": pid, "age": 20 + number, "trials": trials})])


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("answers").mkdir()
    for number in range(N_RATERS):
        participant(number)


def test_all_are_proposed_together_by_their_folder():
    told = done("look answers").output
    line = told[told.index("Together:\n") :].splitlines()[1]
    keys = "--item-column story_id --system-column condition --rater-column prolific_pid --where type=rating"
    assert line == f"referenceless human-score --ratings answers --rating-column enjoyment {keys}"
    rows = as_json(line.removeprefix("referenceless "))["rows"]
    assert {row["system"] for row in rows} == set(SYSTEMS)


def test_a_folder_of_tables_stands_for_its_files():
    keys = "--rating-column enjoyment --item-column story_id --system-column condition --where type=rating"
    found = as_json(f"agreement answers {keys} --rater-column prolific_pid")
    assert len(found["rows"]) == N_RATERS
    write("answers/readme.txt", ["Who answered what."])
    told = typed(f"human-score --ratings answers {keys}", status=1).err
    assert "answers: it is a folder, not a file, and holds files of several formats; give those with the" in told
    assert "the ratings: answers/" in told


def test_numbers_of_outputs_of_each_source_are_no_systems(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [[n % 5, f"Do you like {n // 5}?", f"I like {n} very much.", 1 + n % 4] for n in range(50)]
    write_table("t.csv", ["id", "context", "response", "engaging"], rows)
    assert not [column.name for column in look("t.csv").columns if column.part == "system"]


def test_files_of_two_raters_tell_systems_by_ids_that_each_source_has(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for place, name in enumerate(("ann", "bob")):
        rows = [
            [system, f"Do you like the number {source}?", f"I like {system} {source} very much.", *(0.5, 1, 2)]
            for source in range(10)
            for system in (4, 0, 5, 2, 1, 3)
        ]
        for n, row in enumerate(rows):
            row[-2:] = [1 + (n * 7 + place * (n % 3)) % 5, 1 + (n * 5 + place * (n % 2)) % 5]
        write_table(f"eval_ratings_{name}.csv", ["id", "context", "response", "score_of", "engaging", "fluent"], rows)
    looks = [look(f"eval_ratings_{name}.csv") for name in ("ann", "bob")]
    parts = {column.name: column.part for column in looks[0].columns}
    assert (parts["id"], parts["context"]) == ("system", "item")
    lines = joint_lines(looks)
    files = "eval_ratings_ann.csv eval_ratings_bob.csv"
    keys = "--rating-column engaging --item-column context --system-column id"
    assert f"referenceless agreement {files} {keys}" in lines
    each = "--ratings eval_ratings_ann.csv --ratings eval_ratings_bob.csv"
    assert any(line.startswith(f"referenceless human-score {each} {keys}") for line in lines)
    assert not [line for line in lines if line.split()[1] == "compare"]

"""`look` and `compare` at files of one system each whose columns of scores are called by it."""

from pathlib import Path

import pytest
from command_lines import as_json, done, typed
from text_files import write_table

from referenceless_metrics import look
from referenceless_metrics.advice.look.together.joint import joint_lines

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("folder")]

SYSTEMS = ("llama-7b", "llama-13b")


def put(path, system, asked, right, *others):
    rows = [[f"What is the answer to question {n}?", "AB"[n % 2], right(n), 0.5 + n / 99, *others] for n in asked]
    Path(path).parent.mkdir(exist_ok=True)
    extra = [f"other {place}" for place in range(len(others))]
    write_table(path, ["0", "1", f"{system}_correct", f"{system}_choiceA_probs", *extra], rows)
    return path


def results(subjects=("maths", "history")):
    return [
        put(
            f"results_{system}/{subject}.csv",
            system,
            range(20 * part, 20 * part + 20),
            lambda n, k=place: (n + k) % (k + 2) > 0,
        )
        for place, system in enumerate(SYSTEMS)
        for part, subject in enumerate(subjects)
    ]


def test_scores_are_compared_whose_columns_are_called_by_the_system():
    files = sorted(results())
    (line,) = joint_lines([look(file) for file in files])
    assert line.endswith("--rows-in '*_correct' --score-column correct --system-column key --item-column 0")
    assert line in done("look .").stdout
    found = as_json(line.removeprefix("referenceless "))
    means = {row["system"]: (row["items"], row["mean"]) for row in found["rows"] if "mean" in row}
    assert means["llama-7b"] == (40, pytest.approx(20 / 40))
    assert means["llama-13b"] == (40, pytest.approx(27 / 40))


def test_columns_of_other_names_are_of_no_system():
    one, *_, other = results()
    put("other.csv", "llama-13b", range(20), lambda n: n % 2, "beside")
    put("again.csv", "llama-7b", range(20), lambda n: n % 3 > 0)
    for files in ((one, "other.csv"), (one, "again.csv")):  # a further column; one system
        assert not any("--rows-in" in line for line in joint_lines([look(file) for file in files]))
    assert any("--rows-in" in line for line in joint_lines([look(one), look(other)]))


def test_a_score_that_another_file_calls_by_its_system_has_a_way():
    one, other = results(["maths"])
    told = typed(f"compare --scores {one} --scores {other} --score-column llama-7b_correct", 1).err
    assert "there is no column 'llama-7b_correct' (--score-column), but 'llama-13b_correct'" in told
    options = "--rows-in '*_correct' --score-column correct --system-column key"
    assert f"give {options}" in told
    assert "llama-13b" in done(f"compare --scores {one} --scores {other} {options}").stdout

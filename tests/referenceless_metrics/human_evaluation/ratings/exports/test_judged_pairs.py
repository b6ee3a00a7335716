"""Two outputs in a row, with people's label and a judge's say inside a list of one object."""

import json

import pytest
from command_lines import as_json
from text_files import write

from referenceless_metrics.advice.look.looking import look
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table

N = 12
LABELS = [1 if n % 2 else 2 for n in range(N)]
SAID = [3 - label if n < 3 else label for n, label in enumerate(LABELS)]  # the judge errs in three


def judged(path):
    rows = [
        {
            "input": f"a question of some words, number {n}",
            "output_1": f"an answer of some words, number {n}",
            "output_2": f"another answer of other words, number {n}",
            "label": LABELS[n],
            "results": [{"score": ["6", "stop"], "swap = False": {"winner": str(SAID[n])}}],
        }
        for n in range(N)
    ]
    return str(write(path, json.dumps(rows, indent=1)))


@pytest.mark.filterwarnings("ignore::referenceless_metrics.core.files.reading.InputNote")
def test_a_list_of_one_object_is_that_object(tmp_path):
    columns = RatingColumns(preference="results.swap = False.winner")
    frame = read_rating_table([judged(tmp_path / "t.json")], columns).frame
    assert frame["preference"].tolist() == [float(said == 1) for said in SAID]


def test_several_columns_that_say_which_is_better_are_raters_for_agreement(tmp_path):
    lines = look(judged(tmp_path / "t.json")).commands
    [line] = [line for line in lines if line.split()[1] == "agreement"]
    found = as_json(line.removeprefix("referenceless "))
    assert (found["outputs"], found["shared"]) == (N, N)
    # nine of twelve alike, and people's label is each side in half of all: (9 / 12 - 1 / 2) / (1 / 2)
    assert found["coefficients"]["kappa"]["value"] == pytest.approx(0.5)


@pytest.mark.filterwarnings("ignore::referenceless_metrics.core.files.reading.InputNote")
def test_a_cell_inside_an_object_that_names_no_side_is_refused_with_its_row(tmp_path):
    rows = [{"system_a": "x", "system_b": "y", "said": {"by": word}} for word in ("x", "z")]
    path = str(write(tmp_path / "t.jsonl", map(json.dumps, rows)))
    with pytest.raises(InputError, match=r"t\.jsonl:2: expected a, b or tie .* but got str 'z'"):
        read_rating_table([path], RatingColumns(preference="said.by"))

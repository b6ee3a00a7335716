"""Results of PCIbex Farm: comments name the columns, and further ones those of the trials' rows."""

from itertools import product
from statistics import mean

import pytest
from command_lines import as_json
from text_files import write

from referenceless_metrics import look
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows

pytestmark = pytest.mark.filterwarnings("ignore")

NAMES = (
    "Results reception time",
    "MD5 hash of participant's IP address",
    "Controller name",
    "Order number of item",
    "Inner element number",
    "Label",
    "Latin Square Group",
    "PennElementType",
    "PennElementName",
    "Parameter",
    "Value",
    "EventTime",
)


def choice(rater, n):
    """Return the condition of an item that a participant sees, and how natural it is called."""
    way = ("old", "new")[(n + rater) % 2]
    return way, 1 + (3 * n + rater + n // 4) % 5 + 2 * (way == "new")


def results(n_raters=6, n_items=12):
    """Return the lines of a file: each participant sees each item in one of two conditions."""
    lines = ["#", "# Results on Monday.", "# Columns below this comment are as follows:"]
    for rater in range(n_raters):
        lines += [f"# {n}. {name}." for n, name in enumerate(NAMES, 1)]
        start = f"{1000 + rater},hash{rater},PennController"
        lines.append(f"{start},0,0,consent,NULL,PennController,consent,_Trial_,Start,{rater},NULL")
        lines += ["# 13. item.", "# 14. condition.", "# 15. sentence.", "# 16. Comments."]
        for n in range(n_items):
            way, value = choice(rater, n)
            end = f"{n},{way},In town {n}%2C it rains.,NULL"
            trial = f"{start},{n + 1},0,trial,NULL"
            lines.append(f"{trial},PennController,trial,_Trial_,Start,{rater},{end}")
            lines.append(f"{trial},Scale,natural,Choice,1,{rater},{end}")
            lines.append(f"{trial},Scale,natural,Choice,{value},{rater},{end}")
    return lines


def test_comments_name_the_columns_of_the_rows_below_them(tmp_path):
    table = read_table(str(write(tmp_path / "results.csv", results())))
    assert table.columns[:12] == NAMES
    assert {"item", "condition", "sentence", "Comments"} <= set(table.columns)
    assert "item" not in table.rows[0]
    assert table.rows[1]["sentence"] == "In town 0, it rains."
    assert "numbered comments name the columns" in " ".join(table.notes)


def test_choices_on_scales_are_answers_and_the_last_of_a_trial_counts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("results.csv", results())
    table = read_rating_rows("results.csv")
    assert len(table.rows) == 6 * 12
    first = table.rows[0]
    assert (first["item"], first["rater"], first["condition"], first["rating"]) == ("0", "hash0", "old", "1")
    line = next(line for line in look("results.csv").commands if line.split()[1] == "human-score")
    rows = as_json(line.removeprefix("referenceless "))["rows"]
    values = {"old": [], "new": []}
    for rater, n in product(range(6), range(12)):
        way, value = choice(rater, n)
        values[way].append(value)
    assert {row["system"]: row["mean"] for row in rows[:2]} == pytest.approx({way: mean(values[way]) for way in values})


def test_an_address_that_sent_results_twice_is_of_two_raters(tmp_path):
    lines = [line.replace("hash1,", "hash0,") for line in results(n_raters=2)]
    table = read_rating_rows(str(write(tmp_path / "results.csv", lines)))
    assert {row["rater"] for row in table.rows} == {"hash0/1000", "hash0/1001"}
    assert "1 addresses sent results several times" in " ".join(table.notes)


def test_a_row_with_more_fields_than_names_is_refused(tmp_path):
    path = write(tmp_path / "results.csv", [*results(n_raters=1), "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18"])
    with pytest.raises(Exception, match="expected 16 fields between commas, which comments above name, but got 18"):
        read_table(str(path))

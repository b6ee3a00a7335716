"""Keys that stand once above the rows of their group."""

import pytest
from text_files import write_table

from referenceless_metrics.core.files.text_io import read_table

pytestmark = pytest.mark.usefixtures("folder")

TEXTS = [("s1", "one text"), ("s2", "another"), ("s3", "the last")]


def rows(size=2):
    return [[*(key if place == 0 else ("", "")), f"r{place}", place] for key in TEXTS for place in range(size)]


def test_empty_outputs_beside_their_ratings_stay_empty():
    content = [[text if place == 0 else "", place] for _, text in TEXTS for place in range(2)]
    write_table("t.csv", ["text", "rating"], content)
    assert [row["text"] or "" for row in read_table("t.csv").rows] == [row[0] for row in content]
    same = [[*row, "r"] for row in content]  # the third column does not tell the rows of a group apart
    write_table("t.csv", ["text", "note", "rater"], [[row[0], "x", row[2]] for row in same])
    assert [row["text"] or "" for row in read_table("t.csv").rows] == [row[0] for row in content]


@pytest.mark.filterwarnings("ignore")
def test_each_row_gets_the_key_of_its_group():
    write_table("t.csv", ["id", "text", "rater", "rating"], rows())
    table = read_table("t.csv")
    assert [(row["id"], row["text"]) for row in table.rows] == [key for key in TEXTS for _ in range(2)]
    assert "'id', 'text' stand once for each group of rows" in " ".join(table.notes)


@pytest.mark.parametrize(
    "content",
    [
        rows()[:4],
        rows()[1:],
        rows()[:-1],
        [*rows(), ["s1", "", "r0", 1], ["", "", "r1", 1]],
        [row[:2] for row in rows()[:-1]],  # blank rows at the end are no rows
    ],
)
def test_blank_cells_of_other_tables_stay(content):
    write_table("t.csv", ["id", "text", "rater", "rating"][: len(content[0])], content)
    table = read_table("t.csv")
    assert [str(row["id"] or "") for row in table.rows] == [row[0] for row in content]

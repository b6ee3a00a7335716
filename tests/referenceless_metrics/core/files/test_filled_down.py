"""Keys that stand once above the rows of their group."""

import pytest
from text_files import write_table

from referenceless_metrics.core.files.text_io import read_table

pytestmark = pytest.mark.usefixtures("folder")

TEXTS = [("s1", "one text"), ("s2", "another"), ("s3", "the last")]


def rows(size=2):
    return [[*(key if place == 0 else ("", "")), f"r{place}", place] for key in TEXTS for place in range(size)]


@pytest.mark.filterwarnings("ignore")
def test_each_row_gets_the_key_of_its_group():
    write_table("t.csv", ["id", "text", "rater", "rating"], rows())
    table = read_table("t.csv")
    assert [(row["id"], row["text"]) for row in table.rows] == [key for key in TEXTS for _ in range(2)]
    assert "'id', 'text' stands once for each group of rows" in " ".join(table.notes)


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

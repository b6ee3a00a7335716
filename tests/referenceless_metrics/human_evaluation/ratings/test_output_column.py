"""The column of ratings that holds the outputs is the one column whose texts are outputs of the systems."""

import pytest
from text_files import write_table

from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.output_column import with_output_column

OUTPUTS = [("base", ["one", "two", "three"]), ("ours", ["four", "five", "six"])]


@pytest.mark.parametrize(
    "columns, rows, found",
    [
        (("output", "rating"), [("one", 1), ("five", 2)], "output"),
        (("output", "rating"), [("one", 1), ("seven", 2)], "output"),  # half of them
        (("output", "rating"), [("one", 1), ("seven", 2), ("eight", 3)], None),
        (("output", "again", "rating"), [("one", "one", 1)], None),  # not one column alone
        (("text", "output", "rating"), [("1", "one", 1)], None),  # `text` is read without a name
        (("rating",), [(1,)], None),
    ],
)
def test_exactly_one_column_with_outputs_is_taken(folder, columns, rows, found):
    write_table("r.csv", columns, rows)
    tables, named, notes = with_output_column(["r.csv"], RatingColumns(), OUTPUTS)
    assert named.text == found
    assert notes == (
        [] if found is None else [f"column '{found}' of the ratings holds the outputs (--ratings-text-column {found})"]
    )
    assert [len(table.rows) for table in tables] == [len(rows)]


def test_a_named_column_stays_and_without_systems_nothing_is_read(folder):
    write_table("r.csv", ("output", "rating"), [("one", 1)])
    named = RatingColumns(text="rating")
    assert with_output_column(["r.csv"], named, OUTPUTS) == (["r.csv"], named, [])
    assert with_output_column(["absent.csv"], RatingColumns(), []) == (["absent.csv"], RatingColumns(), [])

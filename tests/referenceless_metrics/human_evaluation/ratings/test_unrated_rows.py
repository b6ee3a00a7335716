"""Rows in which nobody rated anything, and a name is missing."""

import pytest
from click.testing import CliRunner

from referenceless_metrics.cli import cli
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.ratings.unrated_rows import without_unrated_rows

RATED = [{"item": str(n), "system": name, "rater": "ann", "rating": str(1 + n % 5)} for n in range(12) for name in "ab"]
BLANK = [{"item": "12", "system": name, "rater": "", "rating": ""} for name in "ab"]


def table(rows):
    return Table("form.csv", ("item", "system", "rater", "rating"), rows, list(range(2, len(rows) + 2)))


def test_rows_without_a_rating_and_a_name_are_left_out_with_a_note():
    kept, notes = without_unrated_rows(table([*BLANK, *RATED]), ["rating"], ["item", "system", "rater"])
    assert kept.rows == RATED
    assert kept.where(0) == "form.csv:4"
    assert notes == ["form.csv: left out: 2 rows have nothing in columns 'rater', 'rating'"]


@pytest.mark.parametrize("change", [{"rater": "bob"}, {"rating": "3"}])
def test_rows_with_a_rating_or_all_names_stay(change):
    asked = table([*RATED, {**BLANK[0], **change}])
    assert without_unrated_rows(asked, ["rating"], ["item", "system", "rater"]) == (asked, [])


@pytest.mark.parametrize(
    "words", ["human-score --ratings", "agreement", "compare --item-column item --rater-column rater --scores"]
)
def test_commands_leave_them_out(words, tmp_path, recwarn):
    column = "score" if words.startswith("compare") else "rating"
    file = tmp_path / "form.csv"
    rows = [*RATED, *({**row, "rater": "bob"} for row in RATED), *BLANK]
    lines = [",".join(["item", "system", "rater", column]), *(",".join(row.values()) for row in rows)]
    file.write_text("\n".join(lines))
    result = CliRunner().invoke(cli, [*words.split(), str(file)])
    assert result.exit_code == 0, result.output
    told = [result.output, *(str(warning.message) for warning in recwarn)]
    assert any("left out: 2 rows have nothing in columns 'rater'" in text for text in told)

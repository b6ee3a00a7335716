"""Workbooks in which one sheet has choices between A and B, and another tells the systems of both."""

import openpyxl
import pytest
from command_lines import as_json, typed

from referenceless_metrics import look
from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("folder")]


def workbook(path, **sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def choices(n_items=20):
    """Return the rows of two sheets: raters prefer the new system, which is A in every second row, in most rows."""
    answers = [["No", "Text A", "Text B", "Lea", "Tom"]]
    key = [["No", "System A", "System B"]]
    for n in range(n_items):
        pair = ("new", "base")[:: 1 if n % 2 else -1]
        new, base = ("A", "B") if n % 2 else ("B ", "a")
        answers.append([n, f"a cat {n}", f"the cat {n}", base if n % 10 == 0 else new, "=" if n % 7 == 0 else new])
        key.insert(1, [n, *pair])
    return answers, key


def test_systems_of_both_sides_are_told_by_another_sheet():
    answers, key = choices()
    path = workbook("ab.xlsx", answers=answers, key=key)
    found = look(path)
    assert [line.split()[1] for line in found.commands] == ["human-score", "agreement"]
    row = as_json(found.commands[0].removeprefix("referenceless "))["rows"][0]
    assert {row["system"], row["against"]} == {"new", "base"}
    share = row["win rate"] if row["system"] == "new" else 1 - row["win rate"]
    assert share == pytest.approx(((20 - 2) + 17 + 3 / 2) / 40)
    assert "sheet 'key' tells the systems of both sides (new, base), by column 'No'" in " ".join(found.notes)
    assert "α" in typed(found.commands[1].removeprefix("referenceless ")).out


def test_columns_of_raters_that_are_named_are_read_as_they_stand():
    answers, key = choices()
    path = workbook("ab.xlsx", answers=answers, key=key)
    assert "Lea" in read_rating_rows(path, wanted=("Lea", "Tom")).columns


@pytest.mark.parametrize("change", ["another item", "one system", "no side"])
def test_a_sheet_that_does_not_tell_the_systems_of_all_items_is_no_key(change):
    answers, key = choices()
    if change == "another item":
        key[1][0] = 99
    elif change == "one system":
        key[1][2] = key[1][1]
    else:
        key[0] = ["No", "System A", "Note"]
    path = workbook("ab.xlsx", answers=answers, key=key)
    assert "system_a" not in read_rating_rows(path).columns

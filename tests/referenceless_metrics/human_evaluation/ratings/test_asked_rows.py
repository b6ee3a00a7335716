"""Ratings that are blank where another column says so: `human-score` tells of what their means are, as `look` does."""

import pytest
from command_lines import typed
from text_files import write_table

from referenceless_metrics import look

N = 24
COLUMNS = ["item", "system", "coherence", "relevance", "fluency"]
TOLD = "column 'coherence' is blank in the 16 rows where 'relevance' is '0', and in no others"


def rows(*, blank_too=False):
    """Return rows of which every third item has no answer, and one more if asked."""
    found = []
    for n in range(N):
        for name in ("base", "ours"):
            relevance = int(n % 3 != 0)
            coherence = n % 2 if relevance and not (blank_too and n == 1) else ""
            found.append((n, name, coherence, relevance, n % 2))
    return found


def noted(options):
    return " ".join(typed(f"human-score --ratings ratings.csv --scale 0-1 {options}").err.split())


@pytest.mark.parametrize("blank_too", [False, True])
def test_a_column_that_decides_where_ratings_are_blank_is_told(folder, blank_too):
    write_table("ratings.csv", COLUMNS, rows(blank_too=blank_too))
    told = f"{TOLD}: its means are of the rows where 'relevance' is '1' alone, and leave out the others"
    assert (told in noted("--rating-column coherence")) is not blank_too
    assert "in no others" not in noted("--rating-column fluency")


def test_blanks_that_stand_for_a_number_leave_nothing_out(folder):
    write_table("ratings.csv", COLUMNS, rows())
    assert "in no others" not in noted("--rating-column coherence --values =0,1=1,0=0")


def test_look_proposes_ratings_of_all_rows_first(folder):
    write_table("ratings.csv", COLUMNS, rows())
    found = look("ratings.csv")
    assert any(note.startswith(TOLD) for note in found.notes)
    rated = [line for line in found.commands if "human-score" in line]
    assert "--rating-column relevance --rating-column fluency --rating-column coherence" in rated[0]


def test_look_tells_what_decides_of_rows_that_its_lines_leave_out(folder):
    held = [(n, name, "yes" if n % 3 else "no", 1 + n % 5 if n % 3 else "") for n in range(N) for name in ("a", "b")]
    write_table("ratings.csv", ["item", "system", "relevant", "helpfulness"], held)
    found = look("ratings.csv")
    assert all("--where relevant=yes" in line for line in found.commands)
    told = "column 'helpfulness' is blank in the 16 rows where 'relevant' is 'no', and in no others"
    assert any(note.startswith(told) for note in found.notes)

"""Preferences that name sides, each of one system in all rows: `--fixed-sides` says so, and nothing else guesses it."""

from pathlib import Path

import pytest
from command_lines import done, typed
from text_files import write_table

N = 30
CHOSEN = "--preference-column choice --item-column pair_id --rater-column annotator"
RATERS = ("385dd1d4", "aa4e304a")


def write_answers():
    """Write a file for each of two raters, who mostly choose side B."""
    Path("results").mkdir()
    for at, rater in enumerate(RATERS):
        rows = [(f"2025-11-06T10:{n:02}:34.95", rater, n + 1, "A" if n % 5 == at else "B") for n in range(N)]
        write_table(f"results/{rater}_responses.csv", ["timestamp", "annotator", "pair_id", "choice"], rows)


def test_sides_are_systems_if_the_user_says_so(folder):
    write_answers()
    refused = " ".join(typed(f"human-score --ratings results {CHOSEN}", 1).err.split())
    assert "if each side that column 'choice' names is of one system in all rows, --fixed-sides takes" in refused
    told = typed(f"human-score --ratings results {CHOSEN} --fixed-sides")
    assert "prefer B to A" in " ".join(told.out.split())
    assert "'A' and 'B' in column 'choice' are taken for the two systems of all rows" in " ".join(told.err.split())


@pytest.mark.parametrize(
    "columns, rows, message",
    [
        (
            ["pair_id", "system_a", "choice"],
            [(n, "x", "AB"[n % 2]) for n in range(N)],
            "'system_a' (--system-a-column) names these",
        ),
        (["pair_id", "choice"], [(n, "A") for n in range(N)], "do not name both sides"),
        (["pair_id", "choice"], [(n, "ours") for n in range(N)], "do not name both sides"),
    ],
)
def test_columns_of_systems_and_cells_without_sides_are_refused(folder, columns, rows, message):
    write_table("t.csv", columns, rows)
    line = "human-score --ratings t.csv --preference-column choice --item-column pair_id --fixed-sides"
    assert message in " ".join(typed(line, 1).err.split())


def test_ratings_have_no_sides(folder):
    write_table("t.csv", ["item", "system", "rating"], [(n, name, n % 5) for n in range(N) for name in "ab"])
    assert "--fixed-sides is of preferences: leave it out" in " ".join(
        typed("human-score --ratings t.csv --fixed-sides", 1).err.split()
    )


def test_look_joins_the_files_of_raters_and_leaves_the_verdict_to_the_user(folder):
    write_answers()
    told = done("look results").stdout
    files = " ".join(f"results/{rater}_responses.csv" for rater in RATERS)
    line = f"agreement {files} --rating-column choice --item-column pair_id --rater-column annotator"
    assert f"Together:\nreferenceless {line}\n" in told
    assert "if each side is of one system in all rows: referenceless human-score --ratings" in " ".join(told.split())
    assert "Krippendorff's α" in done(line).stdout

"""Several scores beside people's ratings, in one table and one sentence."""

from command_lines import as_json, typed
from text_files import write_table


def write_mixed():
    """Write a judge's verdicts and a metric beside people's verdicts."""
    rows = [(n, n % 2, (n % 2) ^ (n % 7 == 0), (n % 2) * 2 + n % 5 / 4) for n in range(40)]
    write_table("mixed.csv", ("item", "human", "judge", "metric"), rows)


def test_verdicts_and_scores_stand_in_one_table(folder):
    """Verdicts have figures of their own, so that no score is called the best."""
    write_mixed()
    columns = "--score-column judge --score-column metric --rating-column human"
    line = f"evaluate --scores mixed.csv --ratings mixed.csv {columns}"
    out = typed(line).out
    assert "Cohen's κ" in out
    assert "Pearson r" in out
    headline = next(each for each in out.splitlines() if each.startswith("Scores and people"))
    assert "judge by Cohen's κ 0.7" in headline
    assert "metric by Pearson r 0.9" in headline
    other_order = typed(line.replace("judge --score-column metric", "metric --score-column judge")).out
    assert "judge by Cohen's κ 0.7" in other_order
    assert set(as_json(line)["scores"]) == {"judge", "metric"}


def write_scores():
    """Write two metrics beside ratings of two systems."""
    rows = [(n // 2, "ab"[n % 2], n * 7 % 5, n * 7 % 5 / 3 + n % 3 / 2, n % 4 / 9) for n in range(80)]
    write_table("scores.csv", ("item", "system", "human", "good", "poor"), rows)


def test_a_table_for_a_paper_holds_figures_of_one_kind_with_two_decimals(folder):
    write_scores()
    line = "evaluate --scores scores.csv --ratings scores.csv --rating-column human --score-column good"
    assert "mean score" in typed(line).out
    table = typed(f"{line} -f markdown").out
    rows = [row for row in table.splitlines() if row.startswith("| ")][2:]
    assert rows
    assert not [row for row in rows if row.startswith(("| mean score", "| mean rating", "| corrected mean"))]
    assert "Mean scores are in the unit" not in table
    shown = [cell.strip() for row in rows for cell in row.split("|")[4:5]]
    assert all(len(cell.partition(".")[2]) == 2 for cell in shown if cell != "–")
    caption = next(part for part in typed(f"{line} -f latex").out.splitlines() if part.startswith(r"\caption"))
    assert "on 80 of 80 outputs: Pearson r" in caption
    assert r"Intervals (95\%) take items as independent" in caption


def test_the_differences_of_scores_stand_below_a_table_for_a_paper(folder):
    write_scores()
    columns = "--score-column good --score-column poor --rating-column human"
    table = typed(f"evaluate --scores scores.csv --ratings scores.csv {columns} -f latex").out
    shown = "\n".join(line for line in table.splitlines() if not line.startswith("%"))
    assert "Pearson r: good agrees better with people than poor" in shown
    assert "Computed with referenceless-metrics" in shown
    caption = next(line for line in table.splitlines() if line.startswith(r"\caption"))
    assert "(Holm)" not in caption  # two scores make one pair
    three = typed(f"evaluate --scores scores.csv --ratings scores.csv {columns} --score-column item -f latex").out
    caption = next(line for line in three.splitlines() if line.startswith(r"\caption"))
    assert "p of differences is corrected for 3 pairs of scores (Holm)" in caption

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

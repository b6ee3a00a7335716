"""Several scores beside people's ratings, in one table and one sentence."""

from pathlib import Path

import pytest
from command_lines import as_json, typed
from text_files import write_table


def write_mixed():
    """Write a judge's verdicts and a metric beside people's verdicts."""
    rows = [(n, n % 2, (n % 2) ^ (n % 7 == 0), n % 2 + n % 5 / 4) for n in range(40)]
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
    assert "metric by Pearson r 0.8" in headline
    other_order = typed(line.replace("judge --score-column metric", "metric --score-column judge")).out
    assert "judge by Cohen's κ 0.7" in other_order
    assert set(as_json(line)["scores"]) == {"judge", "metric"}


def write_scores():
    """Write two metrics beside ratings of two systems."""
    rows = [(n // 2, "ab"[n % 2], n * 7 % 5, n * 7 % 5 / 3 + n % 3 / 2, n % 4 / 9) for n in range(80)]
    write_table("scores.csv", ("item", "system", "human", "good", "poor"), rows)


def test_ratings_over_scores_are_drawn_in_a_file_and_on_the_page(folder):
    write_scores()
    line = "evaluate --scores scores.csv --ratings scores.csv --rating-column human --score-column good"
    typed(f"{line} --plot one.svg -o page.html")
    drawn = Path("one.svg").read_text(encoding="utf-8")
    assert "mean rating by score: Pearson r 0." in drawn
    assert "80 points" in drawn
    assert "mean rating by score: Pearson r 0." in Path("page.html").read_text(encoding="utf-8")
    typed(f"{line} --score-column poor --plot two.svg")
    assert Path("two.svg").read_text(encoding="utf-8").count("mean rating by score") == 2 * drawn.count(
        "mean rating by score"
    )


def test_verdicts_alone_are_not_drawn(folder):
    write_mixed()
    line = "evaluate --scores mixed.csv --ratings mixed.csv --rating-column human --score-column judge --plot x.svg"
    assert "verdicts of 0 and 1 have a table alone" in typed(line, 1).err
    assert not Path("x.svg").exists()
    typed(f"{line} --score-column metric")
    assert "20 points" not in Path("x.svg").read_text(encoding="utf-8")


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
    note = next(part for part in typed(f"{line} -f latex").out.splitlines() if part.startswith(r"\par"))
    assert r"Over all systems r and $\rho$ also count how the systems' means differ" in note
    assert "take items as independent" not in note


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


def write_directions():
    """Write ratings, a close score of which lower is better, `ter`, and a poorer one of which higher is, `bleu`."""
    rows = []
    for n in range(80):
        human = n * 7 % 10
        rows.append((n // 2, "ab"[n % 2], human, 12 - human + n % 3 / 2, human + n * 11 % 13))
    write_table("scores.csv", ("item", "system", "human", "ter", "bleu"), rows)
    return rows


@pytest.mark.parametrize("columns", [("ter", "bleu"), ("bleu", "ter")])
def test_a_score_of_which_lower_is_better_stands_where_its_agreement_puts_it(folder, columns):
    """Its correlation keeps its sign; the order of the rows and the differences take the other one."""
    write_directions()
    named = " ".join(f"--score-column {name}" for name in columns)
    line = f"evaluate --scores scores.csv --ratings scores.csv --rating-column human {named}"
    out = typed(line).out
    headline = out.splitlines()[0]
    assert "by Pearson r: ter (lower is better) -0.9" in headline
    assert "Pearson r: ter agrees better with people than bleu (difference +0." in headline
    assert out.index("\nter (lower is") < out.index("\nbleu")
    assert "Lower is better of ter, by the name" in out
    assert [each["value"] > 0 for each in as_json(line)["differences"]] == [True, True]


def test_scores_that_were_turned_already_keep_their_sign(folder):
    """Scores below 0 under a name of which lower is better are turned; so are those of mt-metrics-eval's folders."""
    rows = [(item, system, human, -ter, bleu) for item, system, human, ter, bleu in write_directions()]
    write_table("turned.csv", ("item", "system", "human", "ter", "bleu"), rows)
    line = "evaluate --scores turned.csv --ratings turned.csv --rating-column human --score-column bleu --score-column"
    out = typed(f"{line} ter").out
    assert "by Pearson r: ter 0.9" in out
    assert "Pearson r: ter agrees better with people than bleu (difference +0." in out
    assert "lower is better" not in out


def test_the_folder_of_scores_tells_that_lower_is_better(folder):
    rows = write_directions()
    Path("metricx").mkdir()
    write_table("metricx/a.csv", ("item", "system", "prediction"), [(*row[:2], row[3]) for row in rows])
    line = "evaluate --scores metricx/a.csv --ratings scores.csv --rating-column human --score-column prediction"
    assert "Lower is better of prediction, by the name" in typed(line).out


def test_noise_of_raters_caps_the_agreement_and_not_the_sign(folder):
    rows = [
        (item, system, rater, human + (item * rater) % 3 / 2, ter)
        for item, system, human, ter, _ in write_directions()
        for rater in (1, 2)
    ]
    write_table("raters.csv", ("item", "system", "rater", "human", "ter"), rows)
    out = typed("evaluate --scores scores.csv --ratings raters.csv --rating-column human --score-column ter").out
    ceiling = next(each for each in out.splitlines() if each.startswith("Rater noise caps"))
    assert ": 0.9" in ceiling
    assert "0% of it" not in ceiling.replace("90% of it", "").replace("100% of it", "")


def test_intervals_that_are_missing_are_told_of_the_figures_that_are_shown(folder):
    """Clusters of the rated outputs alone: means over all outputs have no interval, which one score's table shows."""
    rows = write_directions()
    rated = [(item, system, f"d{item // 4}", human) for item, system, human, *_ in rows if item < 28]
    write_table("ratings.csv", ("item", "system", "doc", "human"), rated)
    line = (
        "evaluate --scores scores.csv --ratings ratings.csv --rating-column human --cluster-column doc --score-column"
    )
    write_table("scores.csv", ("item", "system", "ter", "bleu"), [(*row[:2], *row[3:]) for row in rows])
    assert "No interval of mean score of a" in typed(f"{line} bleu").out
    assert "No interval of" not in typed(f"{line} bleu --score-column ter").out


def test_scores_of_three_systems_are_led_to_their_order(folder):
    rows = [(n // 3, "abc"[n % 3], n * 7 % 5, n * 7 % 5 + n % 4) for n in range(60)]
    write_table("scores.csv", ("item", "system", "human", "good"), rows)
    line = "evaluate --scores scores.csv --ratings scores.csv --rating-column human --score-column good"
    assert (
        "Whether scores order the 3 systems as people do (pairwise accuracy): `compare` in place of" in typed(line).out
    )
    assert "pairwise accuracy" in typed(line.replace("evaluate", "compare")).out.splitlines()[0]
    both = f"{line.replace('human', 'human --rating-column style')} --columns-are criteria"
    write_table("scores.csv", ("item", "system", "human", "good", "style"), [(*row, row[2]) for row in rows])
    assert "with the same --scores and --ratings, by one criterion at a time." in typed(both).out

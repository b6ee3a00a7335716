"""The headline names the system with the best mean, if there are three and nobody named one to compare with."""

import pytest
from command_lines import as_json, typed
from numpy.random import default_rng
from text_files import read, write, write_table

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw = default_rng(0)
    rows = []
    for item in range(40):
        level = draw.normal()
        for system, shift in (("base", 0), ("best", 2.1), ("near", 1.9)):
            quality = level + shift + draw.normal() / 2
            rows.append((item, system, "ann", round(quality, 2), round(10 - quality, 2)))
    write_table("rated.csv", ["item", "system", "rater", "rating", "ter"], rows)


@pytest.mark.parametrize(
    ("line", "opening"),
    [
        ("human-score --ratings rated.csv", "Highest mean rating: best ("),
        ("compare --scores rated.csv --score-column rating", "Highest mean rating: best ("),
        ("compare --scores rated.csv --score-column ter", "Lowest mean ter: best ("),
    ],
)
def test_the_best_stands_first_with_those_that_may_be_as_good(line, opening):
    told = " ".join(typed(line).out.split())
    assert told.startswith(opening)
    worse = "higher" if "ter" in opening else "lower"
    assert f"; not shown to be {worse}: near (Holm over all 3 pairs)." in told
    named = typed(f"{line} --baseline near").out
    assert "est mean" not in named.split("(")[0]


def test_one_headline_has_one_correction_if_the_baseline_is_best_and_counts_pairs_by_all_criteria():
    lines = read("rated.csv").splitlines()
    items = {line.partition(",")[0]: [] for line in lines[1:]}
    for line in lines[1:]:
        items[line.partition(",")[0]].append(line)
    first_best = [line for of in items.values() for line in sorted(of, key=lambda line: ",best," not in line)]
    write("best_first.csv", [lines[0], *first_best])
    for line in ("human-score --ratings best_first.csv", "compare --scores best_first.csv --score-column rating"):
        told = " ".join(typed(line).out.split())
        assert "pairs" not in told.partition(" criterion ")[0].partition(" system ")[0]
        assert told.startswith("Highest mean rating: best (")
    both = "human-score --ratings rated.csv --rating-column rating --rating-column ter --columns-are criteria"
    assert "(Holm over all 6 pairs)" in " ".join(typed(both).out.split())


def test_of_marked_errors_0_is_best():
    draw = default_rng(1)
    rows = [["system", "seg_id", "rater", "category", "severity"]]
    for place, system in enumerate("abc"):
        for item in range(20):
            n_errors = int(draw.integers(0, 3)) + place
            rows += [[system, item, "r", "Style", "Minor"]] * n_errors or [[system, item, "r", "no-error", "no-error"]]
    write_table("mqm.tsv", rows[0], rows[1:], delimiter="\t")
    assert "; 0 is best). " in typed("human-score --ratings mqm.tsv").out.splitlines()[0]
    assert "; 0 is best). " in typed("compare --scores mqm.tsv").out.splitlines()[0]
    few = [row for row in rows if row[1] in ("seg_id", 0, 1, 2)]
    write_table("few.tsv", few[0], few[1:], delimiter="\t")
    assert "; 0 is best); no two systems are tested. " in typed("compare --scores few.tsv").out.splitlines()[0]


def test_all_pairs_of_scores_have_a_row_each_and_the_baseline_changes_nothing():
    line = "compare --scores rated.csv --score-column rating --all-pairs"
    rows = as_json(line)["rows"]
    pairs = {(row["system"], row["less"]): row for row in rows if row["less"]}
    assert set(pairs) == {("best", "base"), ("near", "base"), ("near", "best")}
    assert all(row["difference"] is None for row in rows if not row["less"])
    of_one = as_json("compare --scores rated.csv --score-column rating --baseline best")["rows"]
    near = next(row for row in of_one if row["system"] == "near")
    assert pairs["near", "best"]["difference"] == near["difference"]
    told = " ".join(typed(line).out.split())
    assert "By rating, best is higher than base; near is higher than base; no difference is shown between" in told
    assert "Holm over 3 comparisons" in told
    assert "near less best" in told
    lower = typed("compare --scores rated.csv --score-column ter --all-pairs").out
    assert "base is higher than best and near" in " ".join(lower.split())


def test_a_gate_and_ratings_take_no_pairs():
    line = "compare --scores rated.csv --score-column rating --all-pairs"
    assert "leave out --all-pairs" in typed(f"{line} --fail-if-worse", status=2).err
    assert "--all-pairs compares systems" in typed(f"{line} --ratings rated.csv", status=2).err
